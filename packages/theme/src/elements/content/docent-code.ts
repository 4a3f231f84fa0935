import { askAbout } from '../ask-about.ts';
import { button, make } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { copyButton, copyText, drawSign } from './copy-button.ts';

/** A code block: adds the copy button and, to a long one, the button that expands it. */
export class DocentCode extends HTMLElement {
  connectedCallback(): void {
    const pre = this.querySelector('pre');
    if (!pre || this.querySelector(':scope > .d-src-actions')) return;
    if (!this.hasAttribute('data-nocopy')) {
      const copy = copyButton(() => copyText(codeText(pre)));
      copy.classList.add('code-block-copy-button');
      const ask = pageData().assistant ? [askButton(() => codeText(pre))] : [];
      pre.before(make('div', 'd-src-actions', ...ask, copy));
    }
    if (this.hasAttribute('data-expandable')) this.append(this.#expandButton(pre));
  }

  #expandButton(pre: HTMLElement): HTMLButtonElement {
    const texts = pageData().messages;
    const lineCount = (pre.textContent ?? '').split('\n').length;
    const toggleButton = button('d-src-expand', () => {
      const expand = !this.hasAttribute('data-expanded');
      show(expand);
      if (!expand) this.scrollIntoView({ block: 'nearest' });
    });
    const show = (expanded: boolean): void => {
      this.toggleAttribute('data-expanded', expanded);
      toggleButton.setAttribute('aria-expanded', String(expanded));
      toggleButton.textContent = expanded
        ? texts.showFewerLines
        : texts.showAllLines.replace('{count}', String(lineCount));
    };
    show(false);
    return toggleButton;
  }
}

/** Creates a button that asks the assistant about the code. */
function askButton(text: () => string): HTMLButtonElement {
  const control = button('d-copy d-src-ask', () => askAbout('code', text()));
  drawSign(control, pageData().messages.askAssistant, 'spark');
  return control;
}

/** Returns the code to paste: without compiler notes and lines that a diff removes. */
function codeText(pre: HTMLElement): string {
  if (!pre.querySelector('.line.del, .d-src-note')) return pre.textContent ?? '';
  const copy = pre.cloneNode(true) as HTMLElement;
  for (const note of copy.querySelectorAll('.d-src-note')) note.remove();
  if (!copy.querySelector('.line.del')) return copy.textContent ?? '';
  const lines = [...copy.querySelectorAll('.line:not(.del)')];
  return lines.map((line) => line.textContent).join('\n');
}

/** Elements that may overflow horizontally. */
const SCROLLERS = '.d-wide, .d-prose pre, .d-aside pre';

/**
 * Makes horizontally scrolling regions focusable while they scroll, so that the keyboard can scroll
 * them too.
 */
export function startScrollableRegions(): void {
  const update = (element: Element): void => {
    const region = element as HTMLElement;
    if (region.scrollWidth > region.clientWidth + 1) region.tabIndex = 0;
    else if (region.matches('.d-wide')) region.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((changes) => {
    for (const change of changes) update(change.target);
  });
  onEachPage(() => {
    for (const region of document.querySelectorAll(SCROLLERS)) observer.observe(region);
    return () => observer.disconnect();
  });
}
