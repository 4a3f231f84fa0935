import { z } from 'zod';
import { about } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `metadata`: the metadata that pages show. */
export const metadata: Setting<{ timestamp: boolean }> = {
  schema: about(
    z.object({
      timestamp: about(
        z.boolean(),
        'Whether pages show when they were last changed: from "lastUpdatedDate" in their frontmatter, or from the Git repository.',
      ).default(false),
    }),
    'Metadata shown on pages.',
  ),
  fallback: { timestamp: false },
};
