import { type DevMessage, ProblemView } from './problem-view.ts';

/*
 * Loaded only by `docent dev`. Receives changes from the server and refreshes the page; shows
 * problems over it. Texts are for the author of the site, not for its readers, so they are in
 * English.
 */

const EVENTS = '/_docent/dev/events';

const ownScript = document.currentScript;
const view = new ProblemView();
/**
 * Identifies the current document, so that the server knows whether there is a newer one after a
 * reconnect.
 */
let version = ownScript instanceof HTMLScriptElement ? (ownScript.dataset.docentDev ?? '') : '';
let events: EventSource | undefined;
let isFetching = false;
let isStale = false;

/** Refreshes the page with the site's own navigation, or with a full load if that fails. */
async function refresh(): Promise<void> {
  isStale = true;
  // Changes during a request are combined in the next one.
  if (isFetching) return;
  isFetching = true;
  try {
    while (isStale) {
      isStale = false;
      const response = await fetch(location.href, {
        headers: { accept: 'text/html' },
        cache: 'no-store',
      });
      const detail = await response.text();
      const isShown = !document.dispatchEvent(
        new CustomEvent('docent:refresh', { detail, cancelable: true }),
      );
      if (!isShown || !response.ok) location.reload();
    }
  } catch {
    // The server is unreachable; after a reconnect, it reports the changes.
  } finally {
    isFetching = false;
  }
}

function onMessage({ data }: MessageEvent<string>): void {
  const message = JSON.parse(data) as DevMessage;
  if (message.type === 'problems') view.show(message);
  else if (message.type === 'reload') location.reload();
  else {
    version = message.version;
    void refresh();
  }
}

function listen(): void {
  events?.close();
  events = undefined;
  // Browsers limit the connections per server; background tabs must not occupy them.
  if (document.hidden) return;
  const query = new URLSearchParams({ page: location.pathname, version });
  events = new EventSource(`${EVENTS}?${query}`);
  events.addEventListener('message', onMessage);
  events.addEventListener('open', () => view.setConnected(true));
  events.addEventListener('error', () => view.setConnected(false));
}

document.addEventListener('visibilitychange', listen);
let path = location.pathname;
document.addEventListener('docent:page', () => {
  if (location.pathname === path) return;
  path = location.pathname;
  version = '';
  listen();
});
addEventListener('pagehide', () => events?.close());
addEventListener('pageshow', ({ persisted }) => persisted && listen());
listen();
