import { loadedPage } from './loaded-page.ts';
import { MAIN } from './shell-copy.ts';

const STYLE_TIMEOUT_MS = 3000;
const SCRIPT_TIMEOUT_MS = 5000;

/**
 * The head elements that the server wrote for the current page. Others were added by scripts and
 * stay.
 */
let written: Element[] = loadedPage().head.map(([element]) => element);
/**
 * Their absolute addresses: a relative address means another file once the document's URL has
 * changed.
 */
const names = new WeakMap<Element, string>();

for (const [element, markup] of loadedPage().head) {
  const base = loadedPage().url.href;
  names.set(element, nameOf(element, base, markup));
  // Browsers look up the icon again whenever the URL changes.
  if (element instanceof HTMLLinkElement && /icon/.test(element.rel)) pin(element, base);
}

/** Makes the address of a link absolute, so that it stays the same at every URL of the document. */
function pin(element: Element, base: string): void {
  const address = element instanceof HTMLLinkElement ? element.getAttribute('href') : null;
  if (address !== null && URL.canParse(address, base))
    element.setAttribute('href', new URL(address, base).href);
}

function isStyleSheet(element: Element): element is HTMLLinkElement {
  return element instanceof HTMLLinkElement && element.relList.contains('stylesheet');
}

/**
 * Returns the identity of a head element across pages; of style sheets by their absolute URL,
 * because bundles write relative ones.
 */
function nameOf(element: Element, base: string, markup = element.outerHTML): string {
  const address = element.getAttribute('href') ?? element.getAttribute('src');
  if (address === null || !/^(?:LINK|SCRIPT)$/.test(element.nodeName)) return markup;
  return `${element.nodeName} ${element.getAttribute('rel') ?? ''} ${element.getAttribute('type') ?? ''} ${new URL(address, base).href}`;
}

/** The remaining steps of a head swap. */
interface HeadSwap {
  /** Resolves when the new style sheets have loaded. */
  ready: Promise<unknown>;
  /** Removes what only the previous page had. */
  finish(): void;
  /** Removes what the next page added. */
  cancel(): void;
}

/**
 * Waits until a style sheet or a script has loaded or failed; one that takes too long must not
 * delay the page.
 */
function settled(element: HTMLElement, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    element.addEventListener('load', () => resolve(), { once: true });
    element.addEventListener('error', () => resolve(), { once: true });
    setTimeout(resolve, timeoutMs);
  });
}

/**
 * Inserts what is new in the head of the next page, in its order. Scripts run elsewhere.
 * @param to URL of the next page
 */
export function swapHead(head: HTMLHeadElement, to: string): HeadSwap {
  const present = new Map<string, Element[]>();
  for (const element of written) {
    const name = names.get(element) ?? '';
    present.set(name, [...(present.get(name) ?? []), element]);
  }
  const arrivals: Promise<void>[] = [];
  const next: Element[] = [];
  let last: Element | undefined;
  for (const element of head.children) {
    const name = nameOf(element, to);
    const kept = present.get(name)?.shift();
    if (!kept && isExecutable(element)) continue;
    const live = kept ?? document.importNode(element, true);
    if (!kept) {
      names.set(live, name);
      pin(live, to);
      // Except for style sheets, the order in a head has no effect, but it should read as written
      // for authors who inspect it.
      if (isStyleSheet(live)) arrivals.push(settled(live, STYLE_TIMEOUT_MS));
      if (last) last.after(live);
      else document.head.prepend(live);
    }
    next.push(live);
    last = live;
  }
  return {
    ready: Promise.all(arrivals),
    finish() {
      for (const gone of written) if (!next.includes(gone) && !isExecutable(gone)) gone.remove();
      written = next;
    },
    cancel() {
      for (const element of next) if (!written.includes(element)) element.remove();
    },
  };
}

const EXECUTABLE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;

/** The scripts that have run in this document: absolute URLs, and the texts of inline scripts. */
const executedScripts = new Set(
  loadedPage()
    .scripts.filter(isExecutable)
    .map((script) => scriptName(script, loadedPage().url.href)),
);

/** Returns whether the element is code, not data. */
function isExecutable(script: Element): boolean {
  return (
    script instanceof HTMLScriptElement &&
    EXECUTABLE.test(script.getAttribute('type')?.trim() ?? '')
  );
}

/** Returns the absolute URL or the text; URLs of a parsed document are relative to its future URL. */
function scriptName(script: HTMLScriptElement, base: string): string {
  const address = script.getAttribute('src');
  return address === null ? (script.textContent ?? '') : new URL(address, base).href;
}

/** A script from a parsed document never runs; a copy created here does. */
function runnable(script: HTMLScriptElement, base: string): HTMLScriptElement {
  const copy = document.createElement('script');
  for (const { name, value } of script.attributes) copy.setAttribute(name, value);
  if (script.hasAttribute('src')) copy.src = scriptName(script, base);
  copy.textContent = script.textContent;
  copy.async = false;
  return copy;
}

/** Runs scripts of a parsed page that this document has not run yet, except for inline ones of its article. */
async function run(scripts: Iterable<HTMLScriptElement>, base: string): Promise<void> {
  const waiting: Promise<void>[] = [];
  for (const script of scripts) {
    if (!isExecutable(script)) continue;
    const name = scriptName(script, base);
    const isOwn = !script.hasAttribute('src') && script.closest(MAIN) !== null;
    if (executedScripts.has(name) && !isOwn) continue;
    executedScripts.add(name);
    const copy = runnable(script, base);
    if (script.hasAttribute('src')) waiting.push(settled(copy, SCRIPT_TIMEOUT_MS));
    document.head.append(copy);
    if (isOwn) copy.remove();
  }
  await Promise.all(waiting);
}

/**
 * Runs the theme's script for components that the next page needs, before its article is in the
 * document.
 * @param to URL of the next page
 */
export function runComponentScripts(page: Document, to: string): Promise<void> {
  return run(page.querySelectorAll<HTMLScriptElement>('script[data-components]'), to);
}

/**
 * Runs the scripts of the next page: those that this document has not run yet, and the inline
 * scripts of its article.
 * @param page the parsed page; its article is already in the document
 * @returns when the external scripts have run
 */
export function runPageScripts(page: Document): Promise<void> {
  return run(page.querySelectorAll('script'), location.href);
}
