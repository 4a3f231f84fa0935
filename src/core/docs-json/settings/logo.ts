import { z } from 'zod';
import { assetPath, href, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const files = lightDark(assetPath);
const link = z.object({ href: href.optional() });

/** `logo`: an image, or one for each appearance; `href` is where a click on it leads (default: the first page). */
export const logo: Setting<SiteConfig['logo']> = {
  schema: z.preprocess(
    (value) => (typeof value === 'string' ? { light: value, dark: value } : value),
    z.intersection(files, link),
  ),
  fallback: undefined,
};
