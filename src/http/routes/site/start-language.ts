import type { FastifyRequest } from 'fastify';
import { firstPage } from '../../../core/navigation/default-slice.ts';
import { preferredLanguage } from '../../../core/site-files/accept-language.ts';
import type { SiteUse } from './site-use.ts';

type Asked = Pick<FastifyRequest, 'headers' | 'host'>;

/**
 * Where a reader starts who comes to the root of a site in several languages and prefers another than that of the site.
 * Whoever comes from a page of the site has chosen: with the switch of languages, or by the logo. Nothing is kept about them.
 * @param path decoded path inside the site
 * @returns a site path; undefined where the root answers as for everybody
 */
export function startInLanguage(request: Asked, { site, searchCut }: SiteUse, path: string): string | undefined {
  if (path !== '/' || searchCut.languages.length === 0 || comesFromSite(request)) return undefined;
  const wanted = preferredLanguage(request.headers['accept-language'], searchCut.languages);
  if (wanted === undefined) return undefined;
  const { navigation } = site.build;
  const pages = new Map(site.build.pages.map((page) => [page.path, page]));
  const start = firstPage(navigation, pages, wanted);
  if (!start || start.href === '/' || start.path === firstPage(navigation, pages)?.path) return undefined;
  return start.href;
}

/** Whether the answer to a path depends on the language that a reader prefers. */
export function dependsOnLanguage({ searchCut }: SiteUse, path: string): boolean {
  return path === '/' && searchCut.languages.length > 0;
}

function comesFromSite({ headers, host }: Asked): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true;
  return URL.parse(headers.referer ?? '')?.host === host;
}
