import { defaultSlicePages, otherSliceFolders } from '../build/default-slice.ts';
import type { BuiltPage } from '../build/site-build.ts';
import type { SiteConfig } from '../docs-json/site-config.ts';
import { escapeHtml } from '../html.ts';
import type { Navigation } from '../navigation/navigation.ts';
import { pageFacts } from '../navigation/page-facts.ts';

interface SitemapEntry {
  /** Site path, without extension. */
  href: string;
  /** ISO 8601 date or time. */
  lastModified?: string;
}

/** Maximum entries of a file in the protocol. */
const MAX_ENTRIES = 50_000;

/**
 * Generates `sitemap.xml` (sitemaps.org 0.9).
 * @param baseUrl scheme, host and the base path if there is one; without a trailing slash
 */
export function sitemapXml(baseUrl: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.slice(0, MAX_ENTRIES).map(({ href, lastModified }) => {
    const location = escapeHtml(encodeURI(`${baseUrl}${href}`.toWellFormed()));
    const date = lastModified === undefined ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`;
    return `  <url><loc>${location}</loc>${date}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}

/**
 * Returns the canonical form of a site path for search engines: with a trailing slash if the site
 * configures it (`seo.trailingSlash`).
 */
export function canonicalPath(href: string, { seo }: Pick<SiteConfig, 'seo'>): string {
  if (seo.trailingSlash !== true || href.endsWith('/') || /[?#]|\.[a-z0-9]+$/i.test(href))
    return href;
  return `${href}/`;
}

/**
 * Generates `robots.txt` (RFC 9309).
 * @param sitemapUrl absolute, because robots files cannot name a relative one
 * @param contentSignal for example `search=yes, ai-train=no`
 */
export function robotsTxt(sitemapUrl: string, contentSignal: string): string {
  return `User-agent: *\nContent-Signal: ${contentSignal}\nAllow: /\n\nSitemap: ${sitemapUrl}\n`;
}

type ListedPage = Pick<
  BuiltPage,
  'path' | 'hidden' | 'noindex' | 'externalUrl' | 'language' | 'version'
>;

interface ListedSite<P extends ListedPage> {
  navigation: Navigation;
  pages: readonly P[];
  indexing: 'navigable' | 'all';
}

/**
 * Returns the pages of `llms.txt`: those of the default language and version in menu order, without
 * hidden and `noindex` pages. With `seo.indexing: all`, pages outside the navigation follow, except
 * those in the folder of another language or version.
 */
export function llmsPages<P extends ListedPage>(site: ListedSite<P>): P[] {
  const paths = new Set(defaultSlicePages(site.navigation));
  const others = otherSliceFolders(site.navigation);
  const isHere = ({ path }: P) =>
    paths.has(path) || !others.some((folder) => path.startsWith(folder));
  return inOrder(site, [...paths]).filter((page) => isPublic(page) && isHere(page));
}

/**
 * Returns the pages of the sitemap: those of every language and version, by the same rules, without
 * links to other sites.
 */
export function sitemapPages<P extends ListedPage>(site: ListedSite<P>): P[] {
  const visible = [...pageFacts(site.navigation)]
    .filter(([, facts]) => !facts.hidden)
    .map(([path]) => path);
  return inOrder(site, visible).filter((page) => isPublic(page) && page.externalUrl === undefined);
}

function inOrder<P extends ListedPage>(
  { navigation, pages, indexing }: ListedSite<P>,
  paths: readonly string[],
): P[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const listed = paths.map((path) => byPath.get(path)).filter((page) => page !== undefined);
  if (indexing !== 'all') return listed;
  const facts = pageFacts(navigation);
  return [...listed, ...pages.filter((page) => !facts.has(page.path))];
}

function isPublic(page: ListedPage): boolean {
  return !page.hidden && !page.noindex;
}
