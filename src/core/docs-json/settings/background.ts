import { z } from 'zod';
import { assetPath, hexColor, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `background`: a decoration, a colour for each appearance, or an image behind the pages. */
export const background: Setting<SiteConfig['background']> = {
  schema: z.object({
    decoration: z.enum(['gradient', 'grid', 'windows']).optional(),
    color: z.object({ light: hexColor.optional(), dark: hexColor.optional() }).optional(),
    image: lightDark(assetPath).optional(),
  }),
  fallback: {},
};
