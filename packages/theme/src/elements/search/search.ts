import { copyOf } from '@docent/search/index/stored-document.ts';
import type { SearchHit } from '@docent/search/search-index.ts';
import { fill } from '../../translations/fill.ts';
import type { SearchEventDetail } from '../analytics.ts';
import { addStyles, make } from '../dom.ts';
import { pageAddress, pageData, pageFilter } from '../page-data.ts';
import { OptionList } from './option-list.ts';
import { askOption, emptyOptions, pageTrail, recentPages, recentSearches } from './search-empty.ts';
import { type SiteSearch, searchIndex, suggestions } from './search-index.ts';
import { createParts, type DialogParts } from './search-parts.ts';
import { groupHits, hitOption, hitPreview, titleOf } from './search-results.ts';
import { searchTexts } from './search-texts.ts';

/** The style sheet of the dialog, inserted by the theme build. */
declare const STYLES: string;

const LIMIT = 30;
/**
 * If texts must be loaded, the first batch has as many hits as ranking reads anyway; the others
 * follow on scrolling.
 */
const FIRST_FETCHED = 16;
/** Delay while the reader types, so that prefixes of a word are not loaded one by one. */
const TYPING_GAP_MS = 300;
const TYPING_REST_MS = 80;
/** After this pause in typing, the query counts as a search. */
const PAUSE_MS = 1500;
/** Distance from the end of the list at which more is loaded. */
const NEAR_END_PX = 80;

function addressOf(hit: SearchHit): string {
  const { href, anchor } = hit.document;
  return pageAddress(pageData(), anchor ? `${href}#${encodeURIComponent(anchor)}` : href);
}

function labelledGroup(
  title: HTMLElement,
  id: string,
  options: readonly HTMLElement[],
): HTMLElement {
  title.id = id;
  const box = make('div', 'd-search-set', title, ...options);
  box.setAttribute('role', 'group');
  box.setAttribute('aria-labelledby', id);
  return box;
}

/**
 * The search dialog of the site: an input, the matching sections grouped by page, and a preview of
 * the selected one.
 */
class SearchPanel {
  #parts: DialogParts;
  #options: OptionList;
  /** The dialog's language; a page swap can change the page's. */
  #madeFor = document.documentElement.lang;
  #hits = new Map<string, SearchHit>();
  /** The index of the page's language, once it has loaded. */
  #index: SiteSearch | undefined;
  #failed = false;
  /** The chosen result. */
  #chosen: Pick<SearchEventDetail, 'chosen' | 'href' | 'position'> | undefined;
  /** The page on which the dialog was opened; when it closes, another page may already be shown. */
  #openedAt = '';
  /** A query whose results the reader has seen, but not opened. */
  #paused = '';
  #pausedHits = 0;
  #pausing = 0;
  /** Counts queries, so that a late response to an earlier one is discarded. */
  #asked = 0;
  #typedAt = 0;
  /** Hits that appear when the reader scrolls down. */
  #more: (() => Promise<void>) | undefined;

  constructor() {
    this.#parts = createParts(() => this.#clear());
    this.#options = this.#connect();
  }

