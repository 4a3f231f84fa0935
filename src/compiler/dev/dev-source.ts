import { statSync } from 'node:fs';
import { openSourceFolder, type SourceFolder } from '../source/source-folder.ts';
import type { SourceTree } from '../source/source-tree.ts';

/** What a look at the folder has found. */
export interface SourceChanges {
  /** Files that came, went, or hold something else. */
  changed: ReadonlySet<string>;
  /** Whether files came or went. */
  isListChanged: boolean;
}

/** Names of what may have changed (files or folders, relative to the folder), or that anything may have. */
export type ChangeHints = ReadonlySet<string> | 'anything';

/**
 * The files of a folder that an author is working in: listed and read once, again only where something has changed. What
 * it says stays the same between two calls of `refresh`, whatever happens to the files.
 */
export class DevSource implements SourceTree {
  readonly #folder: string;
  #tree: SourceFolder;
  /** Texts that were asked for. */
  readonly #texts = new Map<string, string | undefined>();
  /** What the file system says of each file that was looked at. */
  readonly #stamps = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#tree = openSourceFolder(folder);
    for (const path of this.#tree.paths()) this.stampOf(path);
  }

  paths(): readonly string[] {
    return this.#tree.paths();
  }

  has(path: string): boolean {
    return this.#tree.has(path);
  }

  readText(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#tree.readText(path));
    return this.#texts.get(path);
  }

  readBytes(path: string): Uint8Array | undefined {
    return this.#tree.readBytes(path);
  }

  /** Where the file truly is; undefined where there is none. */
  placeOf(path: string): string | undefined {
    return this.#tree.has(path) ? this.#tree.placeOf(path) : undefined;
  }

  /** Differs after each change of the file; empty where there is none. Much cheaper than what the file holds. */
  stampOf(path: string): string {
    let stamp = this.#stamps.get(path);
    if (stamp === undefined) {
      stamp = this.#readStamp(path);
      this.#stamps.set(path, stamp);
    }
    return stamp;
  }

  /** Whether a file of that name was there at the last look and now has nothing in it, or is not there: perhaps for a moment only. */
  isBeingWritten(path: string): boolean {
    if (!this.has(path)) return false;
    const place = this.#tree.placeOf(path);
    return place === undefined || (statSync(place, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  /** Looks at the folder again. */
  refresh(hints: ChangeHints): SourceChanges {
    const old = this.#tree;
    const tree = openSourceFolder(this.#folder);
    this.#tree = tree;
    const changed = new Set<string>();
    for (const path of old.paths()) if (!tree.has(path)) changed.add(path);
    for (const path of tree.paths()) if (!old.has(path)) changed.add(path);
    const isListChanged = changed.size > 0;
    for (const path of changed) this.#forget(path);
    for (const path of tree.paths()) {
      if (!changed.has(path) && this.#mayDiffer(path, hints) && this.#differs(path)) changed.add(path);
    }
    return { changed, isListChanged };
  }

  #mayDiffer(path: string, hints: ChangeHints): boolean {
    // The names that a watcher reports are those of the files themselves, not of the links that lead to them.
    if (hints === 'anything' || this.#tree.hasLinks) return this.#readStamp(path) !== this.#stamps.get(path);
    if (hints.has(path)) return true;
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      if (hints.has(path.slice(0, slash))) return this.#readStamp(path) !== this.#stamps.get(path);
    }
    return false;
  }

  /** Takes note of the file as it is now. A file that was saved without a change is the same. */
  #differs(path: string): boolean {
    const stamp = this.#stamps.get(path);
    const text = this.#texts.get(path);
    const wasRead = this.#texts.has(path);
    this.#forget(path);
    return wasRead ? this.readText(path) !== text : this.stampOf(path) !== stamp;
  }

  #forget(path: string): void {
    this.#texts.delete(path);
    this.#stamps.delete(path);
  }

  #readStamp(path: string): string {
    const place = this.#tree.placeOf(path);
    const found = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
  }
}
