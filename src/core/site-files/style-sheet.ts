import type { Diagnostic } from '../diagnostics.ts';
import { outsideAddress } from '../outside/address.ts';
import { type CssAddress, cssAddresses, rewriteCss } from '../outside/css-addresses.ts';
import { inlinePicture } from '../outside/inline-picture.ts';
import { withFontFallbacks } from './font-fallback.ts';

export interface PreparedStyleSheet {
  text: string;
  diagnostics: Diagnostic[];
}

export interface StyleSheetPlace {
  /** Path of the style sheet in the source, without a leading slash. */
  file: string;
  /** Returns whether the site serves a file; paths have no leading slash. */
  hasFile: (path: string) => boolean;
  /** Returns the text of a file of the site. */
  readText?: (path: string) => string | undefined;
  /**
   * Returns the new location of a file on another server: the path of a copy on the site, without a leading slash, a `data:` URL,
   * or the URL itself if it may be loaded; undefined to remove it. By default, removes all.
   */
  copyOf?: (address: string) => string | undefined;
}

/** A paragraph, as the hosted service writes it. */
const HOSTED_PARAGRAPH = /(?:\bspan)?\[data-as=(["']?)p\1\]/g;

const INLINE = /^(?:data|blob|about):|^#|^$/i;

/** Returns what a style sheet loads from other servers. */
export function outsideOfStyleSheet(source: string): (Pick<CssAddress, 'kind'> & { address: string; line: number })[] {
  const lineAt = lineCounter(source);
  return [...cssAddresses(source)].flatMap(({ kind, target, start }) => {
    const address = outsideAddress(target);
    return address === undefined ? [] : [{ kind, address, line: lineAt(start) }];
  });
}

/**
 * Adapts a style sheet of the repository to every location of the site. Root-relative addresses become relative to the file,
 * because the site may be in a folder or opened from disk. Resources of other servers are loaded from their copies; missing files
 * are removed with a warning, and a missing font gets a generic fallback. Selectors for the hosted service's paragraphs also match ours.
 */
export function prepareStyleSheet(source: string, place: StyleSheetPlace): PreparedStyleSheet {
  const diagnostics: Diagnostic[] = [];
  const lineAt = lineCounter(source);
  const addressed = rewriteCss(source, ({ target, start, rule, mayMask }) => {
    if (INLINE.test(target) && !rule) return target;
    const outside = outsideAddress(target);
    if (outside !== undefined) {
      const copy = place.copyOf?.(outside);
      return copy === undefined || INLINE.test(copy) || outsideAddress(copy) !== undefined ? copy : fromRoot(place.file) + copy;
    }
    const local = localAddress(target, place, mayMask);
    if (local === undefined) diagnostics.push({ ...missing(target), severity: 'warning', file: place.file, line: lineAt(start) });
    return local;
  });
  return { text: withFontFallbacks(addressed).replace(HOSTED_PARAGRAPH, ':is($&, p)'), diagnostics };
}

/** Returns the line of an offset; offsets must be ascending. */
function lineCounter(source: string): (offset: number) => number {
  let seenTo = 0;
  let line = 1;
  return (offset) => {
    for (let at = source.indexOf('\n', seenTo); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) line++;
    seenTo = offset;
    return line;
  };
}

function fromRoot(file: string): string {
  return '../'.repeat(file.split('/').length - 1);
}

/** Returns the address to write for a file of the site, or undefined if it is not one. */
function localAddress(target: string, { file, hasFile, readText }: StyleSheetPlace, mayMask: boolean): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  const parts = path.startsWith('/') ? [] : file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const found = decoded(parts.join('/'));
  if (!hasFile(found)) return undefined;
  const svg = mayMask && end < 0 && /\.svg$/i.test(found) ? readText?.(found) : undefined;
  const inline = svg === undefined ? undefined : inlinePicture(svg);
  if (inline !== undefined) return inline;
  if (!path.startsWith('/')) return target;
  return fromRoot(file) + path.replace(/^\/+/, '') + (end < 0 ? '' : target.slice(end));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function missing(target: string): Pick<Diagnostic, 'code' | 'message' | 'remedy'> {
  return {
    code: 'missing-file',
    message: `The style sheet names ${target.slice(0, 200)}, which is not in the repository; it is left out.`,
    remedy: 'Add the file, or correct the path.',
  };
}
