import type { SiteConfig } from '../docs-json/site-config.ts';

/** Characters with a meaning in redirects: patterns in a source, the end of the path in a destination. */
const SPECIAL = /[:*?#]/;

/**
 * Returns a redirect for each folder without a page of its own to its first page in the menu: `/sdk` leads to `/sdk/install`.
 * Authors link to folders, because the format leads readers on from there.
 * @param menu site paths of the pages in the menu, in its order
 * @param isTaken whether something else is at a site path
 */
export function folderRedirects(menu: readonly string[], isTaken: (path: string) => boolean): SiteConfig['redirects'] {
  const firstPages = new Map<string, string>();
  for (const href of menu) {
    const folders = href.split('/').slice(1, -1);
    for (let depth = folders.length; depth > 0; depth--) {
      const folder = `/${folders.slice(0, depth).join('/')}`;
      if (!firstPages.has(folder) && !isTaken(folder)) firstPages.set(folder, href);
    }
  }
  return [...firstPages]
    .filter((pair) => !pair.some((path) => SPECIAL.test(path)))
    .map(([source, destination]) => ({ source, destination, permanent: false, ofFolder: true }));
}
