import type { MenuLink } from '../../core/navigation/navigation.ts';
import type { SiteUse } from './site-use.ts';

const MAX_PAGES = 5;
const MAX_WORDS = 8;
const MAX_PATH_LENGTH = 300;

/**
 * Suggests pages for an unknown address: what the site's search finds for the words of the path, its last part first.
 * @param path decoded path inside the site
 */
export async function relatedPages(use: SiteUse, path: string): Promise<MenuLink[]> {
  const query = wordsOf(path);
  if (query === '') return [];
  // Only a suggestion: without a readable index, the address is still not found.
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

/** Converts `/guides/old-install.html` to `old install guides`; nothing for files such as images, which no page is about. */
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
