import { contextual } from './settings/contextual.ts';
import type { SiteConfig } from './site-config.ts';

/**
 * The menu that a page sets for itself instead of the site's.
 * @param value `contextual` of the page's frontmatter, unchecked
 * @returns undefined where the page sets none, or one that cannot be read; without options the page has no menu
 */
export function pageContextual(value: unknown): SiteConfig['contextual'] {
  if (value === undefined || value === null) return undefined;
  const read = contextual.schema.safeParse(value);
  return read.success ? read.data : undefined;
}
