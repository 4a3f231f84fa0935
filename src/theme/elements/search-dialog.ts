import type { SearchFilter, SearchHit, SearchIndex } from '../../core/search/search-index.ts';
import { fill } from '../translations/messages.ts';
import { OptionList } from './option-list.ts';
import { pageAddress, pageData } from './page-data.ts';
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts';
import { searchIndex } from './search-loader.ts';
import { createParts, type DialogParts } from './search-parts.ts';
import { hitPreview } from './search-preview.ts';
import { element, groupHits, hitOption } from './search-results.ts';
import { suggestions } from './search-suggestions.ts';
import { pageTrail } from './search-trail.ts';

const LIMIT = 30;

function currentFilter(): SearchFilter {
  const { version, language } = pageData();
  return { ...(version ? { version } : {}), ...(language ? { language } : {}) };
}

function addressOf(hit: SearchHit): string {
  const { href, anchor } = hit.document;
  return pageAddress(pageData(), anchor ? `${href}#${encodeURIComponent(anchor)}` : href);
}

function trailOf(hit: SearchHit): string {
  const { href } = hit.document;
  return pageTrail(href, pageAddress(pageData(), href));
}

/** The search of the site: an input, the sections that answer it grouped by page, and what the selected one says. */
export class SearchPanel {
  #parts: DialogParts;
  #options: OptionList;
  /** The language that the dialog was made in; a swap can bring another. */
  #madeFor = document.documentElement.lang;
  #hits = new Map<string, SearchHit>();
  #index: SearchIndex | undefined;
  #failed = false;

  constructor() {
    this.#parts = createParts();
    this.#options = this.#connect();
  }

  #connect(): OptionList {
    const { dialog, input, list, clear } = this.#parts;
    input.addEventListener('input', () => this.#show());
    input.addEventListener('keydown', (event) => this.#onKey(event));
    list.addEventListener('click', (event) => this.#onClick(event));
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    clear.addEventListener('click', () => {
      forgetSearches();
      this.#show();
      input.focus();
    });
    return new OptionList(input, list, (option) => this.#preview(option));
  }

  open(typed: string): void {
    if (this.#parts.dialog.open) return;
    if (this.#madeFor !== document.documentElement.lang) {
      this.#madeFor = document.documentElement.lang;
      this.#parts.dialog.remove();
      this.#parts = createParts();
      this.#options = this.#connect();
    }
    const { dialog, input } = this.#parts;
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
    const { messages } = pageData();
    this.#hits.clear();
    if (query === '') this.#showRecent();
    else if (!this.#index) this.#showNote(this.#failed ? messages.searchFailed : messages.searchLoading);
    else {
      const currentPath = pageData().href.slice(1) || 'index';
      const hits = this.#index.search(query, { limit: LIMIT, filter: currentFilter(), currentPath });
      if (hits.length > 0) this.#showHits(hits, query);
      else this.#showNothing(this.#index, query);
    }
  }

  #showNote(text: string): void {
    const { note, listTitle, status } = this.#parts;
    this.#options.replace([], false);
    listTitle.hidden = true;
    note.hidden = false;
    note.textContent = text;
    status.textContent = text;
  }

  #title(text: string, clearable: boolean): void {
    const { listTitle, clear } = this.#parts;
    listTitle.hidden = text === '';
    clear.hidden = !clearable;
    if (listTitle.firstElementChild) listTitle.firstElementChild.textContent = text;
  }

  #showRecent(): void {
    const { note, status } = this.#parts;
    const { messages } = pageData();
    const recent = recentSearches();
    if (recent.length === 0) {
      this.#showNote(messages.searchHint);
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
    this.#title(messages.searchRecent, true);
    status.textContent = '';
    this.#options.replace(options, false);
  }

  #option(hit: SearchHit, query: string): HTMLElement {
    const id = `docent-hit-${this.#hits.size}`;
    this.#hits.set(id, hit);
    return hitOption(hit, query, id, addressOf(hit));
  }

  #showHits(hits: SearchHit[], query: string): void {
    const groups = groupHits(hits).map((group, i) => {
      const trail = group.hits[0] ? trailOf(group.hits[0]) : '';
      const title = element('div', 'd-search-page', element('span', '', group.title));
      if (trail) title.append(element('span', 'd-search-trail', trail));
      title.id = `docent-search-page-${i}`;
      const box = element('div', 'd-search-group', title);
      box.setAttribute('role', 'group');
      box.setAttribute('aria-labelledby', title.id);
      for (const hit of group.hits) box.append(this.#option(hit, query));
      return box;
    });
    this.#parts.note.hidden = true;
    this.#title('', false);
    this.#parts.status.textContent = fill(pageData().messages.searchResultCount, { count: this.#hits.size });
    this.#options.replace(groups, true);
  }

  /** Nothing was found; pages near to the query, where there are any, are a better end than none. */
  #showNothing(index: SearchIndex, query: string): void {
    const { messages } = pageData();
    this.#showNote(fill(messages.searchNothing, { query }));
    const near = suggestions(index, query, currentFilter());
    if (near.length === 0) return;
    this.#title(messages.searchSuggestions, false);
    this.#options.replace(
      near.map((hit) => this.#option({ ...hit, document: { ...hit.document, headings: [], anchor: '' } }, query)),
      false,
    );
  }

  #preview(option: HTMLElement | undefined): void {
    const { preview } = this.#parts;
    const hit = option && this.#hits.get(option.id);
    preview.hidden = hit === undefined;
    preview.replaceChildren(...(hit ? hitPreview(hit, this.#query, trailOf(hit)) : []));
    preview.scrollTop = 0;
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
