import { readStored, writeStored } from './storage.ts';

/*
 * Closes the bar of a preview. It stays closed in this tab until the preview shows another build. Until this has run, the style
 * sheet hides the bar, so that a closed one does not flash.
 */

const KEY = 'docent-preview-bar';

const bar = document.querySelector<HTMLElement>('.d-draft');
if (bar) {
  const { build = '' } = bar.dataset;
  if (readStored('session', KEY) === build) bar.hidden = true;
  bar.classList.add('d-draft-ready');
  bar.querySelector('.d-draft-close')?.addEventListener('click', () => {
    writeStored('session', KEY, build);
    bar.hidden = true;
    document.getElementById('content-area')?.focus({ preventScroll: true });
  });
}
