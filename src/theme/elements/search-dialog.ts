import type { SearchHit, SearchIndex } from '../../core/search/search-index.ts';
import { fill } from '../translations/messages.ts';
import { OptionList } from './option-list.ts';
import { pageAddress, pageData } from './page-data.ts';
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts';
import { searchIndex } from './search-loader.ts';
import { element, groupHits, hitOption } from './search-results.ts';

const LIMIT = 30;
const LIST_ID = 'docent-search-list';

interface DialogParts {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  note: HTMLElement;
  recentTitle: HTMLElement;
  status: HTMLElement;
}

function key(name: string, text: string): HTMLElement {
  return element('span', '', element('kbd', '', name), text);
}

/** The glass is taken from the button that opened the dialog, so that it is drawn in one place only. */
function glass(): Node {
  return document.querySelector('[data-search-open] svg')?.cloneNode(true) ?? document.createTextNode('');
}

function createInput(): HTMLInputElement {
  const { prompt, messages } = pageData();
  const input = document.createElement('input');
  Object.assign(input, {
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

function createParts(): DialogParts {
  const { messages } = pageData();
  const dialog = document.createElement('dialog');
  dialog.className = 'd-search';
  dialog.setAttribute('aria-label', messages.search);
  const input = createInput();
  const close = element('button', 'd-search-close', 'Esc', element('span', 'd-vh', ` (${messages.searchClose})`));
  close.setAttribute('type', 'button');
  close.addEventListener('click', () => dialog.close());
  const clear = element('button', '', messages.searchClear);
  clear.setAttribute('type', 'button');
  clear.dataset.clear = '';
  const recentTitle = element('div', 'd-search-title', element('span', '', messages.searchRecent), clear);
  const list = element('div', '');
  list.id = LIST_ID;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', messages.search);
  const note = element('p', 'd-search-note');
  const status = element('div', 'd-vh');
  status.setAttribute('role', 'status');
  const foot = element(
    'div',
    'd-search-foot',
    key('↑↓', messages.searchMove),
    key('↵', messages.searchSelect),
    key('Esc', messages.searchClose),
  );
  foot.setAttribute('aria-hidden', 'true');
  const results = element('div', 'd-search-results', recentTitle, list, note);
  dialog.append(element('div', 'd-search-field', glass(), input, close), results, status, foot);
  document.body.append(dialog);
  return { dialog, input, list, note, recentTitle, status };
}

/** The search of the site: an input, and the sections that answer it, grouped by page. */
export class SearchPanel {
  readonly #parts = createParts();
  readonly #options: OptionList;
  #index: SearchIndex | undefined;
  #failed = false;

  constructor() {
    const { dialog, input, list, recentTitle } = this.#parts;
    this.#options = new OptionList(input, list);
    input.addEventListener('input', () => this.#show());
    input.addEventListener('keydown', (event) => this.#onKey(event));
    list.addEventListener('click', (event) => this.#onClick(event));
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    recentTitle.addEventListener('click', (event) => {
      if (!(event.target as Element).closest('[data-clear]')) return;
      forgetSearches();
      this.#show();
      input.focus();
    });
  }

  open(typed: string): void {
    const { dialog, input } = this.#parts;
    if (dialog.open) return;
    if (typed) input.value = typed;
    dialog.showModal();
    if (!typed) input.select();
    this.#show();
    if (!this.#index) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.#index = await searchIndex();
      this.#failed = false;
    } catch {
      this.#failed = true;
    }
    this.#show();
  }

  get #query(): string {
    return this.#parts.input.value.trim();
  }

  #show(): void {
    const query = this.#query;
    if (query === '') this.#showRecent();
    else if (this.#index) this.#showHits(this.#find(this.#index, query), query);
    else this.#showNote(this.#failed ? pageData().messages.searchFailed : pageData().messages.searchLoading);
  }

  #find(index: SearchIndex, query: string): SearchHit[] {
    const { version, language, href } = pageData();
    const filter = { ...(version ? { version } : {}), ...(language ? { language } : {}) };
    return index.search(query, { limit: LIMIT, filter, currentPath: href.slice(1) || 'index' });
  }

  #showNote(text: string): void {
    const { note, recentTitle, status } = this.#parts;
    this.#options.replace([], false);
    recentTitle.hidden = true;
    note.hidden = false;
    note.textContent = text;
    status.textContent = text;
  }

  #showRecent(): void {
    const { note, recentTitle, status } = this.#parts;
    const recent = recentSearches();
    if (recent.length === 0) {
      this.#showNote(pageData().messages.searchHint);
      return;
    }
    const options = recent.map((query, i) => {
      const option = element('div', 'd-search-hit', element('span', 'd-search-heading', element('span', '', query)));
      option.id = `docent-recent-${i}`;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      option.dataset.query = query;
      return option;
    });
    note.hidden = true;
    recentTitle.hidden = false;
    status.textContent = '';
    this.#options.replace(options, false);
  }

  #showHits(hits: SearchHit[], query: string): void {
    const { messages } = pageData();
    if (hits.length === 0) {
      this.#showNote(fill(messages.searchNothing, { query }));
      return;
    }
    const { note, recentTitle, status } = this.#parts;
    let count = 0;
    const groups = groupHits(hits).map((group, i) => {
      const title = element('div', 'd-search-page', group.title);
      title.id = `docent-search-page-${i}`;
      const box = element('div', 'd-search-group', title);
      box.setAttribute('role', 'group');
      box.setAttribute('aria-labelledby', title.id);
      for (const hit of group.hits) box.append(hitOption(hit, query, `docent-hit-${count++}`, this.#addressOf(hit)));
      return box;
    });
    note.hidden = true;
    recentTitle.hidden = true;
    status.textContent = fill(messages.searchResultCount, { count });
    this.#options.replace(groups, true);
  }

  #addressOf(hit: SearchHit): string {
    const { href, anchor } = hit.document;
    return pageAddress(pageData(), anchor ? `${href}#${encodeURIComponent(anchor)}` : href);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#options.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // A real click, so that a modifier key opens another tab as with any link.
      const { metaKey, ctrlKey, shiftKey } = event;
      this.#options.selected?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, metaKey, ctrlKey, shiftKey }),
      );
    }
  }

  #onClick(event: MouseEvent): void {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (!option) return;
    if (option.dataset.query) {
      this.#parts.input.value = option.dataset.query;
      this.#show();
      this.#parts.input.focus();
      return;
    }
    rememberSearch(this.#query);
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) this.#parts.dialog.close();
  }
}
