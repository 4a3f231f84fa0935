import { DocentError } from '../../core/errors.ts';

/** The files of a documentation source of any origin. Paths have no leading slash and `/` between words. */
export interface SourceTree {
  /** All files, in path order. */
  paths(): readonly string[];
  /** Returns the file as UTF-8 text without a byte order mark; invalid bytes become U+FFFD. */
  readText(path: string): string | undefined;
  readBytes(path: string): Uint8Array | undefined;
  has(path: string): boolean;
}

/** Longer than any page or description; a text of this length alone would use up the memory of a build. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const decoder = new TextDecoder();

function tooLarge(path: string, sizeBytes: number): DocentError {
  const megabytes = Math.ceil(sizeBytes / 1024 / 1024);
  return new DocentError(
    'build_failed',
    `${path} has ${megabytes} MB, which is too large for a text file. Make it smaller than 64 MB, or move it out.`,
    {
      place: { file: path },
    },
  );
}

/** Returns a tree of files in memory, for example those of an archive. */
export function memorySourceTree(files: ReadonlyMap<string, Uint8Array>): SourceTree {
  const paths = [...files.keys()].sort();
  return sourceTree(paths, (path) => files.get(path));
}

/** Returns a tree with these paths; `read` is called for the bytes each time. */
export function sourceTree(paths: readonly string[], read: (path: string) => Uint8Array | undefined): SourceTree {
  const known = new Set(paths);
  const readBytes = (path: string) => (known.has(path) ? read(path) : undefined);
  return {
    paths: () => paths,
    has: (path) => known.has(path),
    readBytes,
    readText: (path) => {
      const bytes = readBytes(path);
      if (bytes && bytes.byteLength > MAX_TEXT_BYTES) throw tooLarge(path, bytes.byteLength);
      return bytes && decoder.decode(bytes);
    },
  };
}

/**
 * Archives of a repository contain a single folder with everything in it. If that folder, and not the root, has `docs.json` or
 * `mint.json`, returns the files without the folder in their paths; otherwise the files unchanged.
 */
export function stripTopFolder(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const folder = topFolder([...files.keys()]);
  const isRoot = (prefix: string) => files.has(`${prefix}docs.json`) || files.has(`${prefix}mint.json`);
  if (folder === undefined || isRoot('') || !isRoot(folder)) return new Map(files);
  return new Map([...files].map(([path, bytes]) => [path.slice(folder.length), bytes]));
}

/** Returns the folder that contains every path, with a trailing slash. */
function topFolder(paths: string[]): string | undefined {
  const folder = paths[0]?.slice(0, paths[0].indexOf('/') + 1);
  return folder && paths.every((path) => path.startsWith(folder)) ? folder : undefined;
}

/** Wraps a tree to call `onRead` with each file before it is read. */
export function watchReads(tree: SourceTree, onRead: (path: string) => void): SourceTree {
  const watched =
    <Result>(read: (path: string) => Result) =>
    (path: string) => {
      onRead(path);
      return read(path);
    };
  return { ...tree, readText: watched(tree.readText), readBytes: watched(tree.readBytes) };
}

/** Size of the texts that a build caches between reading a page's frontmatter and compiling it. */
const MAX_REMEMBERED_CHARACTERS = 32 * 1024 * 1024;

/** Wraps a tree to read each text once, as long as they fit in the cache. For a tree that does not change. */
export function rememberTexts(tree: SourceTree): SourceTree {
  const texts = new Map<string, string>();
  let size = 0;
  return {
    ...tree,
    readText(path) {
      const known = texts.get(path);
      if (known !== undefined) return known;
      const text = tree.readText(path);
      if (text !== undefined && size + text.length <= MAX_REMEMBERED_CHARACTERS) {
        texts.set(path, text);
        size += text.length;
      }
      return text;
    },
  };
}
