import { loadShared, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { pageScript } from '../page-scripts.ts';
import { onEachPage } from './page-lifecycle.ts';

/*
 * Of a long list of pages, a page has only the part around itself. The whole list is in a script
 * that all pages share; it completes the part as soon as the reader turns to the list, and then
 * stays, also on the next pages.
 */

declare global {
  var __docentMenus: Record<string, string> | undefined;
}

const LIST = '#navigation-items[data-menu]:not([data-whole])';

async function load(): Promise<void> {
  const name = document.querySelector<HTMLElement>(LIST)?.dataset.menu;
  if (name === undefined) return;
  const file = new URL(`${pageData().root}_docent/${name}`, document.baseURI).href;
  const [navigation] = await Promise.all([
    pageScript('navigation'),
    !globalThis.__docentMenus?.[name] && loadShared(file),
  ]);
  // The reader may have gone on meanwhile.
  const list = document.querySelector<HTMLElement>(LIST);
  const text = globalThis.__docentMenus?.[name];
  if (list?.dataset.menu === name && text !== undefined) navigation.completeMenu(list, text);
}

/** The disclosures of the branches that are not in the page. */
function addDisclosures(): undefined {
  for (const link of document.querySelectorAll(`${LIST} a[data-cut]:only-child`)) {
    const summary = make('summary');
    const label = (link.querySelector('span:not([class])') ?? link).textContent;
    const text = link.closest<HTMLElement>(LIST)?.dataset.show ?? '';
    summary.ariaLabel = text.replace('{label}', () => label);
    link.after(make('details', 'd-branch', summary));
  }
}

/**
 * Loads the whole list when the reader points at the list, enters it by keyboard, opens a branch,
 * or searches in the page.
 */
export function startWholeMenu(): void {
  const consider = ({ target }: Event): void => {
    if (target instanceof Element && target.closest(LIST)) load().catch(reportError);
  };
  onEachPage(addDisclosures);
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider);
  // Also of the drawer of small screens.
  document.addEventListener(
    'toggle',
    ({ target }) =>
      (target as Element).matches('[data-cut] + *, #mobile-nav') && load().catch(reportError),
    true,
  );
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f')
      load().catch(reportError);
  });
}
