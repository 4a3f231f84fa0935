import { TokenType, tokenizer } from '@csstools/css-tokenizer';
import type { Diagnostic } from '../diagnostics.ts';
import { decodeAddress, folderOf, joinPath, splitAddress } from '../links.ts';
import { inlinePicture, outsideAddress } from '../outside/address.ts';
import { type CssAddress, cssAddresses, rewriteCss } from '../outside/css-addresses.ts';

export interface StyleSheetPlace {
  /** Path of the style sheet in the source, without a leading slash. */
  file: string;
  /** Folder of its source, where root-relative addresses are looked for first; empty for none. */
  root?: string;
  /** Returns whether the site serves a file; paths have no leading slash. */
  hasFile: (path: string) => boolean;
  /** Returns the text of a file of the site. */
  readText?: (path: string) => string | undefined;
  /**
   * Returns the new location of a file on another server: the path of a copy on the site, without a
   * leading slash, a `data:` URL, or the URL itself if it may be loaded; undefined to remove it. By
   * default, removes all.
   */
  copyOf?: (address: string) => string | undefined;
}

/** A paragraph, as the hosted service writes it. */
const HOSTED_PARAGRAPH = /(?:\bspan)?\[data-as=(["']?)p\1\]/g;

const INLINE = /^(?:data|blob|about):|^#|^$/i;

/** Returns what a style sheet loads from other servers. */
export function outsideOfStyleSheet(
  source: string,
): (Pick<CssAddress, 'kind'> & { address: string; line: number })[] {
  const lineAt = lineCounter(source);
  return [...cssAddresses(source)].flatMap(({ kind, target, start }) => {
    const address = outsideAddress(target);
    return address === undefined ? [] : [{ kind, address, line: lineAt(start) }];
  });
}

/**
 * Adapts a style sheet of the repository to every location of the site. Root-relative addresses
 * become relative to the file, because the site may be in a folder or opened from disk. Resources
 * of other servers are loaded from their copies; missing files are removed with a warning, and a
 * missing font gets a generic fallback. Selectors for the hosted service's paragraphs also match
 * ours.
 */
export function prepareStyleSheet(
  source: string,
  place: StyleSheetPlace,
): { text: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const lineAt = lineCounter(source);
  const addressed = rewriteCss(source, ({ target, start, rule, mayMask }) => {
    if (INLINE.test(target) && !rule) return target;
    const outside = outsideAddress(target);
    if (outside !== undefined) {
      const copy = place.copyOf?.(outside);
      return copy === undefined || INLINE.test(copy) || outsideAddress(copy) !== undefined
        ? copy
        : fromRoot(place.file) + copy;
    }
    const local = localAddress(target, place, mayMask);
    if (local === undefined) {
      const message = `The style sheet names ${target.slice(0, 200)}, which is not in the repository; it is left out.`;
      const remedy = 'Add the file, or correct the path.';
      diagnostics.push({
        severity: 'warning',
        code: 'missing-file',
        message,
        remedy,
        file: place.file,
        line: lineAt(start),
      });
    }
    return local;
  });
  return {
    text: withFontFallbacks(addressed).replace(HOSTED_PARAGRAPH, ':is($&, p)'),
    diagnostics,
  };
}

/** Returns the line of an offset; offsets must be ascending. */
function lineCounter(source: string): (offset: number) => number {
  let seenTo = 0;
  let line = 1;
  return (offset) => {
    for (
      let at = source.indexOf('\n', seenTo);
      at >= 0 && at < offset;
      at = source.indexOf('\n', at + 1)
    )
      line++;
    seenTo = offset;
    return line;
  };
}

function fromRoot(file: string): string {
  return '../'.repeat(file.split('/').length - 1);
}

/** Returns the address to write for a file of the site, or undefined if it is not one. */
function localAddress(
  target: string,
  { file, root = '', hasFile, readText }: StyleSheetPlace,
  mayMask: boolean,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const { path, rest } = splitAddress(target);
  const isRooted = path.startsWith('/');
  const inRoot = root !== '' && isRooted && hasFile(decodeAddress(joinPath(root, path.slice(1))));
  const from = inRoot ? root : isRooted ? '' : folderOf(file);
  const filePath = decodeAddress(joinPath(from, path.replace(/^\/+/, '')));
  if (!hasFile(filePath)) return undefined;
  const svg = mayMask && rest === '' && /\.svg$/i.test(filePath) ? readText?.(filePath) : undefined;
  const inline = svg === undefined ? undefined : inlinePicture(svg);
  if (inline !== undefined) return inline;
  if (!path.startsWith('/')) return target;
  return fromRoot(file) + (inRoot ? `${root}/` : '') + path.replace(/^\/+/, '') + rest;
}

/**
 * Words after which a font list needs no fallback: a generic family, an inherited family, or a
 * variable's list.
 */
const COMPLETE =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-(?:serif|sans-serif|monospace|rounded)|inherit|initial|unset|revert|revert-layer|-apple-system|blinkmacsystemfont)$/i;

/**
 * The fallback for a missing face: text of the kind that its name suggests, in the theme's faces.
 */
export function fallbackFamily(families: string): string {
  if (/mono|code|courier|consol|typewriter|terminal/i.test(families)) return 'var(--d-font-mono)';
  return /serif|slab|roman|garamond|georgia|times/i.test(families) && !/sans/i.test(families)
    ? 'serif'
    : 'var(--d-font-text)';
}

/**
 * Appends a generic family of the same kind to each font list without one (`font-family: "Geist"`):
 * otherwise browsers fall back to their default, mostly Times. A single pass over the tokens, as
 * browsers parse them.
 */
export function withFontFallbacks(css: string): string {
  if (!/font-family/i.test(css)) return css;
  let out = '';
  let from = 0;
  for (const { start, end } of incompleteFontLists(css)) {
    out += `${css.slice(from, end)}, ${fallbackFamily(css.slice(start, end))}`;
    from = end;
  }
  return out + css.slice(from);
}

const ENDS: ReadonlySet<TokenType> = new Set([
  TokenType.Semicolon,
  TokenType.OpenCurly,
  TokenType.CloseCurly,
]);
const IGNORED: ReadonlySet<TokenType> = new Set([TokenType.Whitespace, TokenType.Comment]);

/**
 * Finds the lists in style rules that have no generic family; the descriptor of `@font-face` takes
 * no list.
 */
function* incompleteFontLists(css: string): Generator<{ start: number; end: number }> {
  const stream = tokenizer({ css });
  let isFontFace = false;
  let state: 'outside' | 'name' | 'value' = 'outside';
  let list: { start: number; end: number } | undefined;
  let isComplete = false;
  while (!stream.endOfFile()) {
    const token = stream.nextToken();
    const [type, , start, last] = token;
    const word =
      type === TokenType.Ident || type === TokenType.AtKeyword ? token[4].value.toLowerCase() : '';
    if (IGNORED.has(type)) continue;
    if (type === TokenType.AtKeyword) isFontFace = word === 'font-face';
    else if (type === TokenType.Colon) state = state === 'name' ? 'value' : state;
    // `!important` follows the list.
    else if (ENDS.has(type) || (type === TokenType.Delim && token[4].value === '!')) {
      if (list && !isComplete) yield list;
      [state, list, isComplete] = ['outside', undefined, false];
      if (type === TokenType.CloseCurly) isFontFace = false;
    } else if (state === 'value' && type !== TokenType.Delim) {
      isComplete ||= COMPLETE.test(word);
      list = { start: list?.start ?? start, end: last + 1 };
    } else if (type !== TokenType.Delim)
      state = word === 'font-family' && !isFontFace ? 'name' : 'outside';
  }
  if (list && !isComplete) yield list;
}
