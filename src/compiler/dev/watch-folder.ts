import { type FSWatcher, readdirSync, realpathSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import { isSkippedPath } from '../source/archive-paths.ts';
import type { ChangeHints } from './dev-source.ts';

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
 * Watches a folder and everything in it. Every folder is watched individually, so `node_modules` costs nothing, and folders added
 * later are noticed. If the system refuses (too many watches, a file system without them), `onChange` is called periodically with
 * `anything`.
 * @param onChange receives the names of files and folders, relative to the folder, that may have changed
 */
export function watchFolder(folder: string, onChange: (hints: ChangeHints) => void, startWatch = watch): FolderWatcher {
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

  /** Watches a folder and its subfolders again: there may be a different folder under the same name now. */
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
 * Returns the names of the subfolders; undefined if it is not a folder. Link targets inside the root are watched at their own
 * path.
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
