import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { GIT_FACTS_FILE } from '@docent/format/docs-json/settings/repository.ts';
import {
  inFolder,
  isSiteFile,
  type SiteSource,
  SOURCES_FILE,
  sourceOf,
  writeComposedSources,
} from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import { isSkippedPath } from './archive-paths.ts';

/** Links between folders can nest; deeper paths are ignored. */
const deepestPath = 64;

/** A source of a site below a path, and the folder that has its files. */
export interface SourcePart extends SiteSource {
  folder: string;
  /** As in `openSourceFolder`. */
  gitFacts?: string | undefined;
}

/**
 * Returns the files of a folder, listed now and read on request. Links are followed inside the
 * folder only; a link to a target outside it is ignored, even if it is created later. `.git` and
 * `node_modules` are left out.
 * @param gitFacts content of the file with facts from Git about the folder, if it has none itself
 * @param parts further sources: the files of each are in the tree below its path, instead of files
 *   of the folder there. Of one that `isBase`, which is the folder itself, only the files that
 *   concern the whole site stay where they are
 */
export function openFolderFiles(
  folder: string,
  gitFacts?: string,
  parts: readonly SourcePart[] = [],
): FolderFiles {
  const base = openFolder(folder, gitFacts);
  return parts.length === 0 ? base : composeFiles(base, parts);
}

/** Files of the base source in the folder of another, which the report of a build names. */
const MAX_HIDDEN = 20;

function composeFiles(base: FolderFiles, parts: readonly SourcePart[]): FolderFiles {
  const trees = new Map(
    parts.map((part) => [part.path, part.isBase ? base : openFolder(part.folder, part.gitFacts)]),
  );
  const isPlaced = parts.some(({ isBase }) => isBase);
  const sources = parts.map(({ path, name, isBase }) => {
    const hides = isPlaced ? [] : base.paths.filter((file) => file.startsWith(`${path}/`));
    return { path, name, isBase, hides: hides.slice(0, MAX_HIDDEN) };
  });
  const manifest = Buffer.from(writeComposedSources(sources));
  const locate = (file: string) => {
    const source = sourceOf(sources, file);
    const tree = source && trees.get(source.path);
    return tree ? { tree, path: file.slice(source.path.length + 1) } : { tree: base, path: file };
  };
  const paths = [
    ...base.paths.filter((file) => !sourceOf(sources, file) && (!isPlaced || isSiteFile(file))),
    ...[...trees].flatMap(([folder, tree]) => tree.paths.map((path) => inFolder(folder, path))),
    SOURCES_FILE,
  ];
  return {
    paths: [...new Set(paths)].sort(),
    readBytes(file) {
      if (file === SOURCES_FILE) return manifest;
      const { tree: part, path } = locate(file);
      return part.readBytes(path);
    },
    hasLinks: base.hasLinks || [...trees.values()].some(({ hasLinks }) => hasLinks),
    placeOf(file) {
      const { tree: part, path } = locate(file);
      return part.placeOf(path);
    },
    listedAt(file) {
      const { tree: part, path } = locate(file);
      return part.listedAt(path);
    },
  };
}

function openFolder(folder: string, gitFacts?: string): FolderFiles {
  const root = realpathSync.native(folder);
  const listing: Listing = { root, hasLinks: false };
  const added = new Map(gitFacts === undefined ? [] : [[GIT_FACTS_FILE, Buffer.from(gitFacts)]]);
  const paths = [...new Set([...listFiles(listing, '', [root]), ...added.keys()])].sort();
  const placeOf = (path: string) => placeInside(root, path);
  return {
    paths,
    readBytes(path) {
      const file = placeOf(path);
      return file === undefined ? added.get(path) : readIfThere(file, path);
    },
    hasLinks: listing.hasLinks,
    placeOf,
    listedAt: (path) => join(root, path),
  };
}

/** Returns whether a folder is the root of a documentation source. */
export function hasConfig(folder: string): boolean {
  return ['docs.json', 'mint.json'].some((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  );
}

/** Files of a folder and their real locations. */
export interface FolderFiles {
  /** All files, in path order. */
  paths: readonly string[];
  /** Returns undefined if one of the paths was deleted. */
  readBytes(path: string): Uint8Array | undefined;
  /** Whether some of the paths contain links, so that a file may have several paths. */
  hasLinks: boolean;
  /** Returns the real path of the file; undefined if it is not inside the folder. */
  placeOf(path: string): string | undefined;
  /**
   * Returns where the file was when the folder was listed, to see whether it has changed, not to read
   * it: `placeOf` asks the system about each folder above it.
   */
  listedAt(path: string): string;
}

interface Listing {
  root: string;
  hasLinks: boolean;
}

/**
 * @param trail real paths of the parent folders, so that a link into one of them is recognized as a
 *   loop
 */
function* listFiles(listing: Listing, folder: string, trail: string[]): Generator<string> {
  for (const entry of entriesOf(listing.root, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isSkippedPath(path)) continue;
    if (entry.isFile()) yield path;
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    listing.hasLinks ||= entry.isSymbolicLink();
    const place = placeInside(listing.root, path);
    const target = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
    if (target?.isFile()) yield path;
    if (
      place === undefined ||
      !target?.isDirectory() ||
      trail.includes(place) ||
      trail.length >= deepestPath
    )
      continue;
    yield* listFiles(listing, path, [...trail, place]);
  }
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
    return new DocentError(
      'build_failed',
      `${path} cannot be read: permission is denied. Make it readable, or move it out.`,
    );
  }
  if (code === 'ERR_FS_FILE_TOO_LARGE') {
    return new DocentError(
      'build_failed',
      `${path} is larger than 2 GB. Move it out of the documentation folder.`,
    );
  }
  return error;
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
