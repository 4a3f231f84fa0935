import { contextual } from './settings/contextual.ts';
import type { SiteConfig } from './site-config.ts';

/**
 * Reads the page menu that a page sets instead of the site's.
 * @param value `contextual` of the page's frontmatter, unchecked
 * @returns undefined if the page sets none, or an invalid one; without options the page has no menu
 */
export function pageContextual(value: unknown): SiteConfig['contextual'] {
  if (value === undefined || value === null) return undefined;
  const read = contextual.schema.safeParse(value);
  return read.success ? read.data : undefined;
}
