/** The type of a file by its first bytes, independent of its name and its server. */
export interface FileKind {
  /** Without a dot. */
  extension: string;
  /** Media type. */
  type: string;
}

type Signature = readonly [start: RegExp, extension: string, type: string];

const PICTURES: readonly Signature[] = [
  [/^\u0089PNG\r\n\u001a\n/, 'png', 'image/png'],
  [/^\u00ff\u00d8\u00ff/, 'jpg', 'image/jpeg'],
  [/^GIF8[79]a/, 'gif', 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'webp', 'image/webp'],
  [/^[\s\S]{4}ftypavi[fs]/, 'avif', 'image/avif'],
  [/^\0\0\u0001\0/, 'ico', 'image/x-icon'],
  [/^BM[\s\S]{53}/, 'bmp', 'image/bmp'],
];
const FONTS: readonly Signature[] = [
  [/^wOF2/, 'woff2', 'font/woff2'],
  [/^wOFF/, 'woff', 'font/woff'],
  [/^OTTO/, 'otf', 'font/otf'],
  [/^(?:\0\u0001\0\0|true)/, 'ttf', 'font/ttf'],
];

/** Maximum offset of the root element of an SVG. */
const MAX_HEAD_BYTES = 4096;
/** What may precede the root: a byte order mark, a declaration, comments, a document type. */
const SVG_START =
  /^(?:\u00ef\u00bb\u00bf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)*<svg[\s>/]/i;

/**
 * Returns the type of an image that browsers support; undefined for anything else, such as an error
 * page.
 */
export function pictureKind(bytes: Uint8Array): FileKind | undefined {
  const head = headOf(bytes);
  return (
    kindOf(head, PICTURES) ??
    (SVG_START.test(head) ? { extension: 'svg', type: 'image/svg+xml' } : undefined)
  );
}

/** Returns the type of a font that browsers support. */
export function fontKind(bytes: Uint8Array): FileKind | undefined {
  return kindOf(headOf(bytes), FONTS);
}

function kindOf(head: string, signatures: readonly Signature[]): FileKind | undefined {
  const [, extension, type] = signatures.find(([start]) => start.test(head)) ?? [];
  return extension === undefined || type === undefined ? undefined : { extension, type };
}

function headOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, MAX_HEAD_BYTES));
}
