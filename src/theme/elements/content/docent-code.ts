import { button, make } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { askAbout } from '../selection-ask.ts';
import { copyButton, drawSign } from './copy-button.ts';

/** A code block: adds the copy button and, to a long one, the button that expands it. */
export class DocentCode extends HTMLElement {
  connectedCallback(): void {
    const pre = this.querySelector('pre');
    if (!pre || this.querySelector(':scope > .d-code-actions')) return;
    connectHints(pre);
    if (!this.hasAttribute('data-nocopy')) {
      const copy = copyButton(() => codeText(pre));
      copy.classList.add('code-block-copy-button');
      const ask = pageData().assistant ? [askButton(() => codeText(pre))] : [];
      pre.before(make('div', 'd-code-actions', ...ask, copy));
    }
    if (this.hasAttribute('data-expandable')) this.append(this.#expandButton(pre));
  }

  #expandButton(pre: HTMLElement): HTMLButtonElement {
    const texts = pageData().messages;
    const lineCount = (pre.textContent ?? '').split('\n').length;
    const made = button('d-code-expand', () => {
      const expand = !this.hasAttribute('data-expanded');
      show(expand);
      if (!expand) this.scrollIntoView({ block: 'nearest' });
    });
    const show = (expanded: boolean): void => {
      this.toggleAttribute('data-expanded', expanded);
      made.setAttribute('aria-expanded', String(expanded));
      made.textContent = expanded ? texts.showFewerLines : texts.showAllLines.replace('{count}', String(lineCount));
    };
    show(false);
    return made;
  }
}

/** Creates a button that asks the assistant about the code. */
function askButton(text: () => string): HTMLButtonElement {
  const made = button('d-copy d-code-ask', () => askAbout('code', text()));
  drawSign(made, pageData().messages.askAssistant, 'spark');
  return made;
}

/** Returns the code to paste: without compiler notes and lines that a diff removes. */
function codeText(pre: HTMLElement): string {
  if (!pre.querySelector('.line.del, .d-code-note')) return pre.textContent ?? '';
  const copy = pre.cloneNode(true) as HTMLElement;
  for (const note of copy.querySelectorAll('.d-code-note')) note.remove();
  if (!copy.querySelector('.line.del')) return copy.textContent ?? '';
  const lines = [...copy.querySelectorAll('.line:not(.del)')];
  return lines.map((line) => line.textContent).join('\n');
}

const HINT = '.d-hint';
const GRACE_MS = 150;
const MARGIN_PX = 8;

let popup: HTMLElement | undefined;
let current: HTMLElement | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** The first paragraph is a type, the rest is prose about the name. */
function fill(box: HTMLElement, text: string): void {
  const at = text.indexOf('\n\n');
  if (at < 0) box.replaceChildren(make('code', '', text));
  else box.replaceChildren(make('code', '', text.slice(0, at)), make('p', '', text.slice(at + 2)));
}

function makePopup(): HTMLElement {
  const made = make('div', 'd-hint-popup');
  made.id = 'd-hint-popup';
  made.setAttribute('role', 'tooltip');
  made.popover = 'manual';
  made.addEventListener('pointerenter', () => clearTimeout(hiding));
  made.addEventListener('pointerleave', hideSoon);
  return made;
}

/** Removes the title while the popup is open, otherwise both would show. */
function textOf(hint: HTMLElement): string {
  hint.dataset.hint ??= hint.title;
  hint.removeAttribute('title');
  return hint.dataset.hint;
}

function place(box: HTMLElement, hint: HTMLElement): void {
  const target = hint.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const left = Math.max(MARGIN_PX, Math.min(target.left, innerWidth - width - MARGIN_PX));
  const above = target.top - height - 4;
  box.style.left = `${left}px`;
  box.style.top = `${above > MARGIN_PX ? above : target.bottom + 4}px`;
}

function show(hint: HTMLElement): void {
  clearTimeout(hiding);
  if (hint === current) return;
  hide();
  popup ??= makePopup();
  fill(popup, textOf(hint));
  document.body.append(popup);
  popup.showPopover();
  place(popup, hint);
  hint.setAttribute('aria-describedby', popup.id);
  current = hint;
}

function hide(): void {
  clearTimeout(hiding);
  current?.removeAttribute('aria-describedby');
  current = undefined;
  popup?.remove();
}

/** On its way into the popup, the pointer briefly leaves the name. */
function hideSoon(): void {
  clearTimeout(hiding);
  hiding = setTimeout(hide, GRACE_MS);
}

function hintAt(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element ? target.closest<HTMLElement>(HINT) : null) ?? undefined;
}

/** A block is one tab stop; arrow keys move between names. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && current) {
    hide();
    return;
  }
  const hint = hintAt(event.target);
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (!hint || step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const hints = [...(hint.closest('pre')?.querySelectorAll<HTMLElement>(HINT) ?? [])];
  const next = hints[hints.indexOf(hint) + step];
  if (!next) return;
  event.preventDefault();
  hint.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Makes the names in a block reachable by keyboard. */
function connectHints(pre: HTMLElement): void {
  for (const [index, hint] of pre.querySelectorAll<HTMLElement>(HINT).entries()) hint.tabIndex = index === 0 ? 0 : -1;
}

/** Shows the types of names in code on hover or focus; Escape hides them. */
export function startCodeHints(): void {
  document.addEventListener('pointerover', (event) => {
    const hint = hintAt(event.target);
    if (hint) show(hint);
    else if (current && !popup?.contains(event.target as Node)) hideSoon();
  });
  document.addEventListener('focusin', (event) => {
    const hint = hintAt(event.target);
    if (hint) show(hint);
    else hide();
  });
  document.addEventListener('keydown', onKey);
  document.addEventListener('scroll', hide, { passive: true, capture: true });
  document.addEventListener('docent:page', hide);
}

/** Elements that may overflow horizontally. */
const SCROLLERS = '.d-table, .d-prose pre, .d-aside pre';

/** Makes horizontally scrolling regions focusable while they scroll, so that the keyboard can scroll them too. */
export function startScrollableRegions(): void {
  const update = (element: Element): void => {
    const region = element as HTMLElement;
    if (region.scrollWidth > region.clientWidth + 1) region.tabIndex = 0;
    else if (region.matches('.d-table')) region.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((changes) => {
    for (const change of changes) update(change.target);
  });
  onEachPage(() => {
    for (const region of document.querySelectorAll(SCROLLERS)) observer.observe(region);
    return () => observer.disconnect();
  });
}
