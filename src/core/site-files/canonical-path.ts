import type { SiteConfig } from '../docs-json/site-config.ts';

/** The form of a site path that search engines get: with a slash at its end where the site says so (`seo.trailingSlash`). */
export function canonicalPath(href: string, { seo }: Pick<SiteConfig, 'seo'>): string {
  if (seo.trailingSlash !== true || href.endsWith('/') || /[?#]|\.[a-z0-9]+$/i.test(href)) return href;
  return `${href}/`;
}
