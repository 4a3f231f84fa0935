/**
 * Elements that run code, load documents or change how the rest of the page is parsed: removed with
 * their contents.
 */
const DROPPED = new Set(
  'script noscript noembed noframes xmp plaintext template embed applet param frame frameset portal base meta link foreignobject'.split(
    ' ',
  ),
);
/** Only their contents stay: structural elements of a document, and an object without a file. */
const UNWRAPPED = new Set(['html', 'head', 'body', 'object']);
/** Animations can change an attribute after it was checked. */
const ANIMATIONS = new Set(['animate', 'set', 'animatemotion', 'animatetransform']);

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

export type TagPolicy = 'keep' | 'drop' | 'unwrap';

/** How an element of the author is handled. */
export function tagPolicy(tag: string, attributes: Readonly<Record<string, unknown>>): TagPolicy {
  if (DROPPED.has(tag) || !/^[a-z][a-z0-9-]*$/.test(tag)) return 'drop';
  if (UNWRAPPED.has(tag)) return 'unwrap';
  if (ANIMATIONS.has(tag) && /href|^on/i.test(String(attributes.attributename ?? '')))
    return 'drop';
  return 'keep';
}

const BLOCKS = new Set(
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);

/** Returns whether the element is a block, which paragraphs cannot contain. */
export function isBlockTag(tag: string): boolean {
  return BLOCKS.has(tag);
}

/** Returns whether the element has no end tag and no content. */
export function isVoid(tag: string): boolean {
  return VOID.has(tag);
}

const DROPPED_ATTRIBUTES = new Set(
  'srcdoc action formaction ping manifest nonce http-equiv integrity background data codebase is'.split(
    ' ',
  ),
);

/** Returns whether the attribute is allowed in a page. Addresses are checked elsewhere. */
export function isSafeAttribute(name: string): boolean {
  return (
    /^[a-z_:][\w:.-]*$/i.test(name) &&
    !/^on/i.test(name) &&
    !DROPPED_ATTRIBUTES.has(name.toLowerCase())
  );
}

const BAD_CSS =
  /expression\s*\(|javascript\s*:|vbscript\s*:|-moz-binding|behavior\s*:|@import|<\/?\s*style/i;

/** Returns a style sheet without its comments; an unclosed comment stays. Linear. */
function withoutCssComments(css: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = css.indexOf('/*', from);
    const close = open < 0 ? -1 : css.indexOf('*/', open + 2);
    if (close < 0) return kept + css.slice(from);
    kept += css.slice(from, open);
    from = close + 2;
  }
}

/**
 * Returns whether CSS contains nothing that runs code or loads style sheets, escapes and comments
 * resolved.
 */
export function isSafeCss(css: string): boolean {
  const plain = withoutCssComments(css)
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    .replace(/\\/g, '');
  return !BAD_CSS.test(plain);
}

/**
 * Returns CSS for a `<style>` element, which is not escaped like other text; it must not close its
 * element.
 */
export function styleSheetText(css: string): string {
  return css
    .replace(/<(?=[/!])/g, '\\3c ')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

const BAD_SCHEMES = new Set([
  'javascript',
  'vbscript',
  'data',
  'blob',
  'file',
  'filesystem',
  'view-source',
  'about',
]);
const DATA_MEDIA =
  /^data:(?:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon)|(?:video|audio)\/[\w.+-]+)[;,]/i;

/**
 * Returns an address as a browser parses it: without ignored white space and control characters.
 */
export function cleanAddress(address: string): string {
  return address.replace(/[\u0000-\u001f\u007f]/g, '').trim();
}

/** Returns the lower-case scheme of a cleaned address; empty if it is relative. */
export function schemeOf(address: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Returns whether readers may follow a cleaned address with a scheme. */
export function isSafeLink(address: string): boolean {
  return !BAD_SCHEMES.has(schemeOf(address));
}

/** Returns whether a cleaned address with a scheme is allowed as image, video or audio. */
export function isSafeMedia(address: string): boolean {
  return /^https?:/i.test(address) || DATA_MEDIA.test(address);
}
