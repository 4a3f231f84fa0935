import { firstPage } from '../../core/navigation/default-slice.ts';
import { preferredLanguage } from '../../core/site-files/accept-language.ts';
import type { SiteRequest } from '../../ports/site-content.ts';
import type { SiteUse } from './site-use.ts';

type Reader = NonNullable<SiteRequest['reader']>;

/** The request headers that the start of a site in several languages depends on. */
export const LANGUAGE_HEADERS = ['accept-language', 'referer', 'sec-fetch-site'];

/**
 * Returns where a reader starts who opens the root of a site in several languages and prefers another than the site's default. A
 * reader who comes from a page of the site has already chosen, with the language switch or by the logo. Nothing is stored about
 * them.
 * @param path decoded path inside the site
 * @returns a site path; undefined if the root gives the default response
 */
export function startInLanguage(request: Reader, { site, searchCut }: SiteUse, path: string): string | undefined {
  if (path !== '/' || searchCut.languages.length === 0 || comesFromSite(request)) return undefined;
  const wanted = preferredLanguage(request.headers['accept-language'], searchCut.languages);
  if (wanted === undefined) return undefined;
  const { navigation } = site.build;
  const pages = new Map(site.build.pages.map((page) => [page.path, page]));
  const start = firstPage(navigation, pages, wanted);
  if (!start || start.href === '/' || start.path === firstPage(navigation, pages)?.path) return undefined;
  return start.href;
}

/** Returns whether the response to a path depends on the reader's preferred language. */
export function dependsOnLanguage({ searchCut }: SiteUse, path: string): boolean {
  return path === '/' && searchCut.languages.length > 0;
}

function comesFromSite({ headers, host }: Reader): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true;
  return URL.parse(headers.referer ?? '')?.host === host;
}
