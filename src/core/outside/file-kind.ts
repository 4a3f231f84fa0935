/** The type of a file by its first bytes, independent of its name and its server. */
export interface FileKind {
  /** Without a dot. */
  extension: string;
  /** Media type. */
  type: string;
}

const PNG: FileKind = { extension: 'png', type: 'image/png' };
const JPEG: FileKind = { extension: 'jpg', type: 'image/jpeg' };
const GIF: FileKind = { extension: 'gif', type: 'image/gif' };
const WEBP: FileKind = { extension: 'webp', type: 'image/webp' };
const AVIF: FileKind = { extension: 'avif', type: 'image/avif' };
const ICO: FileKind = { extension: 'ico', type: 'image/x-icon' };
const BMP: FileKind = { extension: 'bmp', type: 'image/bmp' };
const SVG: FileKind = { extension: 'svg', type: 'image/svg+xml' };

/** Maximum offset of an SVG's root element. */
const SVG_HEAD_BYTES = 4096;
/** What may precede the root: a byte order mark, a declaration, comments, a document type. */
const SVG_START =
  /^(?:\u00ef\u00bb\u00bf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)*<svg[\s>/]/i;

/** Returns the type of an image that browsers support; undefined for anything else, such as an error page. */
export function pictureKind(bytes: Uint8Array): FileKind | undefined {
  const head = latin1(bytes, 0, 16);
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return PNG;
  if (head.startsWith('\u00ff\u00d8\u00ff')) return JPEG;
  if (/^GIF8[79]a/.test(head)) return GIF;
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return WEBP;
  if (/^[\s\S]{4}ftypavi[fs]/.test(head)) return AVIF;
  if (head.startsWith('\0\0\u0001\0')) return ICO;
  if (head.startsWith('BM') && bytes.byteLength > 54) return BMP;
  return SVG_START.test(latin1(bytes, 0, SVG_HEAD_BYTES)) ? SVG : undefined;
}

/** Returns the type of a font that browsers support. */
export function fontKind(bytes: Uint8Array): FileKind | undefined {
  switch (latin1(bytes, 0, 4)) {
    case 'wOF2':
      return { extension: 'woff2', type: 'font/woff2' };
    case 'wOFF':
      return { extension: 'woff', type: 'font/woff' };
    case 'OTTO':
      return { extension: 'otf', type: 'font/otf' };
    case '\0\u0001\0\0':
    case 'true':
      return { extension: 'ttf', type: 'font/ttf' };
    default:
      return undefined;
  }
}

function latin1(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}
