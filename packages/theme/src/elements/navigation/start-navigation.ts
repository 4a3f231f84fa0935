import { isPlainClick } from '../dom.ts';
import { mayFetch, pageData } from '../page-data.ts';
import { pageScript, type Visit } from '../page-scripts.ts';
import { followedLink, linkTarget, pageLink, siteRoot } from './link-target.ts';
import { loadedPage } from './loaded-page.ts';
import { announcePage } from './page-lifecycle.ts';
import {
  adoptEntry,
  isKnownEntry,
  keepPlace,
  keptPlace,
  nextEntryState,
  startScrollMemory,
} from './scroll-memory.ts';

/** Without the script that swaps pages, the browser loads the page. */
function go(visit: Visit): void {
  void pageScript('navigation').then(
    (navigation) => navigation.go(visit),
    () => (visit.isTraversal ? location.reload() : location.assign(visit.url)),
  );
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || !isPlainClick(event)) return;
  const current = loadedPage().url;
  const url = pageLink(event.target, current);
  if (url) {
    event.preventDefault();
    go({ url, isTraversal: false });
    return;
  }
  const link = followedLink(event.target);
  if (
    link?.protocol !== location.protocol ||
    linkTarget(new URL(link.href), current, siteRoot(current)) !== 'place'
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
  const page = loadedPage();
  if (url.pathname !== page.url.pathname || url.search !== page.url.search) {
    go({ url, isTraversal: true });
    return;
  }
  // Between anchors of one page; restores the position if the browser must not.
  page.url = url;
  const kept = history.scrollRestoration === 'manual' ? keptPlace() : undefined;
  if (kept !== undefined) scrollTo({ top: kept, behavior: 'instant' });
}

/** Reloads the current page in place; only used by authors (`docent dev`). */
function onRefresh(event: Event): void {
  const { detail } = event as CustomEvent<unknown>;
  if (typeof detail !== 'string') return;
  event.preventDefault();
  void pageScript('navigation').then((navigation) => navigation.refresh(detail));
}

/**
 * A click on a link to a page of the site fetches that page and swaps the differences, without
 * reloading the document. Disabled if a page has no origin and therefore cannot fetch. Without a
 * build to compare, pages load in full.
 */
export function startNavigation(): void {
  addEventListener('DOMContentLoaded', () => announcePage(true), { once: true });
  if (!mayFetch() || pageData().build === undefined) return;
  loadedPage();
  startScrollMemory();
  startPrefetch();
  document.addEventListener('click', onClick);
  addEventListener('popstate', onPopState);
  document.addEventListener('docent:refresh', onRefresh);
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
    const target = pageLink(event.target, loadedPage().url);
    if (!target) return;
    const loading = pageScript('navigation').catch(reportError);
    timer = setTimeout(
      () => void loading.then((navigation) => navigation?.prefetch(target)),
      delayMs,
    );
  };
  document.addEventListener('pointerover', (event) => consider(event, PREFETCH_DELAY_MS), {
    passive: true,
  });
  document.addEventListener('focusin', (event) => consider(event, PREFETCH_DELAY_MS));
  document.addEventListener('touchstart', (event) => consider(event, 0), { passive: true });
}
