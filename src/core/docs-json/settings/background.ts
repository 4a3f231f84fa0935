import { z } from 'zod';
import { about } from '../annotations.ts';
import { assetPath, hexColor, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `background`: a decoration, a color for each appearance, or an image behind the pages. */
export const background: Setting<SiteConfig['background']> = {
  schema: about(
    z.object({
      decoration: about(z.enum(['gradient', 'grid', 'windows']), 'A decoration behind the top of the page.').optional(),
      color: about(
        z.object({
          light: about(hexColor, 'In light mode.').optional(),
          dark: about(hexColor, 'In dark mode.').optional(),
        }),
        'The background color in each mode.',
      ).optional(),
      image: about(lightDark(assetPath, 'The image'), 'A background image, or one for each mode.').optional(),
    }),
    'The background of pages.',
  ),
  fallback: {},
};
