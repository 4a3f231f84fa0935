import { z } from 'zod';
import { hexColor } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/**
 * `colors`: `primary` is for emphasis in the light appearance, `light` for emphasis in the dark one, `dark` for buttons.
 * Where only `primary` is given it stands for all.
 */
export const colors: Setting<SiteConfig['colors']> = {
  schema: z
    .object({ primary: hexColor, light: hexColor.optional(), dark: hexColor.optional() })
    .transform(({ primary, light = primary, dark = primary }) => ({ primary, light, dark })),
  fallback: { primary: '#1d6b52', light: '#4cc38a', dark: '#1d6b52' },
  required: true,
};
