import { z } from 'zod';
import { about } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `metadata`: what pages say about themselves. */
export const metadata: Setting<{ timestamp: boolean }> = {
  schema: about(
    z.object({
      timestamp: about(
        z.boolean(),
        'Whether pages say when they were last changed: as "lastUpdatedDate" in their frontmatter says.',
      ).default(false),
    }),
    'What pages say about themselves.',
  ),
  fallback: { timestamp: false },
};
