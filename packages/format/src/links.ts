import { escapeHtml, unescapeHtml } from './html.ts';

/**
 * Links in a page's content are stored as marks, because their target depends on the output: the
 * hosted site uses
 * `/guides/start`, an exported bundle `../guides/start.html`. A mark is `␁P…␁` for a page and `␁A…␁` for a file of the site, with
 * U+0001 as the delimiter. Text cannot contain one: `escapeHtml` removes control characters.
 */
const FENCE = '\u0001';

/** `page` links to a page (`/guides/start#install`), `asset` to a file (`/images/a.png`). */
export type LinkKind = 'page' | 'asset';

/** Resolves a marked link for one output of the site. Returns an unescaped address. */
export type ResolveLink = (kind: LinkKind, target: string) => string;

/**
 * Returns a mark, to be written unescaped into an attribute value.
 * @param target site path with a leading slash; that of a page may have `?query` and `#anchor`
 */
export function linkMark(kind: LinkKind, target: string): string {
  return `${FENCE}${kind === 'page' ? 'P' : 'A'}${escapeHtml(target)}${FENCE}`;
}

/** Returns an address without percent-encoding; as it is if it is not validly encoded. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Splits an address before its query and its anchor. */
export function splitAddress(address: string): { path: string; rest: string } {
  const end = address.search(/[?#]/);
  return end < 0
    ? { path: address, rest: '' }
    : { path: address.slice(0, end), rest: address.slice(end) };
}

/** Joins a folder and a relative path; `..` cannot leave the tree. */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Returns a path without slashes at its ends. Linear, however many are inside. */
export function withoutSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '');
}

/** Returns the folder of a file, without leading and trailing slashes. */
export function folderOf(file: string): string {
  const slash = file.lastIndexOf('/');
  return slash < 0 ? '' : file.slice(0, slash);
}

/**
 * Replaces every mark in `markup` by its address, escaped for an attribute value.
 * @param rewrite changes the text before, between and after the marks
 */
export function resolveMarks(
  markup: string,
  resolve: ResolveLink,
  rewrite: (text: string) => string = (text) => text,
): string {
  let start = markup.indexOf(FENCE);
  let out = '';
  let from = 0;
  while (start >= 0) {
    const end = markup.indexOf(FENCE, start + 1);
    if (end < 0) break;
    const target = unescapeHtml(markup.slice(start + 2, end));
    out +=
      rewrite(markup.slice(from, start)) +
      escapeHtml(resolve(markup[start + 1] === 'P' ? 'page' : 'asset', target));
    from = end + 1;
    start = markup.indexOf(FENCE, from);
  }
  return out + rewrite(markup.slice(from));
}
