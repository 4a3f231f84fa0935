import { loadShared } from '../dom.ts';
import { pageAddress, pageData } from '../page-data.ts';
import { onEachPage } from './page-lifecycle.ts';

/*
 * Of a long list of pages, a page has only the part around itself. The whole list is in a script
 * that all pages share; it completes the part as soon as the reader turns to the list, and then
 * stays, also on the next pages.
 */

declare global {
  var __docentMenus: Record<string, string> | undefined;
}

const LIST = '#navigation-items[data-menu]:not([data-whole])';
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
function complete(list: HTMLElement, text: string): void {
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
    (more.matches(':only-child') && more.closest('.d-nav-part > ul')
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
  const pages = links.filter((link) => !link.matches('.d-branch-link'));
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

async function load(): Promise<void> {
  const name = document.querySelector<HTMLElement>(LIST)?.dataset.menu;
  if (name === undefined) return;
  if (!globalThis.__docentMenus?.[name]) {
    await loadShared(new URL(`${pageData().root}_docent/${name}`, document.baseURI).href).catch(
      reportError,
    );
  }
  // The reader may have gone on meanwhile.
  const list = document.querySelector<HTMLElement>(LIST);
  const text = globalThis.__docentMenus?.[name];
  if (list?.dataset.menu === name && text !== undefined) complete(list, text);
}

/**
 * Loads the whole list when the reader points at the list, enters it by keyboard, opens a branch,
 * or searches in the page.
 */
export function startWholeMenu(): void {
  const consider = ({ target }: Event): void => {
    if (target instanceof Element && target.closest(LIST)) void load();
  };
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider);
  // Also of the drawer of small screens.
  document.addEventListener(
    'toggle',
    ({ target }) => (target as Element).matches('[data-cut], #mobile-nav') && void load(),
    true,
  );
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') void load();
  });
  onEachPage(() => {
    const list = document.querySelector<HTMLElement>('#navigation-items[data-whole]');
    if (list) markCurrent(list);
    return undefined;
  });
}
