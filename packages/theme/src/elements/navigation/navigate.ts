import { announce, isPlainClick, make } from '../dom.ts';
import { mayFetch, pageData } from '../page-data.ts';
import { clearPageCache, type FetchedPage, fetchPage } from './page-cache.ts';
import { announcePage, enterPage, leavePage } from './page-lifecycle.ts';
import { copyRoot, copyShell, MAIN, patch, patchAttributes } from './patch-shell.ts';
import {
  adoptEntry,
  isKnownEntry,
  keepPlace,
  keptPlace,
  nextEntryState,
  startScrollMemory,
} from './scroll-memory.ts';
import { noteHead, noteScripts, runPageScripts, swapHead } from './swap-head.ts';
import { focusTarget } from './target.ts';

/**
 * The document element and body as the server wrote them for the current page, without the article.
 */
let shell: { root: Element; body: Element };
/**
 * URL of the current page; when the reader goes back, the browser's own is already the next one.
 */
let current: URL;
/** Counts visits, so that a response that arrives after another click is dropped. */
let visits = 0;

interface Visit {
  url: URL;
  /**
   * Whether the browser has already moved along its history, and with it the URL and the scroll
   * position.
   */
  isTraversal: boolean;
}

/**
 * Returns the page as a document that can replace the current one; undefined in any doubt: it is
 * from another build or not a page of the site, or was reached through a redirect that may have
 * named an anchor.
 */
function parsePage(fetched: FetchedPage, url: URL): Document | undefined {
  if (fetched.redirected && url.pathname !== siteRoot().pathname) return undefined;
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
  const root = copyRoot(page.documentElement);
  patchAttributes(document.documentElement, shell.root, root);
  patch(document.body, shell.body, page.body);
  shell = { root, body: copyShell(page.body) as Element };
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
  const head = swapHead(page.head, (visit?.url ?? current).href);
  await head.ready;
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
  current = new URL(location.href);
}

/** Reloads the current page in place; only used by authors (`docent dev`). */
async function refresh(markup: string): Promise<void> {
  const number = ++visits;
  clearPageCache();
  const page = new DOMParser().parseFromString(markup, 'text/html');
  if (page.querySelector(MAIN)) await show(page, number);
  else location.reload();
}

function onRefresh(event: Event): void {
  const { detail } = event as CustomEvent<unknown>;
  if (typeof detail !== 'string') return;
  event.preventDefault();
  void refresh(detail);
}

function loadInFull(visit: Visit): void {
  if (visit.isTraversal || location.href === visit.url.href) location.reload();
  else location.assign(visit.url);
}

async function go(visit: Visit): Promise<void> {
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

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || !isPlainClick(event)) return;
  const url = pageLink(event.target);
  if (url) {
    event.preventDefault();
    void go({ url, isTraversal: false });
    return;
  }
  const link = followedLink(event.target);
  if (
    link?.protocol !== location.protocol ||
    linkTarget(new URL(link.href), current, siteRoot()) !== 'place'
  )
    return;
  keepPlace();
  if (link.hash !== '' || link.href.endsWith('#')) return;
  // A link to the current page scrolls to its start.
  event.preventDefault();
  if (location.hash !== '') history.pushState(nextEntryState(), '', link.href);
  scrollTo({ top: 0 });
}

function onPopState(): void {
  // For a new entry, the browser has already scrolled; the position was stored on click.
  if (isKnownEntry()) keepPlace();
  adoptEntry();
  const url = new URL(location.href);
  if (url.pathname !== current.pathname || url.search !== current.search) {
    void go({ url, isTraversal: true });
    return;
  }
  // Between anchors of one page; restores the position if the browser must not.
  current = url;
  const kept = history.scrollRestoration === 'manual' ? keptPlace() : undefined;
  if (kept !== undefined) scrollTo({ top: kept, behavior: 'instant' });
}

/**
 * A click on a link to a page of the site fetches that page and swaps the differences, without
 * reloading the document. Disabled if a page has no origin and therefore cannot fetch. Without a
 * build to compare, pages load in full.
 */
export function startNavigation(): void {
  addEventListener('DOMContentLoaded', () => announcePage(true), { once: true });
  if (!mayFetch() || pageData().build === undefined) return;
  current = new URL(location.href);
  shell = { root: copyRoot(document.documentElement), body: copyShell(document.body) as Element };
  noteHead();
  noteScripts();
  startScrollMemory();
  startPrefetch();
  document.addEventListener('click', onClick);
  addEventListener('popstate', onPopState);
  document.addEventListener('docent:refresh', onRefresh);
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

const PREFETCH_DELAY_MS = 60;

interface Connection {
  saveData?: boolean;
}

/**
 * Prefetches a page when the pointer or the focus rests on a link to it, so that it is ready on
 * click.
 */
function startPrefetch(): void {
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (connection?.saveData) return;
  let timer = 0;
  const consider = (event: Event, delayMs: number): void => {
    clearTimeout(timer);
    const target = pageLink(event.target);
    if (target) timer = setTimeout(() => void fetchPage(target, 'low'), delayMs);
  };
  document.addEventListener('pointerover', (event) => consider(event, PREFETCH_DELAY_MS), {
    passive: true,
  });
  document.addEventListener('focusin', (event) => consider(event, PREFETCH_DELAY_MS));
  document.addEventListener('touchstart', (event) => consider(event, 0), { passive: true });
}

/** The URL of the site's root, which pages of a bundle write relative to themselves. */
function siteRoot(): URL {
  return new URL(pageData().root, current);
}

/** Returns the link of an event that the browser would follow in this window. */
function followedLink(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

/**
 * Returns the page of the site that the link targets; undefined for other targets and for the
 * current page.
 */
function pageLink(target: EventTarget | null): URL | undefined {
  const link = followedLink(target);
  if (!link) return undefined;
  // An invalid URL has no protocol here.
  if (link.protocol !== location.protocol) return undefined;
  const url = new URL(link.href);
  return linkTarget(url, new URL(location.href), siteRoot()) === 'page' ? url : undefined;
}

/**
 * The target of a link click: another page of the site, an anchor on this one, or something for the
 * browser.
 */
type LinkTarget = 'page' | 'place' | 'elsewhere';

/**
 * A file rather than a page: an extension that starts with a letter. `/v1.2` and `/guide.html` are
 * pages.
 */
const FILE = /\.(?!html?$)[a-z][a-z0-9]{0,9}$/i;

/**
 * Returns the target of an address on the current page.
 * @param root URL of the site's root, with a trailing slash: other sites of the same server are
 *   external
 */
export function linkTarget(target: URL, current: URL, root: URL): LinkTarget {
  if (target.origin !== current.origin) return 'elsewhere';
  if (target.pathname === current.pathname && target.search === current.search) return 'place';
  const isUnderRoot =
    target.pathname.startsWith(root.pathname) || `${target.pathname}/` === root.pathname;
  // Answers of the server to this reader, which change what the reader may see.
  if (/^(?:login|logout)\/?$/.test(target.pathname.slice(root.pathname.length))) return 'elsewhere';
  if (
    !isUnderRoot ||
    FILE.test(target.pathname) ||
    target.pathname.startsWith(`${root.pathname}_docent/`)
  )
    return 'elsewhere';
  return 'page';
}
