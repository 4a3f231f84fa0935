import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';

/** Opens article images that are scaled down at full size: by click, Enter or Space. */
const IMAGES = '.d-prose img:not([nozoom], [data-no-zoom], .d-icon, .d-card-image, a img, button img, .d-tile img, .d-card img)';
const WORTHWHILE = 1.15;

function open(image: HTMLImageElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'd-zoom';
  dialog.setAttribute('aria-label', image.alt || pageData().messages.enlarge);
  const copy = document.createElement('img');
  copy.src = image.currentSrc || image.src;
  copy.alt = image.alt;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'd-zoom-close';
  close.setAttribute('aria-label', pageData().messages.close);
  dialog.append(copy, close);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function offer(image: HTMLImageElement): void {
  const isDrawing = /\.svg(?:[?#]|$)/i.test(image.currentSrc);
  if (!isDrawing && image.naturalWidth < image.clientWidth * WORTHWHILE) return;
  image.dataset.zoom = '';
  image.tabIndex = 0;
  image.setAttribute('role', 'button');
  image.setAttribute('aria-label', image.alt ? `${pageData().messages.enlarge}: ${image.alt}` : pageData().messages.enlarge);
}

function offerAll(): undefined {
  for (const image of document.querySelectorAll<HTMLImageElement>(IMAGES)) {
    if (image.complete && image.naturalWidth > 0) offer(image);
    else image.addEventListener('load', () => offer(image), { once: true });
  }
}

export function startImageZoom(): void {
  onEachPage(offerAll);
  document.addEventListener('click', (event) => {
    if (event.target instanceof HTMLImageElement && 'zoom' in event.target.dataset) open(event.target);
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLImageElement) || !('zoom' in event.target.dataset)) return;
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open(event.target);
  });
}
