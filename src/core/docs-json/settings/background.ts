import { z } from 'zod';
import { about } from '../annotations.ts';
import { assetPath, hexColor, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `background`: a decoration, a color for each appearance, or an image behind the pages. */
export const background: Setting<SiteConfig['background']> = {
  schema: about(
    z.object({
      decoration: about(z.enum(['gradient', 'grid', 'windows']), 'A pattern behind the top of the page.').optional(),
      color: about(
        z.object({
          light: about(hexColor, 'Behind the light appearance.').optional(),
          dark: about(hexColor, 'Behind the dark appearance.').optional(),
        }),
        'The color of the page in each appearance.',
      ).optional(),
      image: about(lightDark(assetPath, 'The image'), 'An image behind the page, or one for each appearance.').optional(),
    }),
    'What stands behind the pages.',
  ),
  fallback: {},
};
