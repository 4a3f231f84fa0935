import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isSkippedPath } from './source-paths.ts';
import { type SourceTree, sourceTree } from './source-tree.ts';

/** Links between folders can nest; nobody reads a deeper path. */
const deepestPath = 64;

/**
 * The files of a folder, listed now and read when they are asked for. Links are followed inside the folder only; a link
 * that leads out of it is as if it were not there, also where it is put there later. `.git` and `node_modules` are left
 * out.
 */
export function openSourceFolder(folder: string): SourceTree {
  const root = realpathSync.native(folder);
  const paths = [...listFiles(root, '', [root])].sort();
  return sourceTree(paths, (path) => {
    const file = placeInside(root, path);
    return file === undefined ? undefined : readIfThere(file);
  });
}

/** @param trail the folders on the way here, by their true places, so that a link into one of them is seen as a loop */
function* listFiles(root: string, folder: string, trail: string[]): Generator<string> {
  for (const entry of entriesOf(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isSkippedPath(path)) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* listFolder(root, path, trail);
    else if (entry.isSymbolicLink()) yield* listLink(root, path, trail);
  }
}

function* listLink(root: string, path: string, trail: string[]): Generator<string> {
  const place = placeInside(root, path);
  const target = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
  if (target?.isFile()) yield path;
  if (target?.isDirectory()) yield* listFolder(root, path, trail);
}

function* listFolder(root: string, path: string, trail: string[]): Generator<string> {
  const place = placeInside(root, path);
  if (place === undefined || trail.includes(place) || trail.length >= deepestPath) return;
  yield* listFiles(root, path, [...trail, place]);
}

/** Where a path truly is, or `undefined` where that is not inside the folder, or nowhere. */
function placeInside(root: string, path: string): string | undefined {
  try {
    const place = realpathSync.native(join(root, path));
    if (place !== root && !place.startsWith(root + sep)) return undefined;
    return isSkippedPath(place.slice(root.length + 1)) ? undefined : place;
  } catch {
    // Gone, a link to nothing, or a loop of links.
    return undefined;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function readIfThere(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
