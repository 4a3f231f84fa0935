const MAX_PAGES = 24;
/** A page that was fetched in advance is fresh this long; the way back may show an older one, as browsers do. */
const FRESH_MS = 60_000;

/** A page as the server gave it. */
export interface FetchedPage {
  /** Where the answer came from in the end, without a fragment. */
  address: string;
  redirected: boolean;
  markup: string;
}

interface Kept {
  sinceMs: number;
  page: Promise<FetchedPage | undefined>;
}

const kept = new Map<string, Kept>();

function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search;
}

async function request(address: string, priority: RequestPriority): Promise<FetchedPage | undefined> {
  const response = await fetch(address, { headers: { accept: 'text/html' }, credentials: 'same-origin', priority });
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !/^text\/html\b/i.test(type) || new URL(response.url).origin !== location.origin) return undefined;
  return { address: response.url, redirected: response.redirected, markup: await response.text() };
}

/**
 * The page at an address, from memory where it was fetched a moment ago; undefined where the answer is not a page, or
 * none came.
 * @param anyAge whether an old copy will do
 */
export function fetchPage(url: URL, priority: RequestPriority, anyAge = false): Promise<FetchedPage | undefined> {
  const key = keyOf(url);
  const known = kept.get(key);
  if (known && (anyAge || performance.now() - known.sinceMs < FRESH_MS)) return known.page;
  const page = request(key, priority).catch(() => undefined);
  kept.delete(key);
  kept.set(key, { sinceMs: performance.now(), page });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_PAGES) break;
    kept.delete(oldest);
  }
  void page.then((fetched) => {
    if (!fetched && kept.get(key)?.page === page) kept.delete(key);
  });
  return page;
}

/** After the site has changed, no page is what it was. */
export function forgetPages(): void {
  kept.clear();
}

/** Whether the page is there already, or on its way. */
export function isFetched(url: URL): boolean {
  const known = kept.get(keyOf(url));
  return known !== undefined && performance.now() - known.sinceMs < FRESH_MS;
}
