import { announce, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import type { Visit } from '../page-scripts.ts';
import { siteRoot } from './link-target.ts';
import { loadedPage } from './loaded-page.ts';
import { clearPageCache, type FetchedPage, fetchPage } from './page-cache.ts';
import { announcePage, enterPage, leavePage } from './page-lifecycle.ts';
import { patch, patchAttributes } from './patch-shell.ts';
import { keepPlace, keptPlace, nextEntryState } from './scroll-memory.ts';
import { copyRoot, copyShell, MAIN } from './shell-copy.ts';
import { runComponentScripts, runPageScripts, swapHead } from './swap-head.ts';
import { focusTarget } from './target.ts';

/** Counts visits, so that a response that arrives after another click is dropped. */
let visits = 0;

/**
 * Returns the page as a document that can replace the current one; undefined in any doubt: it is
 * from another build or not a page of the site, or was reached through a redirect that may have
 * named an anchor.
 */
function parsePage(fetched: FetchedPage, url: URL): Document | undefined {
  if (fetched.redirected && url.pathname !== siteRoot(loadedPage().url).pathname) return undefined;
  const page = new DOMParser().parseFromString(fetched.markup, 'text/html');
  const data = page.getElementById('docent-data')?.textContent;
  if (!data || !page.querySelector(MAIN)) return undefined;
  try {
    const { build } = JSON.parse(data) as { build?: unknown };
    return build !== undefined && build === pageData().build ? page : undefined;
  } catch {
    return undefined;
  }
}

function closeOverlays(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    menu.open = false;
  for (const layer of document.querySelectorAll<HTMLElement>(':popover-open')) layer.hidePopover();
}

/** Replaces the body of the current page by that of the next one. */
function swapBody(page: Document): void {
  const loaded = loadedPage();
  const root = copyRoot(page.documentElement);
  patchAttributes(document.documentElement, loaded.root, root);
  patch(document.body, loaded.body, page.body);
  loaded.root = root;
  loaded.body = copyShell(page.body) as Element;
}

/**
 * Moves scroll position and focus to the same place: the target of the URL, the previous position,
 * or the start.
 */
function place(visit: Visit): void {
  const content =
    document.getElementById('content-area') ?? document.querySelector<HTMLElement>(MAIN);
  content?.focus({ preventScroll: true });
  announce(document.title);
  const kept = visit.isTraversal ? keptPlace() : undefined;
  if (kept !== undefined) scrollTo({ top: kept, behavior: 'instant' });
  else if (visit.url.hash === '') scrollTo({ top: 0, behavior: 'instant' });
  else {
    // A real navigation to the fragment: the browser scrolls, sets `:target` and the starting point
    // of Tab.
    const { state } = history;
    location.replace(visit.url.hash);
    history.replaceState(state, '');
    focusTarget();
  }
}

/**
 * Replaces the current page by the next one.
 * @param visit absent: the same page in a newer version, which keeps its scroll position
 */
async function show(page: Document, number: number, visit?: Visit): Promise<void> {
  const address = (visit?.url ?? loadedPage().url).href;
  const head = swapHead(page.head, address);
  await Promise.all([head.ready, runComponentScripts(page, address)]);
  if (number !== visits) return head.cancel();
  if (visit) closeOverlays();
  leavePage();
  if (visit) move(visit);
  swapBody(page);
  head.finish();
  enterPage();
  if (visit) place(visit);
  await runPageScripts(page);
  if (number === visits) announcePage(false);
}

/** Moves the document to the URL of the next page. */
function move(visit: Visit): void {
  if (!visit.isTraversal) {
    keepPlace();
    history.scrollRestoration = 'manual';
    // Addresses in the next page are relative to its own URL, so the URL changes first.
    history.pushState(nextEntryState(), '', visit.url);
  }
  loadedPage().url = new URL(location.href);
}

/** Replaces the current page by a newer version. */
export async function refresh(markup: string): Promise<void> {
  const number = ++visits;
  clearPageCache();
  const page = new DOMParser().parseFromString(markup, 'text/html');
  if (page.querySelector(MAIN)) await show(page, number);
  else location.reload();
}

function loadInFull(visit: Visit): void {
  if (visit.isTraversal || location.href === visit.url.href) location.reload();
  else location.assign(visit.url);
}

/** Replaces the current page by that of the visit, or loads it in full. */
export async function go(visit: Visit): Promise<void> {
  const number = ++visits;
  const stopLine = startProgressLine();
  try {
    const fetched = await fetchPage(visit.url, 'high', visit.isTraversal);
    if (number !== visits) return;
    const page = fetched && parsePage(fetched, visit.url);
    if (!fetched || !page) return loadInFull(visit);
    const url = fetched.redirected ? new URL(fetched.address) : visit.url;
    await show(page, number, { ...visit, url });
  } catch (error) {
    reportError(error);
    loadInFull(visit);
  } finally {
    stopLine();
  }
}

const LINE_DELAY_MS = 150;

/**
 * Shows a thin line at the top if the next page takes longer than a moment. Returns a function that
 * removes it.
 */
function startProgressLine(): () => void {
  let line: HTMLElement | undefined;
  const timer = setTimeout(() => {
    line = make('div', 'd-progress');
    line.setAttribute('aria-hidden', 'true');
    document.body.append(line);
  }, LINE_DELAY_MS);
  return () => {
    clearTimeout(timer);
    line?.remove();
  };
}
