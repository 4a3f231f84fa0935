import { pageData } from './page-data.ts';

/** What `search.js` leaves behind when it has run. */
export interface SearchDialog {
  open(): void;
}

declare global {
  var __docentSearch: SearchDialog | undefined;
}

/** Loads a script by its tag: that works from the disk too, where `fetch` does not. */
export function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`The script ${address} could not be loaded.`));
    document.head.append(script);
  });
}

let loading: Promise<void> | undefined;

async function openSearch(): Promise<void> {
  loading ??= loadScript(pageData().search.script);
  try {
    await loading;
  } catch {
    loading = undefined;
    return;
  }
  globalThis.__docentSearch?.open();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** The dialog is fetched when it is first wanted: by its button, by ⌘K or Ctrl K, or by `/`. */
export function startSearchOpener(): void {
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-search-open]')) void openSearch();
  });
  document.addEventListener('keydown', (event) => {
    const combined = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    const slash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target);
    if (!combined && !slash) return;
    event.preventDefault();
    void openSearch();
  });
}
