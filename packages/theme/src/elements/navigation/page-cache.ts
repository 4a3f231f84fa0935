const MAX_PAGES = 24;
/** How long a prefetched page is fresh; going back may show an older one, as in browsers. */
const FRESH_MS = 60_000;
/**
 * The same of a page that is not for everybody: long enough from the pointer to the click. Later the
 * server is asked whether its reader may still read it; what has not changed is not sent again.
 */
const PRIVATE_FRESH_MS = 2000;

/** A page as returned by the server. */
export interface FetchedPage {
  /** The final URL of the response, without a fragment. */
  address: string;
  redirected: boolean;
  markup: string;
  /** Whether it is not for everybody. */
  isPrivate: boolean;
}

interface Kept {
  sinceMs: number;
  freshMs: number;
  page: Promise<FetchedPage | undefined>;
}

const kept = new Map<string, Kept>();

async function request(
  address: string,
  priority: RequestPriority,
): Promise<FetchedPage | undefined> {
  const response = await fetch(address, {
    headers: { accept: 'text/html' },
    credentials: 'same-origin',
    priority,
  });
  // The session of the reader has ended: nothing that it opened is shown again.
  if (isSignIn(response)) clearPageCache();
  const type = response.headers.get('content-type') ?? '';
  if (
    !response.ok ||
    !/^text\/html\b/i.test(type) ||
    new URL(response.url).origin !== location.origin
  )
    return undefined;
  return {
    address: response.url,
    redirected: response.redirected,
    markup: await response.text(),
    isPrivate: /\bprivate\b/.test(response.headers.get('cache-control') ?? ''),
  };
}

/** Returns whether the server asks for a sign-in instead of an answer. */
function isSignIn({ status, redirected, url }: Response): boolean {
  return status === 401 || (redirected && /\/login$/.test(new URL(url).pathname));
}

/**
 * Returns the page at a URL, from memory if it was fetched recently; undefined if the response is
 * not a page, or there was none.
 * @param anyAge whether an old copy is acceptable
 */
export function fetchPage(
  url: URL,
  priority: RequestPriority,
  anyAge = false,
): Promise<FetchedPage | undefined> {
  const key = url.origin + url.pathname + url.search;
  const cacheEntry = kept.get(key);
  if (cacheEntry && (anyAge || performance.now() - cacheEntry.sinceMs < cacheEntry.freshMs))
    return cacheEntry.page;
  const page = request(key, priority).catch(() => undefined);
  kept.delete(key);
  const entry: Kept = { sinceMs: performance.now(), freshMs: FRESH_MS, page };
  kept.set(key, entry);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_PAGES) break;
    kept.delete(oldest);
  }
  void page.then((fetched) => {
    if (fetched?.isPrivate) entry.freshMs = PRIVATE_FRESH_MS;
    if (!fetched && kept.get(key) === entry) kept.delete(key);
  });
  return page;
}

/** Clears the cache after the site has changed. */
export function clearPageCache(): void {
  kept.clear();
}
