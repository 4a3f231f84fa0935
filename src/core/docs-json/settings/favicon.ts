import { about } from '../annotations.ts';
import { assetPath, lightDark } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

/** `favicon`: the icon of browser tabs, one image or one for each appearance. */
export const favicon: Setting<SiteConfig['favicon']> = {
  schema: about(lightDark(assetPath, 'The icon'), 'The favicon: one image, or one for each mode.'),
  fallback: undefined,
};
