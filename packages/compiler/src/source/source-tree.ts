import { hash } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import { findSecrets, maskSecrets, type Secret } from './find-secrets.ts';
import { type FolderFiles, openFolderFiles, type SourcePart } from './folder-files.ts';
import type { KeptValues } from './kept-values.ts';

/**
 * The files of a documentation source of any origin. Paths have no leading slash and `/` between
 * words.
 */
export interface SourceTree {
  /** All files, in path order. */
  paths(): readonly string[];
  /**
   * Returns the file as UTF-8 text without a byte order mark; invalid bytes become U+FFFD. Secrets
   * in pages are masked, in every form of the page therefore: HTML, Markdown, search, answers,
   * bundles.
   */
  readText(path: string): string | undefined;
  /**
   * Returns the secrets in a page's file; empty for other files. Positions are the same in the text
   * that `readText` returns.
   */
  secretsIn(path: string): Secret[];
  /**
   * Describes the text of a page that was read from this tree before and has no secrets, for those
   * who only compare it; absent if files may change while the tree is used.
   */
  cleanText?(path: string): CleanText | undefined;
  readBytes(path: string): Uint8Array | undefined;
  has(path: string): boolean;
}

export interface CleanText {
  /** In Base64url. */
  sha256: string;
  length: number;
}

const PAGE = /\.mdx?$/i;

/**
 * Longer than any page or description; a text of this length alone would use up the memory of a
 * build.
 */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const decoder = new TextDecoder();

function tooLarge(path: string, sizeBytes: number): DocentError {
  const size = `${Math.ceil(sizeBytes / 1024 / 1024)} MB, which is too large for a text file`;
  const message = `${path} has ${size}. Make it smaller than 64 MB, or move it out.`;
  return new DocentError('build_failed', message, { place: { file: path } });
}

/** Returns a tree of files in memory. */
export function memorySourceTree(files: ReadonlyMap<string, Uint8Array>): SourceTree {
  return sourceTree([...files.keys()].sort(), (path) => files.get(path));
}

/** Returns a tree with these paths; `read` is called for the bytes each time. */
function sourceTree(
  paths: readonly string[],
  read: (path: string) => Uint8Array | undefined,
  kept?: KeptValues,
): SourceTree {
  const pathSet = new Set(paths);
  const readBytes = (path: string) => (pathSet.has(path) ? read(path) : undefined);
  const decode = (path: string) => {
    const bytes = readBytes(path);
    if (bytes && bytes.byteLength > MAX_TEXT_BYTES) throw tooLarge(path, bytes.byteLength);
    return bytes && decoder.decode(bytes);
  };
  // A build reads pages several times; looking for secrets takes longer than the rest of it.
  const cleanTexts = new Map<string, CleanText>();
  const secretsOf = (path: string, text: string) => {
    const sha256 = hash('sha256', text, 'base64url');
    if (cleanTexts.get(path)?.sha256 === sha256) return [];
    const find = () => findSecrets(text);
    const secrets = kept ? kept.of('secrets', text, find) : find();
    if (secrets.length === 0) cleanTexts.set(path, { sha256, length: text.length });
    else cleanTexts.delete(path);
    return secrets;
  };
  return {
    paths: () => paths,
    has: (path) => pathSet.has(path),
    readBytes,
    readText: (path) => {
      const text = decode(path);
      return text && PAGE.test(path) ? maskSecrets(text, secretsOf(path, text)) : text;
    },
    cleanText: (path) => cleanTexts.get(path),
    secretsIn: (path) => (PAGE.test(path) ? secretsOf(path, decode(path) ?? '') : []),
  };
}

/** Wraps a tree to call `onRead` with each file before it is read. */
export function watchReads(tree: SourceTree, onRead: (path: string) => void): SourceTree {
  return {
    ...tree,
    readText(path) {
      onRead(path);
      return tree.readText(path);
    },
    readBytes(path) {
      onRead(path);
      return tree.readBytes(path);
    },
  };
}

/** A folder as a source: its files, and their real locations. */
export type SourceFolder = SourceTree & Pick<FolderFiles, 'hasLinks' | 'placeOf'>;

/**
 * Returns the files of a folder as a source, listed now and read on request; the first parameters
 * are those of `openFolderFiles`.
 * @param kept what the last build found in the texts
 */
export function openSourceFolder(
  folder: string,
  gitFacts?: string,
  parts?: readonly SourcePart[],
  kept?: KeptValues,
): SourceFolder {
  const { paths, readBytes, hasLinks, placeOf } = openFolderFiles(folder, gitFacts, parts);
  return { ...sourceTree(paths, readBytes, kept), hasLinks, placeOf };
}
