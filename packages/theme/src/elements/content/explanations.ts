import { make, placeBeside } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';

/*
 * Explanations of words, on hover and on focus: tooltips of authors, and the types of names in
 * code. They are hoverable, persistent, and close on Escape without moving the focus (WCAG 2.2,
 * 1.4.13). In the top layer, so that nothing clips them.
 */

const EXPLAINED = 'docent-tooltip, .d-hint';
/** On its way into the popup, the pointer briefly leaves the word. */
const GRACE_MS = 150;

let explanation: { word: HTMLElement; popup: HTMLElement } | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;
let hintPopup: HTMLElement | undefined;
let lastId = 0;

/** A word with a tooltip. Without this, the style sheet shows the bubble. */
export class DocentTooltip extends HTMLElement {
  connectedCallback(): void {
    const bubble = bubbleOf(this);
    if (!bubble) return;
    bubble.popover = 'manual';
    bubble.id ||= `d-term-${++lastId}`;
    this.querySelector('.d-term')?.setAttribute('aria-describedby', bubble.id);
  }
}

function bubbleOf(word: HTMLElement): HTMLElement | null {
  return word.querySelector<HTMLElement>('.d-term-bubble');
}

/** The popup of a name in code: the first paragraph is a type, the rest is prose about the name. */
function popupOf(hint: HTMLElement): HTMLElement {
  hintPopup ??= make('div', 'd-hint-popup');
  hintPopup.id = 'd-hint-popup';
  hintPopup.setAttribute('role', 'tooltip');
  hintPopup.popover = 'manual';
  // While the popup is open, the title would show too.
  hint.dataset.hint ??= hint.title;
  hint.removeAttribute('title');
  const [type = '', ...prose] = hint.dataset.hint.split('\n\n');
  hintPopup.replaceChildren(
    make('code', '', type),
    ...(prose.length > 0 ? [make('p', '', prose.join('\n\n'))] : []),
  );
  hint.setAttribute('aria-describedby', hintPopup.id);
  document.body.append(hintPopup);
  return hintPopup;
}

function show(word: HTMLElement): void {
  clearTimeout(hiding);
  if (word === explanation?.word) return;
  hide();
  explanation = { word, popup: bubbleOf(word) ?? popupOf(word) };
  explanation.popup.showPopover();
  place();
}

function hide(): void {
  clearTimeout(hiding);
  if (explanation?.popup.isConnected) explanation.popup.hidePopover();
  explanation?.word.removeAttribute('aria-describedby');
  explanation = undefined;
}

function hideSoon(): void {
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    if (!explanation?.word.matches(':focus-visible, :has(:focus-visible)')) hide();
  }, GRACE_MS);
}

function place(): void {
  if (!explanation) return;
  const { word, popup } = explanation;
  const { left, top } = placeBeside(
    popup,
    word.getBoundingClientRect(),
    word.dataset.side,
    word.matches('.d-hint'),
  );
  popup.style.left = `${left}px`;
  popup.style.top = `${top}px`;
}

/**
 * Shows the explanation of the element that the pointer or the focus has moved to; leaves it
 * otherwise.
 */
function follow(target: EventTarget | null, leave: () => void): void {
  const element = target instanceof Element ? target : null;
  const word = element?.closest<HTMLElement>(EXPLAINED);
  if (word) show(word);
  else if (explanation?.popup.contains(element)) clearTimeout(hiding);
  else leave();
}

export function startExplanations(): void {
  document.addEventListener('pointerover', ({ target }) => follow(target, hideSoon));
  document.documentElement.addEventListener(
    'pointerleave',
    ({ pointerType }) => pointerType === 'mouse' && hideSoon(),
  );
  document.addEventListener('focusin', ({ target }) => follow(target, hide));
  document.addEventListener('focusout', ({ relatedTarget }) => follow(relatedTarget, hide));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
  document.addEventListener('scroll', place, { capture: true, passive: true });
  addEventListener('resize', place);
  document.addEventListener('docent:page', hide);
}

const HINT = '.d-hint';

/** A block is one tab stop; arrow keys move between its names, whose explanations show on focus. */
export function startHintKeys(): void {
  onEachPage(() => {
    for (const block of document.querySelectorAll(`pre:has(${HINT})`))
      for (const [index, hint] of block.querySelectorAll<HTMLElement>(HINT).entries())
        hint.tabIndex = index === 0 ? 0 : -1;
    return undefined;
  });
  document.addEventListener('keydown', (event) => {
    const hint = (event.target as Element).closest<HTMLElement>(HINT);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!hint || step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const hints = [...(hint.closest('pre')?.querySelectorAll<HTMLElement>(HINT) ?? [])];
    const next = hints[hints.indexOf(hint) + step];
    if (!next) return;
    event.preventDefault();
    hint.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
