import type { MenuLink } from '@docent/format/navigation/navigation.ts';
import { nearestNames } from '@docent/format/nearest-name.ts';
import type { SiteUse } from './site-use.ts';

const MAX_PAGES = 5;
const MAX_WORDS = 8;
const MAX_PATH_LENGTH = 300;

/**
 * Suggests pages for an unknown address: those whose last part is nearly the path's, then what the
 * site's search finds for the words of the path, its last part first.
 * @param path decoded path inside the site
 */
export async function relatedPages(use: SiteUse, path: string): Promise<MenuLink[]> {
  const query = wordsOf(path);
  if (query === '') return [];
  const links = new Map([...misspelledPages(use, path), ...(await searchedPages(use, query))]);
  return [...links].slice(0, MAX_PAGES).map(([href, label]) => ({ href, label }));
}

/** `/guides/old-install.html` → `old-install`. */
function lastPart(path: string): string {
  return (
    withoutEnding(path)
      .split('/')
      .findLast((part) => part !== '') ?? ''
  );
}

const withoutEnding = (path: string): string => path.replace(/\.(?:html?|mdx?)$/i, '');

/**
 * Returns the titles of pages whose address has a similar last part, by address: the nearest first,
 * and those of the same folder before others.
 */
function misspelledPages(use: SiteUse, path: string): [href: string, title: string][] {
  const last = lastPart(path);
  const folder = path.slice(0, path.lastIndexOf(last));
  const pages = [...use.pagesByHref.values()].filter((page) => page.noindex !== true);
  const near = nearestNames(last, new Set(pages.map(({ href }) => lastPart(href))));
  return near.flatMap((name) => {
    const sameName = pages.filter(({ href }) => lastPart(href) === name);
    const inFolder = sameName.filter(({ href }) => href.startsWith(folder));
    return [...new Set([...inFolder, ...sameName])].map(({ href, title }): [string, string] => [
      href,
      title,
    ]);
  });
}

async function searchedPages(use: SiteUse, query: string): Promise<Map<string, string>> {
  // Only a suggestion: without a readable index, the address is still not found.
  const index = await use.site.searchIndex().catch(() => undefined);
  if (!index) return new Map();
  const language = use.renderer.menuFor('').language;
  const titlesByHref = new Map<string, string>();
  for (const { document } of index.search(query, {
    limit: MAX_PAGES * 6,
    completeLastWord: false,
    defaults: { language },
  })) {
    if (!titlesByHref.has(document.href)) titlesByHref.set(document.href, document.pageTitle);
    if (titlesByHref.size === MAX_PAGES) break;
  }
  return titlesByHref;
}

/**
 * Converts `/guides/old-install.html` to `old install guides`; nothing for files such as images,
 * which no page is about.
 */
function wordsOf(path: string): string {
  if (path.length > MAX_PATH_LENGTH || /\.(?!html?$|mdx?$)[a-z0-9]{1,5}$/i.test(path)) return '';
  const parts = withoutEnding(path).split('/').reverse();
  const words = parts
    .flatMap((part) => part.split(/[^\p{L}\p{M}\p{N}]+/u))
    .filter((word) => word.length > 1 && !/^v?\d+$/.test(word));
  return words.slice(0, MAX_WORDS).join(' ');
}
