import { pageAddress, pageData } from '../page-data.ts';
import { recentPages, recentSearches } from './recent.ts';
import { element } from './search-results.ts';

const MAX_SUGGESTED = 5;

/** Options with a common title. */
export interface OptionGroup {
  title: string;
  options: HTMLElement[];
  /** The reader can clear them. */
  isKept: boolean;
}

function option(id: string, text: string, href?: string): HTMLElement {
  const made = element(
    href === undefined ? 'div' : 'a',
    'd-search-hit',
    element('span', 'd-search-heading', element('span', '', text)),
  );
  made.id = id;
  made.setAttribute('role', 'option');
  made.setAttribute('aria-selected', 'false');
  if (href !== undefined) {
    made.setAttribute('href', href);
    made.tabIndex = -1;
  }
  return made;
}

/** Returns the first page of each menu group; further pages if these are few. Excludes the current page. */
function topPages(): HTMLAnchorElement[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#navigation-items a[href]:not([target])')];
  const groups = new Set<Element | null>();
  const firsts = links.filter((link) => {
    const group = link.closest('.d-nav-group');
    return !groups.has(group) && groups.add(group);
  });
  const wanted = new Set([...firsts, ...links].filter((link) => link.getAttribute('aria-current') === null));
  return [...wanted].slice(0, MAX_SUGGESTED);
}

/** Returns the dialog's content before anything is typed: the reader's last searches and pages, and pages of the menu. */
export function emptyOptions(): OptionGroup[] {
  const data = pageData();
  const { searchRecent, searchVisited, searchSuggestions } = data.messages;
  const searches = recentSearches.read().map((query, i) => {
    const made = option(`docent-recent-${i}`, query);
    made.dataset.query = query;
    return made;
  });
  const pages = recentPages
    .read()
    .filter(({ href }) => href !== data.href)
    .map(({ title, href }, i) => option(`docent-visited-${i}`, title, pageAddress(data, href)));
  const known = new Set(pages.map((page) => page.getAttribute('href')));
  const suggested = topPages()
    .filter((link) => !known.has(link.getAttribute('href')))
    .map((link, i) => option(`docent-suggested-${i}`, link.textContent.trim(), link.getAttribute('href') as string));
  return [
    { title: searchRecent, options: searches, isKept: true },
    { title: searchVisited, options: pages, isKept: true },
    { title: searchSuggestions, options: suggested, isKept: false },
  ].filter(({ options }) => options.length > 0);
}

/** The last row: passes the typed text to the assistant. Undefined if the site has none. */
export function askOption(query: string): HTMLElement | undefined {
  const { assistant, messages } = pageData();
  if (!assistant || query === '') return undefined;
  const made = option(
    'docent-search-ask',
    messages.searchAsk.replace('{query}', () => query),
  );
  made.classList.add('d-search-ask');
  const icon = document.querySelector('#assistant-entry svg')?.cloneNode(true);
  if (icon) made.firstElementChild?.prepend(icon);
  made.dataset.ask = query;
  return made;
}
