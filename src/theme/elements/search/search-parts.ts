import { pageData } from '../page-data.ts';
import { element } from './search-results.ts';

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
  return element('span', '', element('kbd', '', name), text);
}

function button(className: string, ...children: (Node | string)[]): HTMLElement {
  const made = element('button', className, ...children);
  made.setAttribute('type', 'button');
  return made;
}

/** Copies the icon of the button that opened the dialog, so that it is defined in one place only. */
function glass(): Node {
  return document.querySelector('[data-search-open] svg')?.cloneNode(true) ?? document.createTextNode('');
}

function createInput(): HTMLInputElement {
  const { prompt, messages } = pageData();
  const input = document.createElement('input');
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
  input.setAttribute('aria-label', messages.search);
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', LIST_ID);
  input.setAttribute('aria-expanded', 'false');
  return input;
}

function createFoot(): HTMLElement {
  const { messages } = pageData();
  const foot = element(
    'div',
    'd-search-foot',
    key('↑↓', messages.searchMove),
    key('↵', messages.searchSelect),
    key('Esc', messages.searchClose),
  );
  foot.setAttribute('aria-hidden', 'true');
  return foot;
}

/** Creates the dialog in the language of the page and appends it to the document. */
export function createParts(): DialogParts {
  const { messages } = pageData();
  const dialog = document.createElement('dialog');
  dialog.className = 'd-search';
  dialog.setAttribute('aria-label', messages.search);
  const input = createInput();
  const close = button('d-search-close', 'Esc', element('span', 'd-vh', ` (${messages.searchClose})`));
  close.addEventListener('click', () => dialog.close());
  const clear = button('', messages.searchClear);
  const listTitle = element('div', 'd-search-title', element('span', ''), clear);
  const list = element('div', '');
  list.id = LIST_ID;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', messages.search);
  const note = element('p', 'd-search-note');
  // Screen readers get the content of a hit from the option itself.
  const preview = element('div', 'd-search-preview');
  preview.setAttribute('aria-hidden', 'true');
  preview.hidden = true;
  const status = element('div', 'd-vh');
  status.setAttribute('role', 'status');
  const results = element('div', 'd-search-results', note, listTitle, list);
  const body = element('div', 'd-search-body', results, preview);
  dialog.append(element('div', 'd-search-field', glass(), input, close), body, status, createFoot());
  document.body.append(dialog);
  return { dialog, input, list, note, listTitle, clear, preview, status };
}
