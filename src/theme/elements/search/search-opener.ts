import { pageData } from '../page-data.ts';

/** What `search.js` leaves behind when it has run. */
export interface SearchDialog {
  /** Shows the dialog; `typed` is what the reader wrote while it was still being fetched. */
  open(typed: string): void;
}

declare global {
  var __docentSearch: SearchDialog | undefined;
}

/** Loads a script by its tag: that works from the disk too, where `fetch` does not. */
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

/** Keeps what is typed from now on, so that the first letters of a fast reader are not lost. Returns how to stop and take them. */
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

async function openSearch(): Promise<void> {
  const ready = searchDialog();
  if (ready) return ready.open('');
  if (loading) return;
  const takeTyped = keepTyping();
  try {
    loading = loadScript(pageData().search.script);
    await loading;
    searchDialog()?.open(takeTyped());
  } catch {
    takeTyped();
  } finally {
    loading = undefined;
  }
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
