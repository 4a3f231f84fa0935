import { button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';

/** A changelog entry. If entries have tags, buttons above the first one filter by them; the URL keeps the selection. */
export class DocentUpdate extends HTMLElement {
  connectedCallback(): void {
    startFilter();
  }

  get tags(): string[] {
    try {
      const tags: unknown = JSON.parse(this.dataset.tags ?? '[]');
      return Array.isArray(tags) ? tags.map(String) : [];
    } catch {
      return [];
    }
  }
}

let bar: HTMLElement | undefined;
let starting = false;

/** Elements are upgraded one by one; the filter bar needs all of them. A swapped-in page needs its own. */
function startFilter(): void {
  if (starting || bar?.isConnected) return;
  starting = true;
  queueMicrotask(() => {
    starting = false;
    const updates = [...document.querySelectorAll<DocentUpdate>('docent-update')];
    const tags = [...new Set(updates.flatMap((update) => update.tags))].sort((a, b) => a.localeCompare(b));
    const first = updates[0];
    if (!first || tags.length === 0) return;
    const wanted = new URLSearchParams(location.search).get('tags')?.split(',') ?? [];
    const chosen = new Set(wanted.filter((tag) => tags.includes(tag)));
    const apply = (): void => {
      for (const update of updates) update.hidden = ![...chosen].every((tag) => update.tags.includes(tag));
    };
    bar = filterBar(tags, chosen, apply);
    first.before(bar);
    apply();
  });
}

function filterBar(tags: readonly string[], chosen: Set<string>, apply: () => void): HTMLElement {
  const bar = make('div', 'd-update-filter');
  bar.id = 'changelog-filters';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', pageData().messages.filterByTag);
  for (const tag of tags) {
    const toggle = (): void => {
      if (!chosen.delete(tag)) chosen.add(tag);
      made.setAttribute('aria-pressed', String(chosen.has(tag)));
      apply();
      writeAddress(chosen);
    };
    const made = button('', toggle, tag);
    made.setAttribute('aria-pressed', String(chosen.has(tag)));
    bar.append(made);
  }
  return bar;
}

function writeAddress(chosen: ReadonlySet<string>): void {
  const address = new URL(location.href);
  if (chosen.size > 0) address.searchParams.set('tags', [...chosen].join(','));
  else address.searchParams.delete('tags');
  history.replaceState(history.state, '', address);
}
