import { hash } from 'node:crypto';
import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { FileEntry } from '@docent/format/build/site-build.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { mediaTypeOf, refuseLargeAsset } from '@docent/format/media-types.ts';
import { describeFile } from '../files/file-sink.ts';
import type { SiteCode } from '../pages/site-parts.ts';
import { isSkippedPath } from '../source/archive-paths.ts';
import type { SourcePart } from '../source/folder-files.ts';
import { openSourceFolder, type SourceFolder, type SourceTree } from '../source/source-tree.ts';

/** An editor's save is several events within a few milliseconds. */
const QUIET_MS = 15;
/** Report continuous changes after this time even if they do not stop. */
const MAX_WAIT_MS = 150;
const POLL_MS = 400;

export interface FolderWatcher {
  /** Whether the system reports changes; otherwise the folder is polled. */
  isWatched: boolean;
  close(): void;
}

/**
 * Watches a folder and everything in it. Every folder is watched individually, so `node_modules`
 * costs nothing, and folders added later are noticed. If the system refuses (too many watches, a
 * file system without them), `onChange` is called periodically with
 * `anything`.
 * @param onChange receives the names of files and folders, relative to the folder, that may have
 *   changed
 */
export function watchFolder(
  folder: string,
  onChange: (hints: ChangeHints) => void,
  startWatch = watch,
): FolderWatcher {
  const root = realpathSync.native(folder);
  const watchers = new Map<string, FSWatcher>();
  let hints = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let waitingSince = 0;

  function report(): void {
    timer = undefined;
    const reported = hints;
    hints = new Set();
    // Watch first, then scan, so that nothing added to a new folder is missed.
    for (const hint of reported) if (!poll) follow(hint);
    onChange(reported);
  }

  function note(path: string): void {
    if (poll || isSkippedPath(path)) return;
    const now = performance.now();
    if (hints.size === 0) waitingSince = now;
    hints.add(path);
    clearTimeout(timer);
    timer = setTimeout(report, Math.max(0, Math.min(QUIET_MS, waitingSince + MAX_WAIT_MS - now)));
  }

  function unfollow(path: string): void {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(path === '' ? '' : `${path}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  }

  /**
   * Watches a folder and its subfolders again: there may be a different folder under the same name
   * now.
   */
  function follow(path: string): void {
    if (path !== '') unfollow(path);
    const entries = foldersIn(root, path);
    if (!entries) return;
    try {
      const watcher = startWatch(join(root, path), { persistent: true });
      watchers.set(path, watcher);
      watcher.on('change', (_, name) => note(name === null ? path : joined(path, name.toString())));
      watcher.on('error', () => note(path));
    } catch {
      pollInstead();
    }
    for (const name of entries) if (!poll) follow(joined(path, name));
  }

  function pollInstead(): void {
    unfollow('');
    clearTimeout(timer);
    poll ??= setInterval(() => onChange('anything'), POLL_MS);
  }

  follow('');
  return {
    get isWatched() {
      return poll === undefined;
    },
    close() {
      clearTimeout(timer);
      clearInterval(poll);
      unfollow('');
    },
  };
}

function joined(folder: string, name: string): string {
  const path = name.split(sep).join('/');
  return folder === '' ? path : `${folder}/${path}`;
}

/**
 * Returns the names of the subfolders; undefined if it is not a folder. Link targets inside the
 * root are watched at their own path.
 */
function foldersIn(root: string, path: string): string[] | undefined {
  const place = join(root, path);
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !isSkippedPath(entry.name))
      .map((entry) => entry.name);
  } catch {
    return undefined;
  }
}

/** Result of a scan of the folder. */
export interface SourceChanges {
  /** Files that were added, removed or changed. */
  changed: ReadonlySet<string>;
  /** Whether files were added or removed. */
  isListChanged: boolean;
}

/** Names that may have changed (files or folders, relative to the folder), or `anything`. */
export type ChangeHints = ReadonlySet<string> | 'anything';

/**
 * The files of a folder that an author is editing: listed and read once, and again only where
 * something has changed. Its answers stay the same between two calls of `refresh`, even if the
 * files change.
 */
export class DevSource implements SourceTree {
  readonly #folder: string;
  readonly #gitFacts: string | undefined;
  readonly #parts: readonly SourcePart[];
  #tree: SourceFolder;
  /** Texts that were requested. */
  readonly #texts = new Map<string, string | undefined>();
  /** File system metadata of each file that was checked. */
  readonly #stamps = new Map<string, string>();

  constructor(folder: string, gitFacts?: string, parts: readonly SourcePart[] = []) {
    this.#folder = folder;
    this.#gitFacts = gitFacts;
    this.#parts = parts;
    this.#tree = openSourceFolder(folder, gitFacts, parts);
    for (const path of this.#tree.paths()) this.stampOf(path);
  }

  readonly paths = () => this.#tree.paths();
  readonly has = (path: string) => this.#tree.has(path);
  readonly readBytes = (path: string) => this.#tree.readBytes(path);
  readonly secretsIn = (path: string) => this.#tree.secretsIn(path);
  readonly readText = (path: string) => {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#tree.readText(path));
    return this.#texts.get(path);
  };

  /**
   * Returns a string that differs after each change of the file; empty if there is none. Much
   * cheaper than reading the content.
   */
  stampOf(path: string): string {
    let stamp = this.#stamps.get(path);
    if (stamp === undefined) {
      stamp = this.#readStamp(path);
      this.#stamps.set(path, stamp);
    }
    return stamp;
  }

  /**
   * Returns whether a file existed at the last scan and is now empty or missing, perhaps only for a
   * moment.
   */
  isBeingWritten(path: string): boolean {
    if (!this.has(path)) return false;
    const place = this.#tree.placeOf(path);
    return place === undefined || (statSync(place, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  /** Scans the folder again. */
  refresh(hints: ChangeHints): SourceChanges {
    const old = this.#tree;
    const tree = openSourceFolder(this.#folder, this.#gitFacts, this.#parts);
    this.#tree = tree;
    const changed = new Set<string>();
    for (const path of old.paths()) if (!tree.has(path)) changed.add(path);
    for (const path of tree.paths()) if (!old.has(path)) changed.add(path);
    const isListChanged = changed.size > 0;
    for (const path of changed) this.#invalidate(path);
    for (const path of tree.paths()) {
      if (!changed.has(path) && this.#mayDiffer(path, hints) && this.#differs(path))
        changed.add(path);
    }
    return { changed, isListChanged };
  }

  #mayDiffer(path: string, hints: ChangeHints): boolean {
    // A watcher reports the names of the files themselves, not of links to them.
    if (hints === 'anything' || this.#tree.hasLinks)
      return this.#readStamp(path) !== this.#stamps.get(path);
    if (hints.has(path)) return true;
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      if (hints.has(path.slice(0, slash))) return this.#readStamp(path) !== this.#stamps.get(path);
    }
    return false;
  }

  /** Records the file as it is now. A file that was saved without a change counts as unchanged. */
  #differs(path: string): boolean {
    const stamp = this.#stamps.get(path);
    const text = this.#texts.get(path);
    const wasRead = this.#texts.has(path);
    this.#invalidate(path);
    return wasRead ? this.readText(path) !== text : this.stampOf(path) !== stamp;
  }

  #invalidate(path: string): void {
    this.#texts.delete(path);
    this.#stamps.delete(path);
  }

  #readStamp(path: string): string {
    const place = this.#tree.placeOf(path);
    const stats = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
    return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
  }
}

/**
 * The files of a site that changes, under the names that a build would give them. Files in the
 * folder are not copied: they are read on request, and named by their file system metadata, not by
 * their content.
 */
export class DevFiles {
  readonly #source: DevSource;
  readonly #made = new Map<string, Uint8Array>();
  readonly #paths = new Map<string, string>();

  constructor(source: DevSource) {
    this.#source = source;
  }

  /** A file that the build generated. */
  add(bytes: Uint8Array, type: string): FileEntry {
    const file = describeFile(bytes, type);
    this.#made.set(file.sha256, bytes);
    return file;
  }

  /**
   * Entries of the files that the site serves unchanged, and diagnostics for those that it does not
   * serve.
   */
  entriesOf(
    assets: readonly string[],
    code: SiteCode,
  ): { files: Record<string, FileEntry>; diagnostics: Diagnostic[] } {
    const entries: [string, FileEntry][] = [];
    const diagnostics: Diagnostic[] = [];
    for (const path of assets) {
      const type = mediaTypeOf(path) ?? 'application/octet-stream';
      const prepared = code.prepared.get(path);
      const entry = prepared ? this.add(prepared, type) : this.#entryOf(path, type);
      const refusal = refuseLargeAsset(path, entry.sizeBytes);
      if (refusal) diagnostics.push(refusal);
      else entries.push([path, entry]);
    }
    return { files: Object.fromEntries(entries), diagnostics };
  }

  #entryOf(path: string, type: string): FileEntry {
    const stamp = this.#source.stampOf(path);
    const sha256 = hash('sha256', `${stamp} ${path}`);
    this.#paths.set(sha256, path);
    return { sha256, sizeBytes: Number(stamp.split(' ')[1] ?? 0), type };
  }

  /** Returns the current content of a file, or undefined if it no longer exists. */
  read(sha256: string): Uint8Array | undefined {
    const path = this.#paths.get(sha256);
    return path === undefined ? this.#made.get(sha256) : this.#source.readBytes(path);
  }
}
