import type { SearchDocument } from '@docent/search/search-index.ts';
import { make } from '../dom.ts';
import { decodedPart, pageAddress, pageData, siteRoot } from '../page-data.ts';
import { readStoredJson, writeStored } from '../storage.ts';
import { option } from './search-results.ts';
import { searchTexts } from './search-texts.ts';

const MAX_SUGGESTED = 5;

/** Options with a common title. */
interface OptionGroup {
  title: string;
  options: HTMLElement[];
  /** The reader can clear them. */
  isKept: boolean;
}

function namedOption(id: string, text: string, href?: string): HTMLElement {
  return option(id, href, make('span', 'd-search-heading', make('span', '', text)));
}

/** Adds the place of each page whose title another option has too. */
function tellApart(options: readonly HTMLElement[]): void {
  const titles = options.map((element) => element.textContent);
  for (const [at, one] of options.entries()) {
    const isAmbiguous =
      titles.indexOf(titles[at] as string) !== titles.lastIndexOf(titles[at] as string);
    const place =
      isAmbiguous && one instanceof HTMLAnchorElement ? folders(sitePath(one)).join(' / ') : '';
    if (place !== '') one.firstElementChild?.append(make('span', 'd-search-trail', place));
  }
}

/** The path of a link in the site, with a leading slash. */
function sitePath({ href }: HTMLAnchorElement): string {
  const root = siteRoot();
  return href.startsWith(root) ? `/${href.slice(root.length)}` : '';
}

/**
 * Returns the first page of each menu group; further pages if these are few. Excludes the current
 * page.
 */
function topPages(): HTMLAnchorElement[] {
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>('#navigation-items a[href]:not([target])'),
  ];
  const groups = new Set<Element | null>();
  const firsts = links.filter((link) => {
    const group = link.closest('.d-nav > div');
    return !groups.has(group) && groups.add(group);
  });
  const topLinks = new Set(
    [...firsts, ...links].filter((link) => link.getAttribute('aria-current') === null),
  );
  return [...topLinks].slice(0, MAX_SUGGESTED);
}

/**
 * Returns the dialog's content before anything is typed: the reader's last searches and pages, and
 * pages of the menu.
 */
export function emptyOptions(): OptionGroup[] {
  const data = pageData();
  const { recent, visited, suggestions } = searchTexts();
  const searches = recentSearches.read().map((query, i) => {
    const searchOption = namedOption(`docent-recent-${i}`, query);
    searchOption.dataset.query = query;
    return searchOption;
  });
  const pages = recentPages
    .read()
    .filter(({ href }) => href !== data.href)
    .map(({ title, href }, i) =>
      namedOption(`docent-visited-${i}`, title, pageAddress(data, href)),
    );
  const visitedHrefs = new Set(pages.map((page) => page.getAttribute('href')));
  const suggested = topPages()
    .filter((link) => !visitedHrefs.has(link.getAttribute('href')))
    .map((link, i) =>
      namedOption(
        `docent-suggested-${i}`,
        link.textContent.trim(),
        link.getAttribute('href') as string,
      ),
    );
  tellApart([...pages, ...suggested]);
  return [
    { title: recent, options: searches, isKept: true },
    { title: visited, options: pages, isKept: true },
    { title: suggestions, options: suggested, isKept: false },
  ].filter(({ options }) => options.length > 0);
}

/** The last row: passes the typed text to the assistant. Undefined if the site has none. */
export function askOption(query: string): HTMLElement | undefined {
  if (!pageData().assistant || query === '') return undefined;
  const row = namedOption(
    'docent-search-ask',
    searchTexts().ask.replace('{query}', () => query),
  );
  row.classList.add('d-search-ask');
  const icon = document.querySelector('#assistant-entry .d-i')?.cloneNode(true);
  if (icon) row.firstElementChild?.prepend(icon);
  row.dataset.ask = query;
  return row;
}

const MOST = 5;

/** A page that the reader opened from the search. */
interface RecentPage {
  title: string;
  /** Site path, with an anchor if there is one. */
  href: string;
}

/** What the reader used most recently, newest first; kept in their browser only. */
function recentList<Item>(
  key: () => string,
  isItem: (value: unknown) => value is Item,
  idOf: (item: Item) => string,
) {
  const read = (): Item[] => {
    const kept = readStoredJson('local', key());
    return Array.isArray(kept) ? kept.filter(isItem).slice(0, MOST) : [];
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

/**
 * Pages opened from the search. Other sites may share the origin, and other languages have other
 * pages.
 */
export const recentPages = recentList<RecentPage>(
  () =>
    `docent-recent-pages ${new URL(pageData().root, document.baseURI).pathname} ${document.documentElement.lang}`,
  isPage,
  ({ href }) => href,
);

function isPage(value: unknown): value is RecentPage {
  const { title, href } = (value ?? {}) as Partial<RecentPage>;
  return (
    typeof title === 'string' &&
    typeof href === 'string' &&
    href.startsWith('/') &&
    !href.startsWith('//')
  );
}

/**
 * Returns a page's place in the site for readers: its place in the navigation, otherwise the
 * folders of its path.
 */
export function pageTrail({ trail, href }: Pick<SearchDocument, 'trail' | 'href'>): string {
  return trail === undefined ? folders(href).join(' / ') : trail.join(' › ');
}

/** `/api-reference/2026-04/get` → `api reference`, `2026-04`. */
export function folders(href: string): string[] {
  const segments = href.split('/').slice(1, -1);
  return segments.map((segment) => decodedPart(segment).replace(/(?<=\p{L})[-_]+(?=\p{L})/gu, ' '));
}
