import type { BuiltPage, SiteBuild } from '../build/site-build.ts';

/**
 * The changes of a build compared with the previously live one. Pages are named by their site path.
 */
export interface PageChanges {
  /** The deployment to compare with; `null` if nothing was live. */
  comparedWith: string | null;
  added: PageList;
  changed: PageList;
  removed: PageList;
}

export interface PageList {
  count: number;
  /** The first ones, in build order. */
  pages: string[];
}

const MAX_LISTED = 500;

/**
 * Compares the pages of two builds.
 * @param live the pages that readers saw before, with the id of its deployment
 */
export function comparePages(
  live: { deploymentId: string; build: SiteBuild } | undefined,
  { pages }: Pick<SiteBuild, 'pages'>,
): PageChanges {
  const before = pagesByHref(live?.build.pages ?? []);
  const after = pagesByHref(pages);
  const kept = [...after].filter(([href]) => before.has(href));
  return {
    comparedWith: live?.deploymentId ?? null,
    added: listOf([...after.keys()].filter((href) => !before.has(href))),
    changed: listOf(kept.filter(([href, page]) => page !== before.get(href)).map(([href]) => href)),
    removed: listOf([...before.keys()].filter((href) => !after.has(href))),
  };
}

/**
 * Without the day of the last change: whether an upload states it depends on where it comes from (a
 * Git repository, a folder that was dropped), and every page would differ.
 */
function pagesByHref(pages: readonly BuiltPage[]): Map<string, string> {
  const localPages = pages.filter((page) => !page.externalUrl);
  return new Map(
    localPages.map(({ lastUpdated: _, ...page }) => [page.href, JSON.stringify(page)]),
  );
}

function listOf(pages: readonly string[]): PageList {
  return { count: pages.length, pages: pages.slice(0, MAX_LISTED) };
}
