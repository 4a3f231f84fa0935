import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { copyButtonFor, copyText, drawSign } from './copy-button.ts';

const IMAGES = '.d-prose img[data-actions]';

/** Returns the image as PNG, the only type that every clipboard supports. Fails if the browser may not read its pixels. */
async function asPng(image: HTMLImageElement): Promise<Blob> {
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth || image.width;
  canvas.height = image.naturalHeight || image.height;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture has no pixels.'))), 'image/png');
  });
}

/** Copies the image to the clipboard, or its URL if the image itself is not allowed. */
async function copyImage(image: HTMLImageElement): Promise<boolean> {
  try {
    // The promise is passed unawaited: a browser forgets the click's permission while the image is drawn.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(image) })]);
    return true;
  } catch {
    return copyText(image.currentSrc || image.src);
  }
}

function downloadLink(image: HTMLImageElement): HTMLAnchorElement {
  const label = pageData().messages.download;
  const link = document.createElement('a');
  link.className = 'd-copy';
  link.href = image.currentSrc || image.src;
  link.download = '';
  drawSign(link, label, 'download');
  if (image.alt) link.setAttribute('aria-label', `${label}: ${image.alt}`);
  return link;
}

function actionsOf(image: HTMLImageElement): HTMLElement {
  const wanted = (image.dataset.actions ?? '').split(' ');
  const bar = document.createElement('span');
  bar.className = 'd-image-actions';
  bar.dataset.placement = image.dataset.actionsPlacement ?? 'top-right';
  if (wanted.includes('copy')) bar.append(copyButtonFor(() => copyImage(image)));
  if (wanted.includes('download')) bar.append(downloadLink(image));
  return bar;
}

function offer(image: HTMLImageElement): void {
  if (image.parentElement?.classList.contains('d-image')) return;
  const place = document.createElement('span');
  place.className = 'd-image';
  image.replaceWith(place);
  place.append(image, actionsOf(image));
}

/** Buttons to copy and save an image, on images whose author requested them. */
export function startImageActions(): void {
  onEachPage(() => {
    for (const image of document.querySelectorAll<HTMLImageElement>(IMAGES)) offer(image);
    return undefined;
  });
}
