import { z } from 'zod';
import { about } from '../annotations.ts';
import { hexColor } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/**
 * `colors`: `primary` is for emphasis in the light appearance, `light` for emphasis in the dark one, `dark` for buttons.
 * Where only `primary` is given it stands for all.
 */
export const colors: Setting<SiteConfig['colors']> = {
  schema: about(
    z
      .object({
        primary: about(hexColor, 'Emphasis in the light appearance.'),
        light: about(hexColor, 'Emphasis in the dark appearance; like "primary" where it is absent.').optional(),
        dark: about(hexColor, 'Buttons and hovered links; like "primary" where it is absent.').optional(),
      })
      .transform(({ primary, light = primary, dark = primary }) => ({ primary, light, dark })),
    'The colors of the site, as hex digits.',
  ),
  fallback: { primary: '#1d6b52', light: '#4cc38a', dark: '#1d6b52' },
  required: true,
};
