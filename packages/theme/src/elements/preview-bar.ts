import { readStored, writeStored } from './storage.ts';

/*
 * Closes the bar of a preview, and marks the current page in its list. A closed bar stays closed in
 * this tab until the preview shows another build. Until this has run, the style sheet hides the
 * bar, so that a closed one does not flash.
 */

const KEY = 'docent-preview-bar';

/** The list keeps its place from page to page, so that a reviewer can go through it. */
function markCurrent(bar: HTMLElement): void {
  for (const link of bar.querySelectorAll('a')) {
    if (link.origin + link.pathname === location.origin + location.pathname)
      link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

const bar = document.querySelector<HTMLElement>('.d-draft');
if (bar) {
  const { build = '' } = bar.dataset;
  if (readStored('session', KEY) === build) bar.hidden = true;
  bar.classList.add('d-draft-ready');
  markCurrent(bar);
  document.addEventListener('docent:page', () => markCurrent(bar));
  bar.querySelector('details')?.addEventListener('toggle', () => {
    bar.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  });
  bar.querySelector('.d-draft-close')?.addEventListener('click', () => {
    writeStored('session', KEY, build);
    bar.hidden = true;
    document.getElementById('content-area')?.focus({ preventScroll: true });
  });
}
