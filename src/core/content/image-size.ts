/** How large an image is by itself, in CSS pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** No image of a page is larger; what says so is broken or a trick. */
const MAX_PIXELS = 60_000;
/** How far into a file of text or of boxes is looked. */
const HEAD_BYTES = 4096;

/**
 * Reads the size of a PNG, JPEG, GIF, WebP, AVIF or SVG from its head, so that a page can keep its place free before it
 * has come.
 * @returns undefined for other formats, for broken files, and for drawings that name no size
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  try {
    const size = readSize(bytes);
    return size && isSensible(size.width) && isSensible(size.height) ? size : undefined;
  } catch {
    // The file ends where its size should stand.
    return undefined;
  }
}

/**
 * The attributes of an `<img>` that keep its place free: both measures, or the height for the width that its author gives.
 * Nothing where the author says more, or the size is not known.
 */
export function imageSizeAttributes(width: unknown, height: unknown, size: ImageSize | undefined): string {
  if (!size || height !== undefined || (width !== undefined && !/^\d+(?:px)?$/.test(String(width)))) return '';
  if (width === undefined) return ` width="${size.width}" height="${size.height}"`;
  return ` height="${Math.round((Number.parseInt(String(width), 10) * size.height) / size.width)}"`;
}

function isSensible(pixels: number): boolean {
  return pixels >= 1 && pixels <= MAX_PIXELS;
}

function readSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = ascii(bytes, 0, 4);
  if (magic === '\u0089PNG') return { width: view.getUint32(16), height: view.getUint32(20) };
  if (magic === 'GIF8') return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (magic.startsWith('\u00ff\u00d8')) return jpegSize(view);
  if (magic === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return webpSize(bytes, view);
  if (ascii(bytes, 4, 4) === 'ftyp') return avifSize(bytes, view);
  return svgSize(bytes);
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}

/** Walks the segments to the frame header (ISO/IEC 10918-1, B.2.2). A picture that is turned by its metadata is left alone. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2;
  while (at < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xe1 && isTurned(view, at + 4)) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Whether an Exif block says that the picture is shown on its side, which swaps its measures. */
function isTurned(view: DataView, start: number): boolean {
  if (view.getUint32(start) !== 0x45786966) return false;
  const tiff = start + 6;
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12;
    if (view.getUint16(entry, little) === 0x0112) return view.getUint16(entry + 8, little) >= 5;
  }
  return false;
}

/** The three kinds of WebP: lossy, lossless, extended (RFC 9649 §2.5–2.7). */
function webpSize(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  const kind = ascii(bytes, 12, 4);
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8X') return undefined;
  const threeBytes = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 };
}

/** The property box with the measures (ISO/IEC 23008-12, 6.5.3); the largest one is the picture's, others are thumbnails'. */
function avifSize(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  let found: ImageSize | undefined;
  const end = Math.min(bytes.length, HEAD_BYTES) - 16;
  for (let at = 8; at < end; at++) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!found || size.width > found.width) found = size;
  }
  return found;
}

function svgSize(bytes: Uint8Array): ImageSize | undefined {
  const head = ascii(bytes, 0, HEAD_BYTES);
  const root = /<svg\b[^<>]*>/i.exec(head)?.[0];
  if (!root) return undefined;
  const measure = (name: string): number =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(root)?.[1]);
  const size = { width: Math.round(measure('width')), height: Math.round(measure('height')) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}
