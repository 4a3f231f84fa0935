import { z } from 'zod';
import { about } from '../annotations.ts';
import { assetPath, filledText } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `thumbnails`: the look of the pages' preview images. */
export const thumbnails: Setting<SiteConfig['thumbnails']> = {
  schema: about(
    z
      .object({
        appearance: about(z.enum(['light', 'dark']), 'Whether the images are light or dark.').optional(),
        background: about(assetPath, 'An image behind the text.').optional(),
        fonts: about(z.object({ family: about(filledText, 'The name of the font.') }), 'The font of the text.').optional(),
      })
      .transform(({ appearance, background, fonts }) => ({
        ...(appearance ? { appearance } : {}),
        ...(background ? { background } : {}),
        ...(fonts ? { fontFamily: fonts.family } : {}),
      })),
    'The preview images for links to pages.',
  ),
  fallback: undefined,
};
