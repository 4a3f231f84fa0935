import { DocentError } from '@docent/format/errors.ts';

const maxNameBytes = 1024;
/** Allowed length of one name on every common file system. */
const maxWordBytes = 255;
const deepestPath = 64;

/**
 * Returns the path of an archive entry inside the source: words separated by `/`, no slash at
 * either end; empty for the root.
 *
 * @throws DocentError `invalid_archive` for a name that leads, or on some system could lead, out of
 *   the source
 */
export function entryPath(name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw refusedEntry(name, `its name is longer than ${maxNameBytes} bytes`);
  checkCharacters(name, name);
  if (isAbsolute(name)) throw refusedEntry(name, 'its path is absolute');
  const words = name.split('/').filter((word) => word !== '' && word !== '.');
  if (words.includes('..')) throw refusedEntry(name, 'its path has ".." in it');
  if (words.length > deepestPath)
    throw refusedEntry(name, `it is more than ${deepestPath} folders deep`);
  if (words.some((word) => Buffer.byteLength(word) > maxWordBytes)) {
    throw refusedEntry(name, `a name in its path is longer than ${maxWordBytes} bytes`);
  }
  return words.join('/');
}

/**
 * Returns the target of a link as a path inside the source; empty for the root.
 *
 * @param base the folder that the target is relative to
 * @throws DocentError `invalid_archive` if it is outside the source
 */
export function linkTarget(name: string, target: string, base: string): string {
  if (target === '' || Buffer.byteLength(target) > maxNameBytes)
    throw refusedEntry(name, 'it is a link without a valid target');
  checkCharacters(name, target);
  if (isAbsolute(target)) throw refusedEntry(name, 'it is a link that points outside the archive');
  const words = base === '' ? [] : base.split('/');
  for (const word of target.split('/')) {
    if (word === '' || word === '.') continue;
    if (word !== '..') words.push(word);
    else if (words.pop() === undefined)
      throw refusedEntry(name, 'it is a link that points outside the archive');
  }
  return words.join('/');
}

/** Creates the error of one entry, which it names. */
export function refusedEntry(name: string, reason: string): DocentError {
  return new DocentError(
    'invalid_archive',
    `The archive entry ${JSON.stringify(name.slice(0, 200))} was refused: ${reason}.`,
  );
}

function checkCharacters(name: string, text: string): void {
  if (text.includes('\\'))
    throw refusedEntry(name, 'it contains a backslash, which separates folders on some systems');
  if (/[\x00-\x1f\x7f]/.test(text)) throw refusedEntry(name, 'it contains a control character');
  if (text.includes('\ufffd')) throw refusedEntry(name, 'its name is not UTF-8');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

/** Folders that are never part of a source, at any depth. */
const skippedFolders = new Set(['.git', 'node_modules']);

/**
 * Returns whether a path is not part of a source: version control, installed packages, and the
 * copies of file attributes that archives made on a Mac contain beside each file.
 */
export function isSkippedPath(path: string): boolean {
  return path.split('/').some((word) => skippedFolders.has(word) || word.startsWith('._'));
}

/** Maximum length of a chain of links. */
const maxLinkChain = 40;
/** Maximum nesting of copies of linked folders. */
const maxCopies = 8;

/** A file that a link resolves to: at `path` the content of `source`. */
export interface LinkedFile {
  path: string;
  source: string;
}

/** The entries of an archive so far: which paths are files, and which are links to what. */
export class ArchiveContents {
  readonly #folders = new Set<string>();
  /** The target of each link; undefined for a file. */
  readonly #entries = new Map<string, string | undefined>();

  /**
   * Adds a file, or a link.
   * @param target of a link: a path inside the archive
   * @returns the number of new folders
   * @throws DocentError if the path is a folder, or is below a file or a link: it would end up at
   *   the link's target
   */
  add(path: string, target?: string): number {
    if (this.#folders.has(path)) throw refusedEntry(path, 'there is a folder with the same path');
    const before = this.#folders.size;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      if (this.#entries.has(folder)) {
        throw refusedEntry(
          path,
          `${JSON.stringify(folder)} is a file or a link in the same archive`,
        );
      }
      this.#folders.add(folder);
    }
    this.#entries.set(path, target);
    return this.#folders.size - before;
  }

  /**
   * Returns the files that the links resolve to, once all entries are known. Broken links are
   * ignored: their target may have been left out.
   *
   * @param visit called for each link that is followed, so that the caller can stop excessive
   *   expansion
   */
  *linkedFiles(visit: () => void): Generator<LinkedFile> {
    const paths = [...this.#entries.keys()].sort();
    for (const [path, target] of this.#entries)
      if (target !== undefined) yield* this.#copies({ paths, visit }, path, target, path, 0);
  }

  *#copies(
    all: { paths: string[]; visit: () => void },
    path: string,
    target: string,
    link: string,
    depth: number,
  ): Generator<LinkedFile> {
    all.visit();
    const source = this.#follow(target, link);
    if (this.#entries.has(source)) {
      yield { path, source };
      return;
    }
    const prefix = source === '' ? '' : `${source}/`;
    if (depth === maxCopies || link.startsWith(prefix))
      throw refusedEntry(link, 'it is a link that points to itself');
    for (const inner of startingWith(all.paths, prefix)) {
      const copy = `${path}/${inner.slice(prefix.length)}`;
      const innerTarget = this.#entries.get(inner);
      if (innerTarget === undefined) yield { path: copy, source: inner };
      else yield* this.#copies(all, copy, innerTarget, link, depth + 1);
    }
  }

  /** Resolves all links in a path. */
  #follow(target: string, link: string): string {
    let path = target;
    for (let step = 0; step < maxLinkChain; step += 1) {
      const next = this.#followOnce(path);
      if (next === undefined) return path;
      path = next;
    }
    throw refusedEntry(link, 'it is a link that points to itself');
  }

  #followOnce(path: string): string | undefined {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const target = this.#entries.get(end === -1 ? path : path.slice(0, end));
      if (target !== undefined)
        return [target, end === -1 ? '' : path.slice(end + 1)].filter(Boolean).join('/');
      if (end === -1) return undefined;
    }
  }
}

/** Returns the paths with a prefix from sorted ones, without scanning all of them. */
function* startingWith(sorted: string[], prefix: string): Generator<string> {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  for (; sorted[low]?.startsWith(prefix); low += 1) yield sorted[low] ?? '';
}
