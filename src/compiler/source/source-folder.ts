import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { GIT_FACTS_FILE } from '../../core/docs-json/git-facts.ts';
import { DocentError } from '../../core/errors.ts';
import { isSkippedPath } from './archive-paths.ts';
import { type SourceTree, sourceTree } from './source-tree.ts';

/** Links between folders can nest; deeper paths are ignored. */
const deepestPath = 64;

/**
 * Returns the files of a folder, listed now and read on request. Links are followed inside the folder only; a link to a
 * target outside it is ignored, even if it is created later. `.git` and `node_modules` are left out.
 * @param gitFacts content of the file with facts from Git about the folder, if it has none itself
 */
export function openSourceFolder(folder: string, gitFacts?: string): SourceFolder {
  const root = realpathSync.native(folder);
  const listing: Listing = { root, hasLinks: false };
  const added = new Map(gitFacts === undefined ? [] : [[GIT_FACTS_FILE, Buffer.from(gitFacts)]]);
  const paths = [...new Set([...listFiles(listing, '', [root]), ...added.keys()])].sort();
  const placeOf = (path: string) => placeInside(root, path);
  const tree = sourceTree(paths, (path) => {
    const file = placeOf(path);
    return file === undefined ? added.get(path) : readIfThere(file, path);
  });
  return { ...tree, root, hasLinks: listing.hasLinks, placeOf };
}

/** Files of a folder and their real locations. */
export interface SourceFolder extends SourceTree {
  /** The real path of the folder, with links resolved. */
  root: string;
  /** Whether some of the paths contain links, so that a file may have several paths. */
  hasLinks: boolean;
  /** Returns the real path of the file; undefined if it is not inside the folder. */
  placeOf(path: string): string | undefined;
}

interface Listing {
  root: string;
  hasLinks: boolean;
}

/** @param trail real paths of the parent folders, so that a link into one of them is recognized as a loop */
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

/** Returns the real path, or `undefined` if it does not exist or is not inside the folder. */
function placeInside(root: string, path: string): string | undefined {
  try {
    const place = realpathSync.native(join(root, path));
    if (place !== root && !place.startsWith(root + sep)) return undefined;
    return isSkippedPath(place.slice(root.length + 1)) ? undefined : place;
  } catch {
    // Deleted, a broken link, or a loop of links.
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

/** If the system refuses a file, the error names it. */
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