  #connect(): OptionList {
    const { dialog, input, list } = this.#parts;
    input.addEventListener('input', () => this.#onInput());
    list.parentElement?.addEventListener('scroll', (event) => {
      const { scrollTop, clientHeight, scrollHeight } = event.currentTarget as Element;
      if (scrollTop + clientHeight > scrollHeight - NEAR_END_PX) void this.#more?.();
    });
    input.addEventListener('keydown', (event) => this.#onKey(event));
    list.addEventListener('click', (event) => this.#onClick(event));
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener('close', () => {
      clearTimeout(this.#pausing);
      this.#paused = '';
      this.#report(this.#query, this.#hits.size);
    });
    return new OptionList(input, list, (option) => this.#preview(option));
  }

  #clear(): void {
    recentSearches.clear();
    recentPages.clear();
    this.#show();
    this.#parts.input.focus();
  }

  open(typed: string): void {
    if (this.#parts.dialog.open) return;
    if (this.#madeFor !== document.documentElement.lang) {
      this.#madeFor = document.documentElement.lang;
      this.#parts.dialog.remove();
      this.#parts = createParts(() => this.#clear());
      this.#options = this.#connect();
    }
    this.#index = undefined;
    const { dialog, input } = this.#parts;
    if (typed) input.value = typed;
    dialog.showModal();
    this.#openedAt = pageData().href;
    if (!typed) input.select();
    this.#show();
    void this.#load();
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

  #onInput(): void {
    this.#noteQuery();
    const now = performance.now();
    const isTyping = now - this.#typedAt < TYPING_GAP_MS;
    this.#typedAt = now;
    if (!this.#index?.fetches || !isTyping || this.#query === '') {
      this.#show();
      return;
    }
    const requestId = ++this.#asked;
    setTimeout(() => {
      if (requestId === this.#asked) this.#show();
    }, TYPING_REST_MS);
  }

  #show(): void {
    const query = this.#query;
    const texts = searchTexts();
    const requestId = ++this.#asked;
    this.#more = undefined;
    if (query === '') {
      this.#hits.clear();
      this.#showEmpty();
    } else if (this.#index) void this.#search(this.#index, query, requestId);
    else this.#showNote(this.#failed ? texts.failed : texts.loading);
  }

  /** Shows the results of a query, unless another query followed. */
  async #search(index: SiteSearch, query: string, requestId: number): Promise<void> {
    const { href, defaultVersion, language } = pageData();
    const defaults = { version: defaultVersion, language };
    const options = { filter: pageFilter(), defaults, currentPath: href.slice(1) || 'index' };
    const first = index.fetches ? FIRST_FETCHED : LIMIT;
    try {
      const hits = await index.search(
        query,
        { ...options, limit: first },
        () => requestId === this.#asked,
      );
      if (requestId !== this.#asked) return;
      this.#hits.clear();
      if (hits.length === 0) {
        await this.#showNothing(index, query, requestId);
        return;
      }
      this.#showHits(hits, query);
      if (hits.length < first || first === LIMIT) return;
      this.#more = async () => {
        this.#more = undefined;
        const all = await index.search(query, { ...options, limit: LIMIT });
        if (requestId === this.#asked) this.#options.add(this.#groups(all.slice(first), query));
      };
    } catch {
      if (requestId === this.#asked) this.#showNote(searchTexts().failed);
    }
  }

  #showNote(text: string): void {
    const { note, listTitle, status } = this.#parts;
    this.#options.replace(this.#withAsk([]), false);
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

  /** Returns the options, with the link to the assistant last if there is one. */
  #withAsk(options: HTMLElement[]): HTMLElement[] {
    const ask = askOption(this.#query);
    return ask ? [...options, ask] : options;
  }

  #showEmpty(): void {
    const [first, ...others] = emptyOptions();
    if (first === undefined) {
      this.#showNote(searchTexts().hint);
      return;
    }
    this.#parts.note.hidden = true;
    this.#title(first.title, first.isKept);
    this.#parts.status.textContent = '';
    const groups = others.map(({ title, options }, at) => {
      const head = make('div', 'd-search-page', make('span', '', title));
      return labelledGroup(head, `docent-search-title-${at}`, options);
    });
    this.#options.replace([...first.options, ...groups], false);
  }

  #option(hit: SearchHit, query: string): HTMLElement {
    const id = `docent-hit-${this.#hits.size}`;
    this.#hits.set(id, hit);
    return hitOption(hit, query, id, addressOf(hit));
  }

  #groups(hits: SearchHit[], query: string): HTMLElement[] {
    return groupHits(hits).map((group) => {
      const trail = group.hits[0] ? pageTrail(group.hits[0].document) : '';
      const version = group.hits[0]?.document.version;
      const title = make('div', 'd-search-page', make('span', '', titleOf(group)));
      if (trail) title.append(make('span', 'd-search-trail', trail));
      if (version) title.append(make('span', 'd-search-version', version));
      const id = `docent-search-page-${this.#hits.size}`;
      return labelledGroup(
        title,
        id,
        group.hits.map((hit) => this.#option(hit, query)),
      );
    });
  }

  #showHits(hits: SearchHit[], query: string): void {
    const groups = this.#groups(hits, query);
    this.#parts.note.hidden = true;
    this.#title('', false);
    this.#parts.status.textContent = fill(searchTexts().resultCount, {
      count: this.#hits.size,
    });
    this.#options.replace(this.#withAsk(groups), true);
  }

  /** Nothing was found; suggests pages close to the query if there are any. */
  async #showNothing(index: SiteSearch, query: string, requestId: number): Promise<void> {
    const texts = searchTexts();
    this.#showNote(fill(texts.nothing, { query }));
    const near = await suggestions(index, query, pageFilter());
    if (near.length === 0 || requestId !== this.#asked) return;
    this.#title(texts.suggestions, false);
    const options = near.map((hit) =>
      this.#option(
        { ...hit, document: { ...copyOf(hit.document), headings: [], anchor: '' } },
        query,
      ),
    );
    this.#options.replace(this.#withAsk(options), false);
  }

