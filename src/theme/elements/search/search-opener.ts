import { pageData } from '../page-data.ts';

/** The global API of `search.js`. */
export interface SearchDialog {
  /** Shows the dialog; `typed` is the reader's input while it was loading. */
  open(typed: string): void;
}

declare global {
  var __docentSearch: SearchDialog | undefined;
}

/** Loads a script by its tag, which also works from disk, unlike `fetch`. */
export function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => {
      script.remove();
      resolve();
    };
    script.onerror = () => reject(new Error(`The script ${address} could not be loaded.`));
    document.head.append(script);
  });
}

/**
 * Records keystrokes from now on, so that the first letters of a fast reader are not lost. Returns a function that stops and
 * returns them.
 */
function keepTyping(): () => string {
  let typed = '';
  const keep = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', keep, true);
  return () => {
    document.removeEventListener('keydown', keep, true);
    return typed;
  };
}

let loading: Promise<void> | undefined;

function searchDialog(): SearchDialog | undefined {
  return globalThis.__docentSearch;
}

async function openSearch(asked = ''): Promise<void> {
  const ready = searchDialog();
  if (ready) return ready.open(asked);
  if (loading) return;
  const takeTyped = keepTyping();
  try {
    loading = loadScript(pageData().search.script);
    await loading;
    searchDialog()?.open(asked + takeTyped());
  } catch {
    takeTyped();
  } finally {
    loading = undefined;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Loads the dialog on demand: by its button, by ⌘K or Ctrl K, by `/`, or by a link to `#search=words`, which `&…` may follow. */
export function startSearchOpener(): void {
  const linked = /^#search=([^&]+)/.exec(location.hash)?.[1];
  if (linked !== undefined) void openSearch(new URLSearchParams(`q=${linked}`).get('q') ?? '');
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
