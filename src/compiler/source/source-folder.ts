import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DocentError } from '../../core/errors.ts';
import { isSkippedPath } from './source-paths.ts';
import { type SourceTree, sourceTree } from './source-tree.ts';

/** Links between folders can nest; nobody reads a deeper path. */
const deepestPath = 64;

/**
 * The files of a folder, listed now and read when they are asked for. Links are followed inside the folder only; a link
 * that leads out of it is as if it were not there, also where it is put there later. `.git` and `node_modules` are left
 * out.
 */
export function openSourceFolder(folder: string): SourceFolder {
  const root = realpathSync.native(folder);
  const listing: Listing = { root, hasLinks: false };
  const paths = [...listFiles(listing, '', [root])].sort();
  const placeOf = (path: string) => placeInside(root, path);
  const tree = sourceTree(paths, (path) => {
    const file = placeOf(path);
    return file === undefined ? undefined : readIfThere(file, path);
  });
  return { ...tree, root, hasLinks: listing.hasLinks, placeOf };
}

/** Files of a folder, and how they lie in it. */
export interface SourceFolder extends SourceTree {
  /** The folder itself, links followed. */
  root: string;
  /** Whether some of the paths lead through links, so that a file may stand at several. */
  hasLinks: boolean;
  /** Where the file at a path truly is; undefined where that is nowhere inside the folder. */
  placeOf(path: string): string | undefined;
}

interface Listing {
  root: string;
  hasLinks: boolean;
}

/** @param trail the folders on the way here, by their true places, so that a link into one of them is seen as a loop */
function* listFiles(listing: Listing, folder: string, trail: string[]): Generator<string> {
  for (const entry of entriesOf(listing.root, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isSkippedPath(path)) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* listFolder(listing, path, trail);
    else if (entry.isSymbolicLink()) yield* listLink(listing, path, trail);
  }
}

function* listLink(listing: Listing, path: string, trail: string[]): Generator<string> {
  listing.hasLinks = true;
  const place = placeInside(listing.root, path);
  const target = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
  if (target?.isFile()) yield path;
  if (target?.isDirectory()) yield* listFolder(listing, path, trail);
}

function* listFolder(listing: Listing, path: string, trail: string[]): Generator<string> {
  const place = placeInside(listing.root, path);
  if (place === undefined || trail.includes(place) || trail.length >= deepestPath) return;
  yield* listFiles(listing, path, [...trail, place]);
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

function entriesOf(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    throw refusal(error, `${folder || '.'}/`);
  }
}

function readIfThere(file: string, path: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw refusal(error, path);
  }
}

/** Where the system refuses a file, the error names it. */
function refusal(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM') {
    return new DocentError('build_failed', `${path} cannot be read: permission is denied. Make it readable, or move it out.`);
  }
  if (code === 'ERR_FS_FILE_TOO_LARGE') {
    return new DocentError('build_failed', `${path} is larger than 2 GB. Move it out of the documentation folder.`);
  }
  return error;
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
