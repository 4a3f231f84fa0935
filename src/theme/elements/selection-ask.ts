import { pageData } from './page-data.ts';

const LONGEST = 4000;
const SHORTEST = 3;
const GAP_PX = 8;

/** Asks the assistant about a text of the page. */
export function askAbout(type: 'code' | 'textSelection', value: string): void {
  const context = [{ type, value: value.slice(0, LONGEST), path: pageData().href }];
  document.dispatchEvent(new CustomEvent('docent:ask', { detail: { context } }));
}

let button: HTMLButtonElement | undefined;

function askButton(): HTMLButtonElement {
  if (button) return button;
  button = document.createElement('button');
  button.type = 'button';
  button.className = 'd-button d-button-small d-selection-ask';
  const sign = document.createElement('i');
  sign.className = 'd-sign';
  sign.dataset.sign = 'spark';
  button.append(sign, document.createElement('span'));
  // Before the click, which would clear the selection.
  button.addEventListener('pointerdown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    const text = selectedText();
    hide();
    if (text) askAbout('textSelection', text);
  });
  document.body.append(button);
  return button;
}

function hide(): void {
  if (button) button.hidden = true;
}

/** Returns the selection if it is entirely within the article. */
function selectedText(): string | undefined {
  const selection = getSelection();
  const article = document.getElementById('content');
  if (!selection || selection.isCollapsed || !article?.contains(selection.anchorNode) || !article.contains(selection.focusNode))
    return undefined;
  const text = selection.toString().trim();
  return text.length >= SHORTEST ? text : undefined;
}

function show(): void {
  const box = selectedText() === undefined ? undefined : getSelection()?.getRangeAt(0).getBoundingClientRect();
  if (!box) {
    hide();
    return;
  }
  const made = askButton();
  made.lastElementChild!.textContent = pageData().messages.askAssistant;
  made.hidden = false;
  const above = box.top - made.offsetHeight - GAP_PX;
  const top = above > GAP_PX ? above : box.bottom + GAP_PX;
  const left = box.left + box.width / 2 - made.offsetWidth / 2;
  made.style.top = `${top + scrollY}px`;
  made.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - made.offsetWidth - GAP_PX)) + scrollX}px`;
}

/** Offers to ask about a text that the reader selects in the article. Touch screens have their own selection menu. */
export function startSelectionAsk(): void {
  if (!matchMedia('(hover: hover)').matches) return;
  document.addEventListener('pointerup', (event) => {
    if (!button?.contains(event.target as Node)) setTimeout(show);
  });
  document.addEventListener('keyup', (event) => {
    if (event.shiftKey || event.key === 'Shift') show();
  });
  document.addEventListener('selectionchange', () => {
    if (button && !button.hidden && selectedText() === undefined) hide();
  });
  document.addEventListener('docent:page', hide);
}
