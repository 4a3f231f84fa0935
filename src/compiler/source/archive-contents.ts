import { refusedEntry } from './archive-paths.ts';

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
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #links = new Map<string, string>();

  /** Returns the number of new folders. Throws if the path is a folder, or is below something that is not a folder. */
  addFile(path: string): number {
    const folders = this.#addFolders(path);
    this.#links.delete(path);
    this.#files.add(path);
    return folders;
  }

  /** Like `addFile`, for a link; `target` is a path inside the archive. */
  addLink(path: string, target: string): number {
    const folders = this.#addFolders(path);
    this.#files.delete(path);
    this.#links.set(path, target);
    return folders;
  }

  /** A path below a link must never be written: it would end up at the link's target. */
  #addFolders(path: string): number {
    if (this.#folders.has(path)) throw refusedEntry(path, 'there is a folder with the same path');
    const before = this.#folders.size;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      if (this.#files.has(folder) || this.#links.has(folder)) {
        throw refusedEntry(path, `${JSON.stringify(folder)} is a file or a link in the same archive`);
      }
      this.#folders.add(folder);
    }
    return this.#folders.size - before;
  }

  /**
   * Returns the files that the links resolve to, once all entries are known. Broken links are ignored: their target may have been
   * left out.
   *
   * @param visit called for each link that is followed, so that the caller can stop excessive expansion
   */
  *linkedFiles(visit: () => void): Generator<LinkedFile> {
    const files = [...this.#files].sort();
    const links = [...this.#links.keys()].sort();
    for (const [path, target] of this.#links) yield* this.#copies({ files, links, visit }, path, target, path, 0);
  }

  *#copies(
    all: { files: string[]; links: string[]; visit: () => void },
    path: string,
    target: string,
    link: string,
    depth: number,
  ): Generator<LinkedFile> {
    all.visit();
    const source = this.#follow(target, link);
    if (this.#files.has(source)) {
      yield { path, source };
      return;
    }
    const prefix = source === '' ? '' : `${source}/`;
    if (depth === maxCopies || link.startsWith(prefix)) throw refusedEntry(link, 'it is a link that points to itself');
    for (const file of startingWith(all.files, prefix)) yield { path: `${path}/${file.slice(prefix.length)}`, source: file };
    for (const inner of startingWith(all.links, prefix)) {
      const innerTarget = this.#links.get(inner) ?? '';
      yield* this.#copies(all, `${path}/${inner.slice(prefix.length)}`, innerTarget, link, depth + 1);
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
      const target = this.#links.get(end === -1 ? path : path.slice(0, end));
      if (target !== undefined) return [target, end === -1 ? '' : path.slice(end + 1)].filter(Boolean).join('/');
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
