import { pageData } from './page-data.ts';

/** The outcome of a search; `elements/search/search.ts` dispatches it as `docent:search`. */
export interface SearchEventDetail {
  /** Path of the page where the search started. */
  path: string;
  query: string;
  results: number;
  /** URL of the chosen result. */
  chosen?: string;
  /** Its site path, and its position among the results. */
  href?: string;
  position?: number;
}

const VIEW_MS = 1000;
const SEND_MS = 5000;
const MAX_EVENTS = 20;
/** Maximum lengths of URLs and texts, which keep a batch below 8 KB. */
const MAX_BYTES = 7000;

/** The actions of clicks; the first match counts. */
const CLICKS: readonly (readonly [selector: string, name: string])[] = [
  ['[data-copy-page], [data-menu="actions"] a, [data-menu="actions"] button', 'page-menu'],
  ['.d-copy', 'copy-code'],
  ['[role="tab"]', 'tab'],
  ['[data-assistant-open]', 'assistant'],
  ['[data-kind="language"] a', 'language'],
  ['[data-kind="version"] a', 'version'],
];

/** Returns whether the browser sends one of the opt-out signals. */
export function optsOut(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Returns the referrer's host only, because a full URL of another site may identify the reader. */
const referrerHost = () => URL.parse(document.referrer)?.hostname || undefined;

/**
 * Sends page views and searches to the site's analytics URL if there is one, in small batches. They
 * do not identify the reader. Definitions: `docs/guides/analytics.mdx`; the format:
 * `format/analytics/reader-events.ts`.
 */
export function startAnalytics(): void {
  const { analytics } = pageData();
  // `&uncounted` ends links from the dashboard: it keeps owners out of the figures that they check, until they load another page.
  if (analytics === undefined || location.hash.endsWith('&uncounted') || optsOut()) return;
  const address = new URL(analytics, document.baseURI).href;
  let queue: object[] = [];
  let timer = 0;
  let path = '';
  /** Ends the current page: its time is sent once. */
  let leave = (): void => {};
  let touch = (): void => {};

  const now = () => Math.round(performance.now());
  const flush = (): void => {
    clearTimeout(timer);
    timer = 0;
    while (queue.length > 0) {
      let count = MAX_EVENTS;
      let body: string;
      do body = JSON.stringify({ v: 1, now: now(), events: queue.slice(0, count) });
      while (body.length > MAX_BYTES && --count > 0);
      queue = queue.slice(Math.max(count, 1));
      try {
        navigator.sendBeacon(address, body);
      } catch {
        // Blocked by an extension; the page works without it.
      }
    }
  };
  const send = (t: string, more: object, at = path): void => {
    queue.push({ t, at: now(), path: at, ...more });
    if (queue.length >= MAX_EVENTS) flush();
    else timer ||= setTimeout(flush, SEND_MS);
  };

  /** A page counts once it was visible for a second, or the reader interacts with it. */
  const show = (view: object): void => {
    let shownMs = 0;
    let since = document.hidden ? 0 : performance.now();
    let waiting = 0;
    let isView = false;
    let isSent = false;
    const count = (): void => {
      clearTimeout(waiting);
      if (!isView) send('page', view);
      isView = true;
    };
    const watch = (): void => {
      clearTimeout(waiting);
      if (document.hidden) leave();
      else {
        since = performance.now();
        if (!isView) waiting = setTimeout(count, VIEW_MS - shownMs);
      }
    };
    leave = () => {
      clearTimeout(waiting);
      if (since) shownMs += performance.now() - since;
      since = 0;
      if (isView && !isSent) send('time', { ms: Math.round(shownMs) });
      isSent = isView;
    };
    touch = count;
    document.onvisibilitychange = () => {
      watch();
      if (document.hidden) flush();
    };
    watch();
  };

  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const enter = (first: boolean): void => {
    leave();
    const from = first ? referrerHost() : location.hostname;
    if (document.querySelector('.not-found-container')) {
      path = decodeURI(location.pathname);
      leave = touch = () => {};
      send('missing', { from });
      return;
    }
    path = pageData().href;
    const query = new URLSearchParams(location.search);
    const campaign = ['utm_source', 'utm_medium', 'utm_campaign', 'ref'].map((name) =>
      (query.get(name) ?? '').slice(0, 100),
    );
    show({
      from,
      ...(campaign.some(Boolean) && { campaign }),
      ...(first && entry?.type === 'reload' && { reload: true }),
    });
  };
  document.addEventListener('docent:page', (event) =>
    enter((event as CustomEvent<{ first: boolean }>).detail.first),
  );
  // The page has been announced if this starts late, because the server had to be asked whether it
  // takes events.
  if (entry?.domContentLoadedEventStart) enter(true);
  document.addEventListener('docent:search', (event) => {
    const {
      path: at,
      query,
      results,
      href,
      position,
    } = (event as CustomEvent<SearchEventDetail>).detail;
    send('search', { query: query.slice(0, 400), results, opened: href, position }, at);
  });
  document.addEventListener('docent:action', (event) => {
    const { name, detail } = (event as CustomEvent<{ name: string; detail?: string }>).detail;
    send('action', { name, detail: detail?.slice(0, 100) });
  });
  addEventListener('keydown', () => touch(), true);
  addEventListener('pointerdown', () => touch(), true);
  addEventListener(
    'click',
    ({ target }) => {
      const element = target as Element;
      const link = element.closest('a');
      if (link && /^https?:$/.test(link.protocol) && link.host !== location.host)
        send('outbound', { to: link.href.slice(0, 500) });
      for (const [selector, name] of CLICKS) {
        const control = element.closest(selector);
        if (!control) continue;
        send('action', { name, detail: (control as HTMLElement).innerText.trim().slice(0, 100) });
        return;
      }
    },
    { capture: true },
  );
  addEventListener('pagehide', () => {
    leave();
    flush();
  });
}
