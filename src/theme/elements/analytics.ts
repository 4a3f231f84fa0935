import { pageData } from './page-data.ts';

/** What a search came to; `elements/search-dialog.ts` sends it as `docent:search` when the dialog closes. */
export interface SearchEventDetail {
  /** Of the page that the search was begun on. */
  path: string;
  query: string;
  results: number;
  /** Address of the result that was chosen. */
  chosen?: string;
}

/** Signals of a reader who wants no trace; browsers say either. */
function wantsNone(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Where a reader came from, without what an address of another site may say of them. */
function cameFrom(previous: string | undefined): string | undefined {
  if (previous !== undefined) return previous;
  const from = URL.parse(document.referrer);
  return from && from.origin !== location.origin && from.origin !== 'null' ? from.origin : undefined;
}

/**
 * Tells the address that the site names which pages are read and what is searched for, where the site names one. Each event is one
 * JSON object, sent as text so that no preflight is needed; nothing in it names the reader.
 */
export function startAnalytics(): void {
  const { analytics } = pageData();
  if (analytics === undefined || wantsNone()) return;
  const address = new URL(analytics, document.baseURI).href;
  let previous: string | undefined;
  const send = (type: 'page' | 'search', more: object): void => {
    const { href: path, version, language } = pageData();
    const event = { schemaVersion: 1, type, time: new Date().toISOString(), path, version, language, ...more };
    navigator.sendBeacon(address, JSON.stringify(event));
  };
  document.addEventListener('docent:page', () => {
    send('page', { title: document.title, from: cameFrom(previous) });
    previous = pageData().href;
  });
  document.addEventListener('docent:search', (event) => send('search', (event as CustomEvent<SearchEventDetail>).detail));
}
