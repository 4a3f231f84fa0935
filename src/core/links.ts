import { escapeHtml } from './html.ts';

/**
 * Links inside a page's content are left as marks, because where they lead depends on the use: the hosted
 * site has `/guides/start`, an exported bundle `../guides/start.html`. A mark is `␁P…␁` for a page and
 * `␁A…␁` for a file of the site, with U+0001 as the fence. No text can hold one: `escapeHtml` drops
 * control characters.
 */
const FENCE = '\u0001';

/** `page` leads to a page (`/guides/start#install`), `asset` to a file (`/images/a.png`). */
export type LinkKind = 'page' | 'asset';

/** Where a marked link leads in one particular use of the site. Returns an address, not yet escaped. */
export type ResolveLink = (kind: LinkKind, target: string) => string;

/**
 * A mark to be written, unescaped, into an attribute value.
 * @param target site path with a leading slash; a page's may have `?query` and `#anchor`
 */
export function linkMark(kind: LinkKind, target: string): string {
  return `${FENCE}${kind === 'page' ? 'P' : 'A'}${escapeHtml(target)}${FENCE}`;
}

const ENTITY = /&(amp|lt|gt|quot|#39);/g;
const CHARS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Replaces every mark in `markup` by its address, escaped for an attribute value. */
export function resolveMarks(markup: string, resolve: ResolveLink): string {
  let start = markup.indexOf(FENCE);
  if (start < 0) return markup;
  let out = '';
  let from = 0;
  while (start >= 0) {
    const end = markup.indexOf(FENCE, start + 1);
    if (end < 0) break;
    const target = markup.slice(start + 2, end).replace(ENTITY, (_, name: string) => CHARS[name] as string);
    out += markup.slice(from, start) + escapeHtml(resolve(markup[start + 1] === 'P' ? 'page' : 'asset', target));
    from = end + 1;
    start = markup.indexOf(FENCE, from);
  }
  return out + markup.slice(from);
}
