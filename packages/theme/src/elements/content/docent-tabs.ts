import { make, placeNamed } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { readStoredJson, writeStored } from '../storage.ts';

let lastId = 0;

/**
 * Tabs and code groups, following the tabs pattern of the ARIA Authoring Practices: arrow keys,
 * Home and End move and select. A selection applies to every group of the page with a tab of that
 * title, and to later pages.
 */
export class DocentTabs extends HTMLElement {
  #tabs: HTMLElement[] = [];
  #panels: HTMLElement[] = [];
  #select: HTMLSelectElement | null = null;

  connectedCallback(): void {
    if (this.#panels.length > 0) return;
    this.#panels = [...this.querySelectorAll<HTMLElement>(':scope > [role="tabpanel"]')];
    this.#tabs = [
      ...this.querySelectorAll<HTMLElement>(
        ':scope > .d-pane-bar > .d-pane-head, :scope > .d-src-bar > .d-pane-bar > .d-pane-head',
      ),
    ];
    this.#select = this.querySelector<HTMLSelectElement>(':scope > .d-src-bar > select');
    this.#connectTabs();
    this.#select?.addEventListener('change', () => this.#choose(this.#select?.selectedIndex ?? 0));
    this.#panels.forEach((panel, index) => {
      panel.addEventListener('beforematch', () => this.show(index));
    });
    const initial = this.#initialPanel();
    if (initial >= 0) this.show(initial);
  }

  /**
   * Returns the panel to show instead of the selected one: what the browser has shown, because a
   * link leads into it, before this script ran; otherwise what the reader chose last.
   */
  #initialPanel(): number {
    const selected = this.#tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const current = this.#select?.selectedIndex ?? selected;
    const target = this.#panels.findIndex(
      (panel, index) => index !== current && !panel.hasAttribute('hidden'),
    );
    if (target >= 0) return target;
    return this.#isSynced ? lastChoice(this.#titles) : -1;
  }

  get #isSynced(): boolean {
    return this.dataset.sync !== 'false';
  }

  get #titles(): string[] {
    return this.#panels.map((panel) => panel.dataset.title ?? '');
  }

  /** Shows one panel and hides the others. */
  show(index: number): void {
    this.#panels.forEach((panel, i) => {
      if (i === index) panel.removeAttribute('hidden');
      else panel.setAttribute('hidden', 'until-found');
    });
    this.#tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === index));
      tab.dataset.active = String(i === index);
      tab.tabIndex = i === index ? 0 : -1;
    });
    if (this.#select) this.#select.selectedIndex = index;
  }

  /** Shows the panel of this group that contains `element`, if any. */
  reveal(element: Element): boolean {
    const index = this.#panels.findIndex((panel) => panel.contains(element));
    if (index < 0 || !this.#panels[index]?.hasAttribute('hidden')) return false;
    this.show(index);
    return true;
  }

  /** Applies a selection made elsewhere on the page. */
  follow(title: string): void {
    const index = this.#isSynced ? this.#titles.indexOf(title) : -1;
    if (index >= 0) this.show(index);
  }

  #connectTabs(): void {
    this.#tabs.forEach((tab, index) => {
      const panel = this.#panels[index];
      if (!panel) return;
      tab.id ||= `d-pane-head-${++lastId}`;
      panel.id ||= `d-pane-${lastId}`;
      tab.setAttribute('aria-controls', panel.id);
      panel.setAttribute('aria-labelledby', tab.id);
      tab.addEventListener('click', () => this.#choose(index));
      tab.addEventListener('keydown', (event) => this.#onKey(event, index));
    });
  }

  /** Groups above this one may change their height; the reader's scroll position must not move. */
  #choose(index: number): void {
    const anchor = this.#tabs[index] ?? this;
    const before = anchor.getBoundingClientRect().top;
    this.show(index);
    const title = this.#titles[index];
    if (this.#isSynced && title) {
      rememberChoice(title);
      for (const other of document.querySelectorAll<DocentTabs>('docent-tabs'))
        if (other !== this) other.follow(title);
    }
    const moved = anchor.getBoundingClientRect().top - before;
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
  }

  #onKey(event: KeyboardEvent, index: number): void {
    const last = this.#tabs.length - 1;
    const forward = getComputedStyle(this).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
    const targets: Record<string, number> = {
      [forward]: index === last ? 0 : index + 1,
      [backward]: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    const target = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined;
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#choose(target);
    this.#tabs[target]?.focus();
  }
}

/**
 * Content for one choice. All views of a page switch together, by one selector above the first of
 * them.
 */
export class DocentView extends HTMLElement {
  #listening = false;

  connectedCallback(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.addEventListener('beforematch', () => this.reveal());
  }

  get viewTitle(): string {
    return this.dataset.title ?? '';
  }

  /** Switches the page to this view; returns whether it changed. */
  reveal(): boolean {
    if (!this.hasAttribute('hidden')) return false;
    switchTo(this.viewTitle);
    return true;
  }
}

let selector: HTMLSelectElement | undefined;

function views(): DocentView[] {
  return [...document.querySelectorAll<DocentView>('docent-view')];
}

function offerViews(): undefined {
  const titles = [...new Set(views().map((view) => view.viewTitle))];
  if (titles.length < 2) return;
  const select = make('select', '', ...titles.map((title) => new Option(title)));
  views()[0]?.before(
    make('label', 'd-variant-switch multi-view-dropdown', pageData().messages.view, select),
  );
  select.addEventListener('change', () => {
    rememberChoice(select.value);
    switchTo(select.value);
  });
  selector = select;
  switchTo(titles[Math.max(lastChoice(titles), 0)] ?? '');
}

/** The selector of a page's views. */
export function startViews(): void {
  onEachPage(offerViews, true);
}

function switchTo(title: string): void {
  for (const view of views()) {
    if (view.viewTitle === title) view.removeAttribute('hidden');
    else view.setAttribute('hidden', 'until-found');
  }
  if (selector) selector.value = title;
  hideEntriesOfHiddenHeadings();
}

/** The table of contents lists only visible headings. */
function hideEntriesOfHiddenHeadings(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')) {
    const entry = link.closest('li');
    const target = placeNamed(decodeURIComponent(link.hash.slice(1)));
    if (entry && target?.closest('docent-view'))
      entry.hidden = target.closest('docent-view[hidden]') !== null;
  }
}

const KEY = 'docent-choices';
const MAX_CHOICES = 40;

let choices: string[] | undefined;

function load(): string[] {
  if (choices) return choices;
  const stored = readStoredJson('local', KEY);
  choices = Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  return choices;
}

/** Stores the title that the reader chose, for this page and the next ones. */
function rememberChoice(title: string): void {
  choices = [title, ...load().filter((other) => other !== title)].slice(0, MAX_CHOICES);
  writeStored('local', KEY, JSON.stringify(choices));
}

/**
 * Returns the index of the title among `titles` that the reader chose last; -1 if the reader never
 * chose any of them.
 */
function lastChoice(titles: readonly string[]): number {
  for (const choice of load()) {
    const index = titles.indexOf(choice);
    if (index >= 0) return index;
  }
  return -1;
}
