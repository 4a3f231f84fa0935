import { z } from 'zod';
import { about } from '../annotations.ts';
import type { Setting } from './setting.ts';

/** `interaction`: the behavior of the menu. */
export const interaction: Setting<{ drilldown?: boolean }> = {
  schema: about(
    z.object({
      drilldown: about(
        z.boolean(),
        'Whether a click on a group opens its first page; by default it only expands the group.',
      ).optional(),
    }),
    'The behavior of the menu.',
  ),
  fallback: {},
};
