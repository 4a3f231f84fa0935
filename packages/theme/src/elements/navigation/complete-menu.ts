import { pageAddress, pageData } from '../page-data.ts';
import { onEachPage } from './page-lifecycle.ts';

/** As in `parts/sidebar.ts`. */
const ROOT_MARK = '\u007f';
const MORE = '[data-more]';

type Link = HTMLAnchorElement;

/** Writes the addresses in full, because the list stays when pages in other folders follow. */
function wholeList(text: string): DocumentFragment {
  const root = new URL(pageData().root || './', document.baseURI).href;
  const template = document.createElement('template');
  template.innerHTML = text.replaceAll(ROOT_MARK, () => root.replaceAll('&', '&amp;'));
  return template.content;
}

/** The title of a group, or the page. */
function titleOf(entry: Element): string | undefined {
  return (
    entry.querySelector<Link>(':scope > a')?.href ??
    entry.querySelector(':scope > details > summary')?.textContent
  );
}

/** Pages between groups have no title. */
function isSame(part: Element, whole: Element): boolean {
  const title = titleOf(part);
  if (title !== undefined) return title === titleOf(whole);
  const first = part.querySelector<Link>('a')?.href;
  return (
    titleOf(whole) === undefined &&
    [...whole.querySelectorAll<Link>('a')].some(({ href }) => href === first)
  );
}

/**
 * Adds the entries of the whole list that the part lacks. The others stay: one may have the focus,
 * or a finger on it.
 */
function addMissing(part: Element, whole: ParentNode): void {
  let next = part.firstElementChild;
  for (const entry of [...whole.children]) {
    if (!next || !isSame(next, entry)) {
      part.insertBefore(entry, next);
      continue;
    }
    const [list, wholeEntries] = [next, entry].map((item) =>
      item.querySelector(':scope > ul, :scope > details > ul'),
    );
    if (list && wholeEntries) addMissing(list, wholeEntries);
    else if (wholeEntries) next.querySelector('details')?.append(wholeEntries);
    next = next.nextElementSibling;
  }
}

/** Completes the list. What the reader looks at stays where it is. */
export function completeMenu(list: HTMLElement, text: string): void {
  const links = [...list.querySelectorAll<Link>('a')];
  const focused = links.find((link) => link === document.activeElement);
  const fixed =
    focused ??
    list.querySelector('a:hover, summary:hover') ??
    list.querySelector('[aria-current]') ??
    list;
  const { top } = fixed.getBoundingClientRect();
  for (const link of links) if (link.hasAttribute('href')) link.setAttribute('href', link.href);
  for (const more of list.querySelectorAll(MORE))
    (more.matches(':only-child') && more.closest('.d-nav > div > ul')
      ? more.parentElement?.parentElement
      : more
    )?.remove();
  addMissing(list, wholeList(text));
  for (const branch of list.querySelectorAll('[data-cut]')) branch.removeAttribute('data-cut');
  list.dataset.whole = '';
  const now = fixed.isConnected
    ? fixed
    : [...list.querySelectorAll<Link>('a')].find(({ href }) => href === (fixed as Link).href);
  if (focused && now !== focused) (now as Link | undefined)?.focus({ preventScroll: true });
  const panel = list.closest('#sidebar-content');
  if (now && panel) panel.scrollTop += now.getBoundingClientRect().top - top;
}

/** Marks the current page as the server does, and opens the branches around it. */
function markCurrent(list: HTMLElement): void {
  for (const link of list.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current');
  for (const item of list.querySelectorAll('[data-active]')) item.removeAttribute('data-active');
  const data = pageData();
  const { href } = new URL(pageAddress(data, data.href), document.baseURI);
  const links = [...list.querySelectorAll<Link>('a:not([rel])')].filter(
    (link) => link.href === href,
  );
  const pages = links.filter((link) => !link.matches(':has(+ details)'));
  // The title of a group without a page of its own leads to its first page, which is then marked.
  for (const link of pages.length > 0 ? pages : links) {
    link.setAttribute('aria-current', 'page');
    if (pages.length > 0) link.parentElement?.setAttribute('data-active', 'true');
    else if (link.nextElementSibling instanceof HTMLDetailsElement)
      link.nextElementSibling.open = true;
    for (
      let branch = link.closest('details');
      branch;
      branch = branch.parentElement?.closest('details') ?? null
    )
      branch.open = true;
  }
}

/** Marks the current page in a whole list, which stays when other pages follow. */
export function startCurrentMark(): void {
  onEachPage(() => {
    const list = document.querySelector<HTMLElement>('#navigation-items[data-whole]');
    if (list) markCurrent(list);
    return undefined;
  });
}