  #preview(option: HTMLElement | undefined): void {
    const { preview } = this.#parts;
    const hit = option && this.#hits.get(option.id);
    preview.hidden = hit === undefined;
    preview.replaceChildren(...(hit ? hitPreview(hit, this.#query, pageTrail(hit.document)) : []));
    preview.scrollTop = 0;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      void this.#move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // A real click, so that modifier keys open a new tab as for any link.
      const { metaKey, ctrlKey, shiftKey } = event;
      this.#options.selected?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, metaKey, ctrlKey, shiftKey }),
      );
    } else if (event.key === 'Escape') {
      // Browsers empty a search field first, but the dialog says that the key closes it.
      event.preventDefault();
      this.#parts.dialog.close();
    }
  }

  /** Before the selection wraps around at the end, loads the rest of the list. */
  async #move(step: number): Promise<void> {
    if (this.#more && this.#options.isAtEnd(step)) await this.#more().catch(() => undefined);
    this.#options.move(step);
  }

  /** A query counts as a search once the reader stops typing; the next one replaces it. */
  #noteQuery(): void {
    clearTimeout(this.#pausing);
    if (this.#paused !== '' && this.#paused !== this.#query) this.#report(this.#paused);
    this.#paused = '';
    this.#pausing = setTimeout(() => {
      this.#paused = this.#query;
      this.#pausedHits = this.#hits.size;
    }, PAUSE_MS);
  }

  /** Dispatches an event with the outcome of the finished search. */
  #report(query: string, results = this.#pausedHits): void {
    const chosen = this.#chosen;
    this.#chosen = undefined;
    if (query === '' || !this.#index) return;
    const detail: SearchEventDetail = { path: this.#openedAt, query, results, ...chosen };
    document.dispatchEvent(new CustomEvent('docent:search', { detail }));
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
    if (this.#query !== '') recentSearches.remember(this.#query);
    if (option.dataset.ask !== undefined) {
      this.#parts.dialog.close();
      document.dispatchEvent(
        new CustomEvent('docent:ask', { detail: { question: option.dataset.ask } }),
      );
      return;
    }
    const page = this.#hits.get(option.id)?.document;
    if (page) recentPages.remember({ title: page.pageTitle, href: page.href });
    const position = [...this.#hits.keys()].indexOf(option.id) + 1;
    this.#chosen = {
      chosen: (option as HTMLAnchorElement).href,
      ...(page && { href: page.href, position }),
    };
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) this.#parts.dialog.close();
  }
}

if (!globalThis.__docentSearch) {
  addStyles(STYLES);
  let panel: SearchPanel | undefined;
  globalThis.__docentSearch = {
    open(typed) {
      // Not before, because its strings come from a file of their own.
      panel ??= new SearchPanel();
      panel.open(typed);
    },
  };
}
