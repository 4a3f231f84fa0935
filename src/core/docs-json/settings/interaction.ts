import { z } from 'zod';
import { about } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `interaction`: what the menu does. */
export const interaction: Setting<{ drilldown?: boolean }> = {
  schema: about(
    z.object({
      drilldown: about(
        z.boolean(),
        'Whether a click on a group leads to its first page; by default it only opens the group.',
      ).optional(),
    }),
    'What the menu does.',
  ),
  fallback: {},
};
