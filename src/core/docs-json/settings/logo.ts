import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { assetPath, href, lightDarkFields, requireOneOfBoth } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const files = z
  .object({
    ...lightDarkFields(assetPath, 'The image'),
    href: about(href, 'The destination of the logo link; by default, the first page.').optional(),
  })
  .transform(({ href, ...both }, context): NonNullable<SiteConfig['logo']> => {
    const images = requireOneOfBoth(both, context);
    return href === undefined ? images : { ...images, href };
  });

/** `logo`: an image, or one for each appearance; `href` is its link target (default: the first page). */
export const logo: Setting<SiteConfig['logo']> = {
  schema: orShort(
    about(
      z.preprocess((value) => (typeof value === 'string' ? { light: value, dark: value } : value), files),
      'The logo in the header, or one for each mode. By default, the name of the project is shown.',
    ),
    SHORT_TEXT,
  ),
  fallback: undefined,
};
