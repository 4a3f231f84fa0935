import { lastChoice, rememberChoice } from './remembered-choices.ts';

let lastId = 0;

/**
 * Tabs and code groups, following the tabs pattern of the ARIA Authoring Practices: arrow keys, Home and End move and select. A
 * selection applies to every group of the page with a tab of that title, and to later pages.
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
        ':scope > .d-tab-list > .d-tab-button, :scope > .d-code-bar > .d-tab-list > .d-tab-button',
      ),
    ];
    this.#select = this.querySelector<HTMLSelectElement>(':scope > .d-code-bar > select');
    this.#connectTabs();
    this.#select?.addEventListener('change', () => this.#choose(this.#select?.selectedIndex ?? 0));
    this.#panels.forEach((panel, index) => {
      panel.addEventListener('beforematch', () => this.show(index));
    });
    const remembered = this.#isSynced ? lastChoice(this.#titles) : -1;
    if (remembered >= 0) this.show(remembered);
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
      tab.id ||= `d-tab-${++lastId}`;
      panel.id ||= `d-panel-${lastId}`;
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
      for (const other of document.querySelectorAll<DocentTabs>('docent-tabs')) if (other !== this) other.follow(title);
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
