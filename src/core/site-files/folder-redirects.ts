import type { SiteConfig } from '../docs-json/site-config.ts';

/** Characters with a meaning in redirects: patterns in a source, the end of the path in a destination. */
const SPECIAL = /[:*?#]/;

/**
 * Returns a redirect for each folder without a page of its own to its first page in the menu: `/sdk` leads to `/sdk/install`.
 * Authors link to folders, because the format leads readers on from there.
 * @param menu site paths of the pages in the menu, in its order
 * @param taken site paths of pages and files
 */
export function folderRedirects(menu: readonly string[], taken: ReadonlySet<string>): SiteConfig['redirects'] {
  const firstPages = new Map<string, string>();
  for (const href of menu) {
    const folders = href.split('/').slice(1, -1);
    for (let depth = folders.length; depth > 0; depth--) {
      const folder = `/${folders.slice(0, depth).join('/')}`;
      // Then the folders around it have one too.
      if (firstPages.has(folder)) break;
      if (!taken.has(folder)) firstPages.set(folder, href);
    }
  }
  return [...firstPages]
    .filter((pair) => !pair.some((path) => SPECIAL.test(path)))
    .map(([source, destination]) => ({ source, destination, permanent: false, ofFolder: true }));
}
