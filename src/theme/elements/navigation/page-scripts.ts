import { MAIN } from './patch-shell.ts';

const EXECUTABLE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;
/** A script that does not load must not delay the page event. */
const TIMEOUT_MS = 5000;

/** The scripts that have run in this document: absolute URLs, and the texts of inline scripts. */
const known = new Set<string>();

/** Returns whether the element is code, not data. */
export function isExecutable(script: HTMLScriptElement): boolean {
  return EXECUTABLE.test(script.getAttribute('type')?.trim() ?? '');
}

/** Returns the absolute URL or the text; URLs of a parsed document are relative to its future URL, which is `location`. */
function nameOf(script: HTMLScriptElement): string {
  const address = script.getAttribute('src');
  return address === null ? (script.textContent ?? '') : new URL(address, location.href).href;
}

/** Records the scripts of the initially loaded document. */
export function noteScripts(): void {
  for (const script of document.scripts) if (isExecutable(script)) known.add(nameOf(script));
}

/** A script from a parsed document never runs; a copy created here does. */
function runnable(script: HTMLScriptElement): HTMLScriptElement {
  const copy = document.createElement('script');
  for (const { name, value } of script.attributes) copy.setAttribute(name, value);
  copy.textContent = script.textContent;
  copy.async = false;
  return copy;
}

function loaded(script: HTMLScriptElement): Promise<void> {
  return new Promise((resolve) => {
    script.addEventListener('load', () => resolve(), { once: true });
    script.addEventListener('error', () => resolve(), { once: true });
    setTimeout(resolve, TIMEOUT_MS);
  });
}

/**
 * Runs the scripts of the next page: those that this document has not run yet, and the inline scripts of its article.
 * @param page the parsed page; its article is already in the document
 * @returns when the external scripts have run
 */
export async function runPageScripts(page: Document): Promise<void> {
  const waiting: Promise<void>[] = [];
  for (const script of page.querySelectorAll('script')) {
    if (!isExecutable(script)) continue;
    const name = nameOf(script);
    const isOwn = !script.hasAttribute('src') && script.closest(MAIN) !== null;
    if (known.has(name) && !isOwn) continue;
    known.add(name);
    const copy = runnable(script);
    if (script.hasAttribute('src')) waiting.push(loaded(copy));
    document.head.append(copy);
    if (isOwn) copy.remove();
  }
  await Promise.all(waiting);
}
