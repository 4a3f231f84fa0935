import { loadShared } from './dom.ts';
import { pageData } from './page-data.ts';

/** A page that the reader goes to. */
export interface Visit {
  url: URL;
  /**
   * Whether the browser has already moved along its history, and with it the URL and the scroll
   * position.
   */
  isTraversal: boolean;
}

/** What the scripts offer that `site.js` loads on demand. */
interface PageScripts {
  /** When the reader turns to a link or to the list of pages. */
  navigation: {
    go(visit: Visit): Promise<void>;
    prefetch(url: URL): void;
    /** Replaces the current page by a newer version. */
    refresh(markup: string): Promise<void>;
    /** Completes the list of pages. */
    completeMenu(list: HTMLElement, text: string): void;
    /** Converts an article to Markdown. */
    articleMarkdown(article: Element): string;
  };
  /** What only some sites have, or some readers use. */
  later: {
    startIntegrations(): void;
    startSelectionAsk(): void;
    sendFeedback(form: HTMLFormElement, isWhole: boolean): Promise<void>;
  };
}

declare global {
  var __docentScripts: Partial<PageScripts> | undefined;
}

/** Registers a script that has been loaded. */
export function offerScript<Name extends keyof PageScripts>(
  name: Name,
  script: PageScripts[Name],
): void {
  globalThis.__docentScripts = { ...globalThis.__docentScripts, [name]: script };
}

/** Loads a script of the theme, once. Fails if it cannot be loaded; the next call retries. */
export async function pageScript<Name extends keyof PageScripts>(
  name: Name,
): Promise<PageScripts[Name]> {
  const loaded = (): PageScripts[Name] | undefined => globalThis.__docentScripts?.[name];
  const script = loaded();
  if (script) return script;
  await loadShared(new URL(pageData().scripts[name], document.baseURI).href);
  return loaded() ?? Promise.reject(new Error(`The script ${name}.js did not start.`));
}
