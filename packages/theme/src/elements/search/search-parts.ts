import { button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { searchTexts } from './search-texts.ts';

const LIST_ID = 'docent-search-list';

/** The elements of the dialog that change while it is open. */
export interface DialogParts {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  note: HTMLElement;
  /** Title of the options if they are not hits: recent searches, or suggested pages. */
  listTitle: HTMLElement;
  clear: HTMLElement;
  preview: HTMLElement;
  status: HTMLElement;
}

function key(name: string, text: string): HTMLElement {
  return make('span', '', make('kbd', '', name), text);
}

/**
 * Copies the icon of the button that opened the dialog, so that it is defined in one place only.
 */
function glass(): Node {
  return (
    document.querySelector('[data-search-open] .d-i')?.cloneNode(true) ??
    document.createTextNode('')
  );
}

function createInput(): HTMLInputElement {
  const { prompt } = pageData();
  const input = make('input');
  Object.assign(input, {
    id: 'search-input',
    type: 'search',
    placeholder: prompt,
    autocomplete: 'off',
    spellcheck: false,
    enterKeyHint: 'go',
    maxLength: 200,
  });
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-label', searchTexts().label);
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', LIST_ID);
  input.setAttribute('aria-expanded', 'false');
  return input;
}

function createFoot(): HTMLElement {
  const texts = searchTexts();
  const foot = make(
    'div',
    'd-search-foot',
    key('↑↓', texts.move),
    key('↵', texts.select),
    key('Esc', texts.close),
  );
  foot.setAttribute('aria-hidden', 'true');
  return foot;
}

/**
 * Creates the dialog in the language of the page and appends it to the document.
 * @param onClear clears what the reader searched for and opened before
 */
export function createParts(onClear: () => void): DialogParts {
  const texts = searchTexts();
  const dialog = make('dialog', 'd-search');
  dialog.setAttribute('aria-label', texts.label);
  const input = createInput();
  const close = button(
    'd-search-close',
    () => dialog.close(),
    'Esc',
    make('span', 'd-vh', ` (${texts.close})`),
  );
  const clear = button('', onClear, texts.clear);
  const listTitle = make('div', 'd-search-title', make('span', ''), clear);
  const list = make('div', '');
  list.id = LIST_ID;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', texts.label);
  const note = make('p', 'd-search-note');
  // Screen readers get the content of a hit from the option itself.
  const preview = make('div', 'd-search-peek');
  preview.setAttribute('aria-hidden', 'true');
  preview.hidden = true;
  const status = make('div', 'd-vh');
  status.setAttribute('role', 'status');
  const results = make('div', 'd-search-results', note, listTitle, list);
  const body = make('div', 'd-search-body', results, preview);
  dialog.append(make('div', 'd-search-input', glass(), input, close), body, status, createFoot());
  document.body.append(dialog);
  return { dialog, input, list, note, listTitle, clear, preview, status };
}
