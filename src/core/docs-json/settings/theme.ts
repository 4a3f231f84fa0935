import { z } from 'zod';
import type { Setting } from './setting.ts';

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const;

/** `theme`: the layout of the site. */
export const theme: Setting<string> = { schema: z.enum(THEMES), fallback: 'mint', required: true };
