import { withoutCssComments } from '../css-comments.ts';

/** Elements that run code, load documents or change how the rest of the page is read: gone, with what is in them. */
const DROPPED = new Set(
  'script noscript noembed noframes xmp plaintext template object embed applet param frame frameset portal base meta link foreignobject'.split(
    ' ',
  ),
);
/** Parts of a document: their content stays. */
const UNWRAPPED = new Set(['html', 'head', 'body']);
/** Animations can change an attribute after it was checked. */
const ANIMATIONS = new Set(['animate', 'set', 'animatemotion', 'animatetransform']);

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

export type TagPolicy = 'keep' | 'drop' | 'unwrap';

/** What happens to an element of the author. */
export function tagPolicy(tag: string, attributes: Readonly<Record<string, unknown>>): TagPolicy {
  if (DROPPED.has(tag) || !/^[a-z][a-z0-9-]*$/.test(tag)) return 'drop';
  if (UNWRAPPED.has(tag)) return 'unwrap';
  if (ANIMATIONS.has(tag) && /href|^on/i.test(String(attributes.attributename ?? ''))) return 'drop';
  return 'keep';
}

const BLOCKS = new Set(
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);

/** Whether the element is a block by itself, which no paragraph may hold. */
export function isBlockTag(tag: string): boolean {
  return BLOCKS.has(tag);
}

/** Whether the element has no end tag and no content. */
export function isVoid(tag: string): boolean {
  return VOID.has(tag);
}

const DROPPED_ATTRIBUTES = new Set([
  'srcdoc',
  'action',
  'formaction',
  'ping',
  'manifest',
  'nonce',
  'http-equiv',
  'integrity',
  'background',
  'data',
  'codebase',
  'is',
]);

/** Whether the attribute may stand in a page. Values that are addresses are looked at elsewhere. */
export function isSafeAttribute(name: string): boolean {
  return /^[a-z_:][\w:.-]*$/i.test(name) && !/^on/i.test(name) && !DROPPED_ATTRIBUTES.has(name.toLowerCase());
}

const BAD_CSS = /expression\s*\(|javascript\s*:|vbscript\s*:|-moz-binding|behavior\s*:|@import|<\/?\s*style/i;

/** Whether a piece of CSS is free of what runs code or loads other style sheets, escapes and comments looked through. */
export function isSafeCss(css: string): boolean {
  const plain = withoutCssComments(css)
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)))
    .replace(/\\/g, '');
  return !BAD_CSS.test(plain);
}

/** CSS for a `<style>` element, which is not escaped like other text; it may not end its element. */
export function styleSheetText(css: string): string {
  return css.replace(/<(?=[/!])/g, '\\3c ').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

const BAD_SCHEMES = new Set(['javascript', 'vbscript', 'data', 'blob', 'file', 'filesystem', 'view-source', 'about']);
const DATA_MEDIA = /^data:(?:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon)|(?:video|audio)\/[\w.+-]+)[;,]/i;

/** An address as a browser reads it: without the white space and control characters that it ignores. */
export function cleanAddress(address: string): string {
  return address.replace(/[\u0000-\u001f\u007f]/g, '').trim();
}

/** The scheme of a cleaned address in lower case; empty where it is relative. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Whether a cleaned address with a scheme may be followed by a reader's click. */
export function isSafeLink(address: string): boolean {
  return !BAD_SCHEMES.has(schemeOf(address));
}

/** Whether a cleaned address with a scheme may be shown as image, video or sound. */
export function isSafeMedia(address: string): boolean {
  return /^https?:/i.test(address) || DATA_MEDIA.test(address);
}
