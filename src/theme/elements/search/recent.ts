import type { SearchDocument } from '../../../core/search/search-index.ts';
import { pageData } from '../page-data.ts';
import { readStored, writeStored } from '../storage.ts';

const MOST = 5;

/** A page that the reader opened from the search. */
export interface RecentPage {
  title: string;
  /** Site path, with an anchor if there is one. */
  href: string;
}

/** What the reader used most recently, newest first; kept in their browser only. */
function recentList<Item>(key: () => string, isItem: (value: unknown) => value is Item, idOf: (item: Item) => string) {
  const read = (): Item[] => {
    try {
      const kept: unknown = JSON.parse(readStored('local', key()) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isItem).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    remember(item: Item): void {
      const others = read().filter((other) => idOf(other) !== idOf(item));
      writeStored('local', key(), JSON.stringify([item, ...others].slice(0, MOST)));
    },
    clear: (): void => writeStored('local', key(), null),
  };
}

/** Searches with an opened result. */
export const recentSearches = recentList(
  () => 'docent-recent-searches',
  (value) => typeof value === 'string',
  (query) => query,
);

/** Pages opened from the search. Other sites may share the origin, and other languages have other pages. */
export const recentPages = recentList<RecentPage>(
  () => `docent-recent-pages ${new URL(pageData().root, document.baseURI).pathname} ${document.documentElement.lang}`,
  isPage,
  ({ href }) => href,
);

function isPage(value: unknown): value is RecentPage {
  const { title, href } = (value ?? {}) as Partial<RecentPage>;
  return typeof title === 'string' && typeof href === 'string' && href.startsWith('/') && !href.startsWith('//');
}

/** Returns a page's place in the site for readers: its place in the navigation, otherwise the folders of its path. */
export function pageTrail({ trail, href }: Pick<SearchDocument, 'trail' | 'href'>): string {
  return trail === undefined ? folders(href).join(' / ') : trail.join(' › ');
}

/** `/api-reference/2026-04/get` → `api reference`, `2026-04`. */
export function folders(href: string): string[] {
  const segments = href.split('/').slice(1, -1);
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment).replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, ' ');
    } catch {
      return segment;
    }
  });
}
