import { z } from 'zod';
import { about } from '../annotations.ts';
import type { Setting } from './setting.ts';

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const;

/** `theme`: the layout of the site. */
export const theme: Setting<string> = {
  schema: about(z.enum(THEMES), 'The theme of the site.'),
  fallback: 'mint',
  required: true,
};
