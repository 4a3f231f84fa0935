import type { MenuLink } from '../../../core/navigation/navigation.ts';
import type { SiteUse } from './site-use.ts';

const MAX_PAGES = 5;
const MAX_WORDS = 8;
const MAX_PATH_LENGTH = 300;

/**
 * Pages that a reader may have meant who came to an address without one: what the search of the site finds for the words of
 * the path, the last part of it first.
 * @param path decoded path inside the site
 */
export async function relatedPages(use: SiteUse, path: string): Promise<MenuLink[]> {
  const query = wordsOf(path);
  if (query === '') return [];
  // A suggestion, no more: without an index that can be read, the address leads nowhere all the same.
  const index = await use.site.searchIndex().catch(() => undefined);
  if (!index) return [];
  const language = use.renderer.menuFor('').language;
  const found = new Map<string, string>();
  for (const { document } of index.search(query, { limit: MAX_PAGES * 6, completeLastWord: false, defaults: { language } })) {
    if (!found.has(document.href)) found.set(document.href, document.pageTitle);
    if (found.size === MAX_PAGES) break;
  }
  return [...found].map(([href, label]) => ({ href, label }));
}

/** `/guides/old-install.html` → `old install guides`; nothing for files such as pictures, which nobody reads a page about. */
function wordsOf(path: string): string {
  if (path.length > MAX_PATH_LENGTH || /\.(?!html?$|mdx?$)[a-z0-9]{1,5}$/i.test(path)) return '';
  const parts = path
    .replace(/\.(?:html?|mdx?)$/i, '')
    .split('/')
    .reverse();
  const words = parts
    .flatMap((part) => part.split(/[^\p{L}\p{M}\p{N}]+/u))
    .filter((word) => word.length > 1 && !/^v?\d+$/.test(word));
  return words.slice(0, MAX_WORDS).join(' ');
}
