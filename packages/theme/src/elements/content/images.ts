import { button, make, onClick } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { copyButton, copyText, drawSign } from './copy-button.ts';

/** Opens article images that are scaled down at full size: by click, Enter or Space. */
const ZOOMABLE =
  '.d-prose img:not([nozoom], [data-no-zoom], .d-icon, .d-box-image, a img, button img, .d-tile img, .d-card img)';
const WORTHWHILE = 1.15;

function open(image: HTMLImageElement): void {
  const copy = make('img');
  copy.src = image.currentSrc || image.src;
  copy.alt = image.alt;
  const close = button('d-zoom-close', () => dialog.close());
  close.setAttribute('aria-label', pageData().messages.close);
  const dialog = make('dialog', 'd-zoom', copy, close);
  dialog.setAttribute('aria-label', image.alt || pageData().messages.enlarge);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function offerZoom(image: HTMLImageElement): void {
  const isDrawing = /\.svg(?:[?#]|$)/i.test(image.currentSrc);
  if (!isDrawing && image.naturalWidth < image.clientWidth * WORTHWHILE) return;
  image.dataset.zoom = '';
  image.tabIndex = 0;
  image.setAttribute('role', 'button');
  image.setAttribute(
    'aria-label',
    image.alt ? `${pageData().messages.enlarge}: ${image.alt}` : pageData().messages.enlarge,
  );
}

function offerZoomOnAll(): undefined {
  for (const image of document.querySelectorAll<HTMLImageElement>(ZOOMABLE)) {
    if (image.complete && image.naturalWidth > 0) offerZoom(image);
    else image.addEventListener('load', () => offerZoom(image), { once: true });
  }
}

export function startImageZoom(): void {
  onEachPage(offerZoomOnAll);
  onClick('img[data-zoom]', (image) => open(image as HTMLImageElement));
  document.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLImageElement) || !('zoom' in event.target.dataset)) return;
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open(event.target);
  });
}

const WITH_ACTIONS = '.d-prose img[data-actions]';

/**
 * Returns the image as PNG, the only type that every clipboard supports. Fails if the browser may
 * not read its pixels.
 */
async function asPng(image: HTMLImageElement): Promise<Blob> {
  await image.decode();
  const canvas = make('canvas');
  canvas.width = image.naturalWidth || image.width;
  canvas.height = image.naturalHeight || image.height;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture has no pixels.'))),
      'image/png',
    );
  });
}

/** Copies the image to the clipboard, or its URL if the image itself is not allowed. */
async function copyImage(image: HTMLImageElement): Promise<boolean> {
  try {
    // The promise is passed unawaited: a browser forgets the click's permission while the image is
    // drawn.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(image) })]);
    return true;
  } catch {
    return copyText(image.currentSrc || image.src);
  }
}

function downloadLink(image: HTMLImageElement): HTMLAnchorElement {
  const label = pageData().messages.download;
  const link = make('a', 'd-copy');
  link.href = image.currentSrc || image.src;
  link.download = '';
  drawSign(link, label, 'download');
  if (image.alt) link.setAttribute('aria-label', `${label}: ${image.alt}`);
  return link;
}

function actionsOf(image: HTMLImageElement): HTMLElement {
  const actionNames = (image.dataset.actions ?? '').split(' ');
  const bar = make('span', 'd-image-actions');
  bar.dataset.placement = image.dataset.actionsPlacement ?? 'top-right';
  if (actionNames.includes('copy')) bar.append(copyButton(() => copyImage(image)));
  if (actionNames.includes('download')) bar.append(downloadLink(image));
  return bar;
}

function offerActions(image: HTMLImageElement): void {
  if (image.parentElement?.classList.contains('d-image')) return;
  const place = make('span', 'd-image');
  image.replaceWith(place);
  place.append(image, actionsOf(image));
}

/** Buttons to copy and save an image, on images whose author requested them. */
export function startImageActions(): void {
  onEachPage(() => {
    for (const image of document.querySelectorAll<HTMLImageElement>(WITH_ACTIONS))
      offerActions(image);
    return undefined;
  });
}
