import { isExecutable } from './page-scripts.ts';

/** A style sheet that does not come must not keep the page away. */
const TIMEOUT_MS = 3000;

/** The elements of the head that the server wrote for the page that is open. Others were added by scripts and stay. */
let written: Element[] = [];
/** What they are named: a relative address means another file once the address of the document has changed. */
const names = new WeakMap<Element, string>();

/** Notes the head of the document as it was loaded. */
export function noteHead(): void {
  written = [...document.head.children];
  for (const element of written) {
    names.set(element, nameOf(element, location.href));
    // Browsers look for the icon anew whenever the address changes.
    if (element instanceof HTMLLinkElement && /icon/.test(element.rel)) pin(element, location.href);
  }
}

/** Writes the address of a link whole, so that it stays what it is at every address of the document. */
function pin(element: Element, base: string): void {
  const address = element instanceof HTMLLinkElement ? element.getAttribute('href') : null;
  if (address !== null && URL.canParse(address, base)) element.setAttribute('href', new URL(address, base).href);
}

function isStyleSheet(element: Element): element is HTMLLinkElement {
  return element instanceof HTMLLinkElement && element.relList.contains('stylesheet');
}

/** What makes two elements of two heads the same; style sheets by their absolute address, as a bundle writes relative ones. */
function nameOf(element: Element, base: string): string {
  const address = element.getAttribute('href') ?? element.getAttribute('src');
  if (address === null || !/^(?:LINK|SCRIPT)$/.test(element.nodeName)) return element.outerHTML;
  return `${element.nodeName} ${element.getAttribute('rel') ?? ''} ${element.getAttribute('type') ?? ''} ${new URL(address, base).href}`;
}

/** What a swap of heads leaves to do. */
interface HeadSwap {
  /** Until the new style sheets are there. */
  ready: Promise<unknown>;
  /** Takes away what only the last page had. */
  finish(): void;
  /** Takes back what the next page brought. */
  cancel(): void;
}

function arrival(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve(), { once: true });
    link.addEventListener('error', () => resolve(), { once: true });
    setTimeout(resolve, TIMEOUT_MS);
  });
}

/**
 * Puts in what the head of the next page has and this one has not, in its order. Scripts are run elsewhere.
 * @param to address of the next page
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
    if (!kept && element instanceof HTMLScriptElement && isExecutable(element)) continue;
    const live = kept ?? document.importNode(element, true);
    if (!kept) {
      names.set(live, name);
      pin(live, to);
      // Beside style sheets, the order in a head means nothing, but one that an author looks at should read as it was written.
      if (isStyleSheet(live)) arrivals.push(arrival(live));
      if (last) last.after(live);
      else document.head.prepend(live);
    }
    next.push(live);
    last = live;
  }
  return {
    ready: Promise.all(arrivals),
    finish() {
      for (const gone of written)
        if (!next.includes(gone) && !(gone instanceof HTMLScriptElement && isExecutable(gone))) gone.remove();
      written = next;
    },
    cancel() {
      for (const element of next) if (!written.includes(element)) element.remove();
    },
  };
}
