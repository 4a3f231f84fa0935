import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { joinPath, splitAddress } from '@docent/format/links.ts';
import type { SourceTree } from '../../source/source-tree.ts';
import { PAGE_FILE } from '../page-paths.ts';
import { hrefOf } from '../page-plans.ts';

export type Redirect = Pick<SiteConfig['redirects'][number], 'source' | 'destination'>;

/** Characters with a meaning in redirects. */
const SPECIAL = /[:*?#]/;

/** `guide/README.md` → `/guide` */
export function plainAddress(path: string): string {
  const page = path.replace(/\.(?:mdx?|html)$/i, '').replace(/(?<![^/])(?:index|readme)$/i, '');
  return `/${joinPath('', page)}`;
}

/** What a redirect of another platform leads to: a file of its pages, an address or a URL. */
export function targetIn(folder: string, target: string, source: SourceTree): string {
  if (/^https?:/.test(target)) return target;
  const { path } = splitAddress(target);
  const file = joinPath(folder, path);
  return source.has(file) ? file : plainAddress(path);
}

/** The files of pages in a folder, with their paths there. */
export function pagesIn(source: SourceTree, folder: string): { file: string; path: string }[] {
  const start = folder === '' ? '' : `${folder}/`;
  return source
    .paths()
    .filter((file) => file.startsWith(start) && PAGE_FILE.test(file))
    .map((file) => ({ file, path: file.slice(start.length) }));
}

/**
 * Returns the redirects from former addresses to pages. A folder that moved as a whole has one rule.
 * No redirect hides a page.
 * @param addresses each with its page file, or with another address
 */
export function redirectsFrom(
  addresses: Iterable<readonly [address: string, target: string]>,
  source: SourceTree,
): Redirect[] {
  const files = source.paths();
  const pages = files.filter((file) => PAGE_FILE.test(file));
  const taken = new Set([
    '/',
    ...files.map((file) => `/${file}`),
    ...pages.flatMap((file) => {
      const path = file.replace(PAGE_FILE, '');
      return [hrefOf(path), `/${path}`];
    }),
  ]);
  const folders = new Set(files.map((file) => file.split('/')[0]));
  const exact = new Map<string, string>();
  for (const [address, target] of addresses) {
    const isFile = source.has(target);
    const to = isFile ? hrefOf(target.replace(PAGE_FILE, '')) : target;
    // Rules with parameters are those of another platform, which writes them in the same way.
    const isWrong = isFile && SPECIAL.test(address + to);
    if (!taken.has(address) && !exact.has(address) && !isWrong) exact.set(address, to);
  }
  const moves = new Map<string, string>();
  for (const [from, to] of exact) {
    const top = from.split('/')[1] as string;
    if (from !== `/${top}` && to.endsWith(from) && !folders.has(top) && !moves.has(top))
      moves.set(top, to.slice(0, -from.length));
  }
  const single = [...exact].filter(
    ([from, to]) => to !== `${moves.get(from.split('/')[1] as string)}${from}`,
  );
  return [
    ...single.map(([from, destination]) => ({ source: from, destination })),
    ...[...moves].map(([top, folder]) => ({
      source: `/${top}/:path*`,
      destination: `${folder}/${top}/:path*`,
    })),
  ];
}
