import type { BuiltPage, SiteBuild } from '../../core/site-build.ts';

const known = new WeakMap<SiteBuild, ReadonlyMap<string, BuiltPage>>();

/** Returns the pages of a build by site path, without those that only link to other sites. */
export function pagesByHref(build: SiteBuild): ReadonlyMap<string, BuiltPage> {
  let pages = known.get(build);
  if (!pages) {
    pages = new Map(build.pages.filter(({ externalUrl }) => !externalUrl).map((page) => [page.href, page]));
    known.set(build, pages);
  }
  return pages;
}
