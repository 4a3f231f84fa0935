import { type DevMessage, ProblemView } from './problem-view.ts';

/*
 * Loaded by `docent dev` alone. Hears of changes from the server and shows the page anew; shows what is wrong over it.
 * Texts are for the author of the site, not for its readers, so they are in English.
 */

const EVENTS = '/_docent/dev/events';

const own = document.currentScript;
const view = new ProblemView();
/** Names the document that is shown, so that the server knows whether there is a newer one when it is asked again. */
let version = own instanceof HTMLScriptElement ? (own.dataset.docentDev ?? '') : '';
let events: EventSource | undefined;
let isFetching = false;
let isStale = false;

/** The page as it is now, swapped in by the site's own navigation; loaded in full where that cannot. */
async function refresh(): Promise<void> {
  isStale = true;
  // Changes that come while one is fetched are in the next fetch together.
  if (isFetching) return;
  isFetching = true;
  try {
    while (isStale) {
      isStale = false;
      const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
      const detail = await response.text();
      const isShown = !document.dispatchEvent(new CustomEvent('docent:refresh', { detail, cancelable: true }));
      if (!isShown || !response.ok) location.reload();
    }
  } catch {
    // The server is not there; when it comes back, it says what has changed.
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
  // A browser has few connections for each server; tabs that nobody sees must not take them.
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
