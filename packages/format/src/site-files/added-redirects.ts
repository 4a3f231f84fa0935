import type { SiteConfig } from '../docs-json/site-config.ts';
import type { PageFacts } from '../navigation/page-facts.ts';

/**
 * Characters with a meaning in redirects: patterns in a source, the end of the path in a
 * destination.
 */
const SPECIAL = /[:*?#]/;

/** A page of the menu: its site path, and its place in the navigation. */
export interface MenuAddress extends Pick<PageFacts, 'version' | 'language'> {
  href: string;
  /** Whether it is in the default version and language. */
  isDefault: boolean;
}

/**
 * Returns redirects from addresses that authors and readers use although nothing is there:
 * - a page of the default version or language without that part of its path: `/install` redirects
 *   to `/v2/install`;
 * - a folder without its own page: `/sdk` redirects to its first page in the menu, `/sdk/install`,
 *   as the format does; pages of the default version and language come first.
 * @param menu the pages in the menu, in its order
 * @param taken site paths of pages and files
 */
export function addedRedirects(
  menu: readonly MenuAddress[],
  taken: ReadonlySet<string>,
): SiteConfig['redirects'] {
  const added = new Map<string, string>();
  const add = (source: string, destination: string) => {
    if (!taken.has(source) && !added.has(source)) added.set(source, destination);
  };
  const inOrder = menu.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  const pages = inOrder.flatMap((page) =>
    [page.href, ...shortAddresses(page)].map((address) => ({ address, href: page.href })),
  );
  for (const { address, href } of pages) if (address !== href) add(address, href);
  for (const { address, href } of pages) {
    const folders = address.split('/').slice(1, -1);
    for (let depth = folders.length; depth > 0; depth--)
      add(`/${folders.slice(0, depth).join('/')}`, href);
  }
  return [...added]
    .filter((pair) => !pair.some((path) => SPECIAL.test(path)))
    .map(([source, destination]) => ({ source, destination, permanent: false, isAdded: true }));
}

/** Returns the address of a default page without its version, its language, and both. */
function shortAddresses({ href, isDefault, version, language }: MenuAddress): string[] {
  if (!isDefault) return [];
  let addresses = [href];
  for (const name of [version, language])
    addresses = addresses.flatMap((address) => [address, ...without(address, name)]);
  return addresses.slice(1);
}

/** Returns the address without its first folder that has the name; nothing if there is none. */
function without(address: string, name = ''): string[] {
  const parts = address.split('/');
  const at = parts.slice(0, -1).findIndex((part) => isNamed(name, part));
  return at < 0 ? [] : [parts.toSpliced(at, 1).join('/')];
}

/**
 * Whether a folder has the name of a version or language, which may be longer: `v2` for `v2.1
 * (stable)`.
 */
function isNamed(name: string, folder: string): boolean {
  return (
    folder !== '' &&
    name.toLowerCase().startsWith(folder.toLowerCase()) &&
    !/\w/.test(name[folder.length] ?? '')
  );
}
