import { withoutCssComments } from '../css-comments.ts';
import { unescapeHtml } from '../html.ts';

/** Elements whose content is not markup. */
const RAW = /^(?:script|style|textarea|title)$/i;
/**
 * An unclosed element extends to the end of the document, as in a browser, so that every match is the only attempt at its
 * position.
 */
const TAG = /<!--[\s\S]*?(?:-->|$)|<([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)(?:>|["'][\s\S]*|$)/g;
const ATTRIBUTE = /(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const ADDRESSES = new Set(['href', 'src', 'poster', 'data', 'action', 'data-markdown', 'xlink:href']);
/** Links for programs other than the browser: they use the site's public URL. */
const META_RELATIONS = /\brel="(?:canonical|alternate|prev|next)"/;
const CSS_ADDRESS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')/gi;

/** An address in a file of a bundle. */
export interface DocumentLink {
  address: string;
  /** Whether a browser fetches it automatically to show the document, not after a click. */
  fetched: boolean;
}

/** Returns the addresses in a style sheet: images, fonts, further style sheets. */
export function* styleLinks(css: string): Iterable<DocumentLink> {
  for (const [, ...found] of withoutCssComments(css).matchAll(CSS_ADDRESS)) {
    const address = found.find((one) => one !== undefined);
    if (address) yield { address, fetched: true };
  }
}

/** Returns the addresses in an HTML document, as written: links, scripts, styles, images, media, forms, refreshes. */
export function* documentLinks(html: string): Iterable<DocumentLink> {
  TAG.lastIndex = 0;
  const tags = new RegExp(TAG);
  for (let match = tags.exec(html); match; match = tags.exec(html)) {
    const [, name, attributes = ''] = match;
    if (name === undefined) continue;
    yield* tagLinks(name.toLowerCase(), attributes);
    if (!RAW.test(name)) continue;
    const end = html.toLowerCase().indexOf(`</${name.toLowerCase()}`, tags.lastIndex);
    const inside = html.slice(tags.lastIndex, end < 0 ? undefined : end);
    if (name.toLowerCase() === 'style') yield* styleLinks(inside);
    if (end < 0) return;
    tags.lastIndex = end;
  }
}

function* tagLinks(tag: string, attributes: string): Iterable<DocumentLink> {
  const isLink = tag === 'a' || tag === 'area' || tag === 'form' || (tag === 'link' && META_RELATIONS.test(attributes));
  for (const [, written = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const name = written.toLowerCase();
    const value = unescapeHtml(double ?? single ?? bare ?? '').trim();
    if (ADDRESSES.has(name)) yield { address: value, fetched: !isLink && name !== 'data-markdown' };
    else if (name === 'srcset') {
      for (const part of value.split(/,\s+/)) yield { address: part.trim().split(/\s+/)[0] ?? '', fetched: true };
    } else if (name === 'style') yield* styleLinks(value);
    else if (tag === 'meta' && name === 'content' && /http-equiv="refresh"/i.test(attributes)) {
      yield { address: value.replace(/^[^=]*=/, ''), fetched: false };
    }
  }
}
