import type { Diagnostic } from '../diagnostics.ts';

export interface PreparedStyleSheet {
  text: string;
  diagnostics: Diagnostic[];
}

export interface StyleSheetPlace {
  /** Path of the style sheet in the source, without a leading slash. */
  file: string;
  /** Whether the site serves a file; paths have no leading slash. */
  hasFile: (path: string) => boolean;
}

const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|@import\s+(?:[^;"'({}]|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|\((?:[^"'()]|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')*\))*;?|url\(\s*(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[^"'()\s]*)\s*\)|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|@font-face\b|\}/gi;
const IMPORT_TARGET = /^@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"');]+))/i;
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const INLINE = /^(?:data|blob|about):|^#|^$/i;

/**
 * Makes a style sheet of the repository fit for every place that the site is served at. Addresses from the root of the site
 * become relative to the file, because the site may live in a folder or be opened from the disk. What would be loaded from another
 * origin, or is not there, is taken out with a warning: readers' browsers ask this site alone.
 */
export function prepareStyleSheet(source: string, place: StyleSheetPlace): PreparedStyleSheet {
  const diagnostics: Diagnostic[] = [];
  let inFontFace = false;
  let seenTo = 0;
  let line = 1;
  const lineAt = (offset: number): number => {
    for (let at = source.indexOf('\n', seenTo); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) line++;
    seenTo = offset;
    return line;
  };
  const warn = (target: string, offset: number): void => {
    diagnostics.push({ ...fault(target), severity: 'warning', file: place.file, line: lineAt(offset) });
  };
  const text = source.replace(TOKEN, (token, offset: number) => {
    if (token === '}') inFontFace = false;
    else if (/^@font-face$/i.test(token)) inFontFace = true;
    else if (/^@import/i.test(token)) {
      const target = targetOf(IMPORT_TARGET.exec(token));
      const local = localAddress(target, place);
      if (local !== undefined) return local === target ? token : token.replace(target, () => local);
      warn(target, offset);
      return '';
    } else if (/^url\(/i.test(token)) {
      const target = token
        .slice(4, -1)
        .trim()
        .replace(/^(["'])([\s\S]*)\1$/, '$2');
      if (INLINE.test(target)) return token;
      const local = localAddress(target, place);
      if (local !== undefined) return local === target ? token : `url("${local.replace(/["\\\n]/g, encodeURIComponent)}")`;
      warn(target, offset);
      // Each is valid where an address may stand, and loads nothing.
      return inFontFace ? 'local("")' : 'none';
    }
    return token;
  });
  return { text, diagnostics };
}

function targetOf(match: RegExpExecArray | null): string {
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
}

/** The address to write for a file of the site, or undefined where it is none. */
function localAddress(target: string, { file, hasFile }: StyleSheetPlace): string | undefined {
  if (REMOTE.test(target) || /^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  const folder = file.split('/').slice(0, -1);
  const parts = path.startsWith('/') ? [] : [...folder];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  if (!hasFile(decoded(parts.join('/')))) return undefined;
  if (!path.startsWith('/')) return target;
  return '../'.repeat(folder.length) + path.replace(/^\/+/, '') + (end < 0 ? '' : target.slice(end));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fault(target: string): Pick<Diagnostic, 'code' | 'message' | 'remedy'> {
  const shown = target.slice(0, 200);
  if (REMOTE.test(target)) {
    return {
      code: 'remote-style',
      message: `The style sheet would load ${shown} from another origin, which pages of a site do not do; it is left out.`,
      remedy: 'Put the file into the repository and name it by its path.',
    };
  }
  return {
    code: 'missing-file',
    message: `The style sheet names ${shown}, which is not in the repository; it is left out.`,
    remedy: 'Add the file, or correct the path.',
  };
}
