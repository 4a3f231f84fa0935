import { refusedEntry } from './archive-paths.ts';

/** How many links may lead to links. */
const maxLinkChain = 40;
/** How deep copies of folders that were linked may lie in each other. */
const maxCopies = 8;

/** A file that a link stands for: at `path` the content of `source`. */
export interface LinkedFile {
  path: string;
  source: string;
}

/** What was found in an archive so far: which paths are files, and which are links to what. */
export class ArchiveContents {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #links = new Map<string, string>();

  /** Returns how many folders are new. Throws where a folder stands in the way, or something that is no folder. */
  addFile(path: string): number {
    const folders = this.#addFolders(path);
    this.#links.delete(path);
    this.#files.add(path);
    return folders;
  }

  /** As `addFile`, for a link; `target` is a path inside the archive. */
  addLink(path: string, target: string): number {
    const folders = this.#addFolders(path);
    this.#files.delete(path);
    this.#links.set(path, target);
    return folders;
  }

  /** A path below a link must never be written: it would land where the link leads. */
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
   * The files that the links stand for, once all entries are known. A link to nothing stands for nothing: its target may
   * have been left out.
   *
   * @param visit called for each link that is followed, so that the caller can end what multiplies
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
    if (depth === maxCopies || link.startsWith(prefix)) throw refusedEntry(link, 'it is a link that leads back to itself');
    for (const file of startingWith(all.files, prefix)) yield { path: `${path}/${file.slice(prefix.length)}`, source: file };
    for (const inner of startingWith(all.links, prefix)) {
      const innerTarget = this.#links.get(inner) ?? '';
      yield* this.#copies(all, `${path}/${inner.slice(prefix.length)}`, innerTarget, link, depth + 1);
    }
  }

  /** The path without links in it. */
  #follow(target: string, link: string): string {
    let path = target;
    for (let step = 0; step < maxLinkChain; step += 1) {
      const next = this.#followOnce(path);
      if (next === undefined) return path;
      path = next;
    }
    throw refusedEntry(link, 'it is a link that leads back to itself');
  }

  #followOnce(path: string): string | undefined {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const target = this.#links.get(end === -1 ? path : path.slice(0, end));
      if (target !== undefined) return [target, end === -1 ? '' : path.slice(end + 1)].filter(Boolean).join('/');
      if (end === -1) return undefined;
    }
  }
}

/** The paths with a prefix, from sorted ones, without a look at all of them. */
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
