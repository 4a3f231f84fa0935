import { onClick } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { focusTarget, targetOfUrl } from '../navigation/target.ts';
import { decodedPart } from '../page-data.ts';

/** Tabs and views, which `components.js` defines on pages that have any. */
type Revealing = Element & { reveal?: (target: Element) => boolean };

/**
 * Opens everything that hides the element: closed details, hidden tabs and views. Returns whether
 * anything was hidden.
 */
function reveal(target: Element): boolean {
  let changed = false;
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) {
      element.open = true;
      changed = true;
    } else if ((element as Revealing).reveal?.(target)) changed = true;
  }
  return changed;
}

function revealHash(): undefined {
  const target = targetOfUrl();
  // A browser finds only what has exactly that id.
  if (
    target &&
    (reveal(target) || target !== document.getElementById(decodedPart(location.hash.slice(1))))
  )
    target.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/**
 * Makes links to hidden places work: on load, on hash changes, and when the same link is used
 * again.
 */
export function startRevealTarget(): void {
  addEventListener('hashchange', () => {
    revealHash();
    if (document.activeElement === document.body) focusTarget();
  });
  onClick('a[href^="#"]', (link) => {
    if ((link as HTMLAnchorElement).hash === location.hash) revealHash();
  });
  onEachPage(revealHash);
}

/**
 * Opening an accordion adds its id to the URL, so that the reader can share it; closing removes it.
 */
export function startAccordionHash(): void {
  onClick('details.d-accordion[id] > summary', (summary, { target }) => {
    if ((target as Element).closest('a, button')) return;
    const accordion = summary.parentElement as HTMLDetailsElement;
    const hash = `#${encodeURIComponent(accordion.id)}`;
    const opens = !accordion.open;
    if (opens) history.replaceState(history.state, '', hash);
    else if (location.hash === hash)
      history.replaceState(history.state, '', location.pathname + location.search);
  });
}
