import { z } from 'zod';
import { about } from '../annotations.ts';
import { hexColor } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/**
 * `colors`: `primary` is for emphasis in the light appearance, `light` for emphasis in the dark one, `dark` for buttons.
 * `primary` is the default of the others.
 */
export const colors: Setting<SiteConfig['colors']> = {
  schema: about(
    z
      .object({
        primary: about(hexColor, 'Emphasis in light mode.'),
        light: about(hexColor, 'The accent color in dark mode; by default, "primary".').optional(),
        dark: about(hexColor, 'The color of buttons and hovered links; by default, "primary".').optional(),
      })
      .transform(({ primary, light = primary, dark = primary }) => ({ primary, light, dark })),
    'The colors of the site, in hexadecimal.',
  ),
  fallback: { primary: '#1d6b52', light: '#4cc38a', dark: '#1d6b52' },
  required: true,
};
