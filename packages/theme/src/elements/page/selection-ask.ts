import { askAbout } from '../ask-about.ts';
import { button, make, placeBeside } from '../dom.ts';
import { pageData } from '../page-data.ts';

const SHORTEST = 3;

let selectionButton: HTMLButtonElement | undefined;

function askButton(): HTMLButtonElement {
  if (selectionButton) return selectionButton;
  const sign = make('i', 'd-sign');
  sign.dataset.sign = 'spark';
  const ask = (): void => {
    const text = selectedText();
    hide();
    if (text) askAbout('textSelection', text);
  };
  selectionButton = button('d-btn d-btn-small d-selection-ask', ask, sign, make('span'));
  // Before the click, which would clear the selection.
  selectionButton.addEventListener('pointerdown', (event) => event.preventDefault());
  document.body.append(selectionButton);
  return selectionButton;
}

function hide(): void {
  if (selectionButton) selectionButton.hidden = true;
}

/** Returns the selection if it is entirely within the article. */
function selectedText(): string | undefined {
  const selection = getSelection();
  const article = document.getElementById('content');
  if (
    !selection ||
    selection.isCollapsed ||
    !article?.contains(selection.anchorNode) ||
    !article.contains(selection.focusNode)
  )
    return undefined;
  const text = selection.toString().trim();
  return text.length >= SHORTEST ? text : undefined;
}

function show(): void {
  const box =
    selectedText() === undefined
      ? undefined
      : getSelection()?.getRangeAt(0).getBoundingClientRect();
  if (!box) {
    hide();
    return;
  }
  const ask = askButton();
  ask.lastElementChild!.textContent = pageData().messages.askAssistant;
  ask.hidden = false;
  const { left, top } = placeBeside(ask, box);
  ask.style.left = `${left + scrollX}px`;
  ask.style.top = `${top + scrollY}px`;
}

/** Offers to ask about the selected text, and those that the reader selects afterwards. */
export function startSelectionAsk(): void {
  show();
  document.addEventListener('pointerup', (event) => {
    if (!selectionButton?.contains(event.target as Node)) setTimeout(show);
  });
  document.addEventListener('keyup', (event) => {
    if (event.shiftKey || event.key === 'Shift') show();
  });
  document.addEventListener('selectionchange', () => {
    if (selectionButton && !selectionButton.hidden && selectedText() === undefined) hide();
  });
  document.addEventListener('docent:page', hide);
}
