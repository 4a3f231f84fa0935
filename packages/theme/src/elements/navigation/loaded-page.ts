import { shared } from '../shared.ts';
import { copyRoot, copyShell } from './shell-copy.ts';

/** The document as the server wrote it for the current page, which the reader's choices change. */
interface LoadedPage {
  /** When the reader goes back, the browser's own is already that of the next page. */
  url: URL;
  /** The document element and body, without the article. */
  root: Element;
  body: Element;
  /** The head of the first page: its elements and their markup; and all scripts. */
  head: readonly (readonly [element: Element, markup: string])[];
  scripts: readonly HTMLScriptElement[];
}

/** Records the document when called first, which must be before anything changes it. */
export function loadedPage(): LoadedPage {
  return shared('page', () => ({
    url: new URL(location.href),
    root: copyRoot(document.documentElement),
    body: copyShell(document.body) as Element,
    head: Array.from(document.head.children, (element) => [element, element.outerHTML] as const),
    scripts: [...document.scripts],
  }));
}
