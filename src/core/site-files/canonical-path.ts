import type { SiteConfig } from '../docs-json/site-config.ts';

/**
 * Returns the canonical form of a site path for search engines: with a trailing slash if the site configures it
 * (`seo.trailingSlash`).
 */
export function canonicalPath(href: string, { seo }: Pick<SiteConfig, 'seo'>): string {
  if (seo.trailingSlash !== true || href.endsWith('/') || /[?#]|\.[a-z0-9]+$/i.test(href)) return href;
  return `${href}/`;
}
