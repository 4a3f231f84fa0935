import { imageSize as measure } from 'image-size';

/** The intrinsic size of an image, in CSS pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

const MAX_PIXELS = 60_000;
/** Bytes to read of an SVG, and of another image, whose size may follow much metadata. */
const DRAWING_HEAD_BYTES = 4096;
const PICTURE_HEAD_BYTES = 1 << 20;
/** From this Exif orientation on, an image is rotated by 90 degrees. */
const FIRST_SIDEWAYS = 5;

/**
 * Reads the size of an image from its header, so that a page can reserve space for it.
 * @returns undefined for other formats, for broken files, and for SVGs without a size
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const size = svgSize(bytes) ?? pictureSize(bytes);
  return size && isSensible(size.width) && isSensible(size.height) ? size : undefined;
}

/**
 * Returns the `<img>` attributes that reserve space: both dimensions, or the height for the
 * author's width. Nothing if the author sets more, or the size is unknown.
 */
export function imageSizeAttributes(
  width: unknown,
  height: unknown,
  size: ImageSize | undefined,
): string {
  if (!size || height !== undefined || (width !== undefined && !/^\d+(?:px)?$/.test(String(width))))
    return '';
  if (width === undefined) return ` width="${size.width}" height="${size.height}"`;
  return ` height="${Math.round((Number.parseInt(String(width), 10) * size.height) / size.width)}"`;
}

function isSensible(pixels: number): boolean {
  return pixels >= 1 && pixels <= MAX_PIXELS;
}

function pictureSize(bytes: Uint8Array): ImageSize | undefined {
  try {
    const { type, width, height, orientation = 1 } = measure(bytes.subarray(0, PICTURE_HEAD_BYTES));
    // For an SVG without a size, the library returns that of the view box, which browsers scale to
    // the page width.
    if (type === 'svg') return undefined;
    return orientation >= FIRST_SIDEWAYS ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

function svgSize(bytes: Uint8Array): ImageSize | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, DRAWING_HEAD_BYTES));
  const root = /<svg\b[^<>]*>/i.exec(head)?.[0];
  if (!root) return undefined;
  const measureOf = (name: string): number =>
    Math.round(
      Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(root)?.[1]),
    );
  return { width: measureOf('width'), height: measureOf('height') };
}
