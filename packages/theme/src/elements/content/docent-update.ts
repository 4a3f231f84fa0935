import { button, make } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';

/** The tags of a changelog entry. */
function tagsOf(update: HTMLElement): string[] {
  try {
    const tags: unknown = JSON.parse(update.dataset.tags ?? '[]');
    return Array.isArray(tags) ? tags.map(String) : [];
  } catch {
    return [];
  }
}

function offerFilter(): undefined {
  const updates = [...document.querySelectorAll<HTMLElement>('docent-update')];
  const tags = [...new Set(updates.flatMap(tagsOf))].sort((a, b) => a.localeCompare(b));
  if (tags.length === 0) return;
  const requestedTags = new URLSearchParams(location.search).get('tags')?.split(',') ?? [];
  const chosen = new Set(requestedTags.filter((tag) => tags.includes(tag)));
  const apply = (): void => {
    for (const update of updates)
      update.hidden = ![...chosen].every((tag) => tagsOf(update).includes(tag));
  };
  updates[0]?.before(filterBar(tags, chosen, apply));
  apply();
}

/**
 * If the entries of a changelog have tags, buttons above the first one filter by them; the URL
 * keeps the selection.
 */
export function startUpdateFilter(): void {
  onEachPage(offerFilter);
}

function filterBar(tags: readonly string[], chosen: Set<string>, apply: () => void): HTMLElement {
  const bar = make('div', 'd-entry-filter');
  bar.id = 'changelog-filters';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', pageData().messages.filterByTag);
  for (const tag of tags) {
    const toggle = (): void => {
      if (!chosen.delete(tag)) chosen.add(tag);
      tagButton.setAttribute('aria-pressed', String(chosen.has(tag)));
      apply();
      writeAddress(chosen);
    };
    const tagButton = button('', toggle, tag);
    tagButton.setAttribute('aria-pressed', String(chosen.has(tag)));
    bar.append(tagButton);
  }
  return bar;
}

function writeAddress(chosen: ReadonlySet<string>): void {
  const address = new URL(location.href);
  if (chosen.size > 0) address.searchParams.set('tags', [...chosen].join(','));
  else address.searchParams.delete('tags');
  history.replaceState(history.state, '', address);
}
