import { z } from 'zod';
import { about, orShort, SHORT_TEXT } from '../annotations.ts';
import { assetPath, href, lightDarkFields, requireOneOfBoth } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const files = z
  .object({
    ...lightDarkFields(assetPath, 'The image'),
    href: about(href, 'Where a click on the logo leads; by default to the first page.').optional(),
  })
  .transform(({ href, ...both }, context): NonNullable<SiteConfig['logo']> => {
    const images = requireOneOfBoth(both, context);
    return href === undefined ? images : { ...images, href };
  });

/** `logo`: an image, or one for each appearance; `href` is where a click on it leads (default: the first page). */
export const logo: Setting<SiteConfig['logo']> = {
  schema: orShort(
    about(
      z.preprocess((value) => (typeof value === 'string' ? { light: value, dark: value } : value), files),
      'The image in the header, or one for each appearance. Without it the name of the project stands there.',
    ),
    SHORT_TEXT,
  ),
  fallback: undefined,
};
