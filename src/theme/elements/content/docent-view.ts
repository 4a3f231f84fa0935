import { pageData } from '../page-data.ts';
import { lastChoice, rememberChoice } from './remembered-choices.ts';

/** Content for one choice. All views of a page switch together, by one selector above the first of them. */
export class DocentView extends HTMLElement {
  #listening = false;

  connectedCallback(): void {
    startViews();
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
let starting = false;

function views(): DocentView[] {
  return [...document.querySelectorAll<DocentView>('docent-view')];
}

/** Elements are upgraded one by one; the selector needs all of them. A swapped-in page needs its own. */
function startViews(): void {
  if (starting || selector?.isConnected) return;
  starting = true;
  const select = document.createElement('select');
  selector = select;
  queueMicrotask(() => {
    starting = false;
    const titles = [...new Set(views().map((view) => view.viewTitle))];
    const first = document.querySelector('docent-view');
    if (!first || titles.length < 2) return;
    select.append(...titles.map((title) => new Option(title)));
    const label = document.createElement('label');
    label.className = 'd-view-switch multi-view-dropdown';
    label.append(pageData().messages.view, select);
    first.before(label);
    select.addEventListener('change', () => {
      rememberChoice(select.value);
      switchTo(select.value);
    });
    switchTo(titles[Math.max(lastChoice(titles), 0)] ?? '');
  });
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
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (entry && target?.closest('docent-view')) entry.hidden = target.closest('docent-view[hidden]') !== null;
  }
}
