import { DocentTabs } from './content/docent-tabs.ts';
import { DocentView } from './content/docent-view.ts';
import { onEachPage } from './navigation/page-lifecycle.ts';

/** Opens everything that hides the element: closed details, hidden tabs and views. Returns whether anything was hidden. */
function reveal(target: Element): boolean {
  let changed = false;
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) {
      element.open = true;
      changed = true;
    } else if (element instanceof DocentTabs) changed = element.reveal(target) || changed;
    else if (element instanceof DocentView) changed = element.reveal() || changed;
  }
  return changed;
}

function revealHash(): undefined {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // A stray percent sign; the id is then used as written.
  }
  const target = id === '' ? null : document.getElementById(id);
  if (target && reveal(target)) target.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** Makes links to hidden places work: on load, on hash changes, and when the same link is used again. */
export function startRevealTarget(): void {
  addEventListener('hashchange', revealHash);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href^="#"]');
    if (link && link.hash === location.hash) revealHash();
  });
  onEachPage(revealHash);
}
