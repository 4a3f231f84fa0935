import {
  type ParsedApiDocument,
  parseApiDocument,
} from '@docent/format/api-reference/parse-api-document.ts';
import {
  inFolder,
  readComposedSources,
  SOURCES_FILE,
  sourceRoot,
} from '@docent/format/docs-json/site-sources.ts';
import { LRUCache } from 'lru-cache';
import type { SourceTree } from '../source/source-tree.ts';

/** Enough for most sites; one with more parses some of them twice. */
const MAX_KEPT = 40;
const MAX_CHARACTERS = 30_000_000;

interface Kept {
  text: string;
  /** The other files that it was parsed with, by path. */
  others: Map<string, string | undefined>;
  parsed: unknown;
}

const kept = new LRUCache<string, Kept>({
  max: MAX_KEPT,
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ text }) => text.length || 1,
});

/** Parses the text of a file; may read others. */
type Read<Parsed> = (
  text: string,
  file: string,
  readOther: (path: string) => string | undefined,
) => Parsed;

/**
 * Parses a description once, as long as its text and the files that it refers to stay the same:
 * navigation and pages request it alternately, and parsing a long YAML file takes seconds. Reads
 * each of those files from the source every time.
 * @param format distinguishes the formats that a file is parsed as
 * @returns undefined if there is no such file
 */
export function readOnce<Parsed>(
  source: Pick<SourceTree, 'readText'>,
  file: string,
  format: string,
  read: Read<Parsed>,
): Parsed | undefined {
  const text = source.readText(file);
  if (text === undefined) return undefined;
  const key = `${format} ${file}`;
  const cachedEntry = kept.get(key);
  const ownSource = sourceAround(source, file);
  const entry =
    cachedEntry?.text === text && isSame(ownSource, cachedEntry.others)
      ? cachedEntry
      : parse(ownSource, text, file, read);
  kept.set(key, entry);
  // Each format has one parser, so the type of a cached value follows from its key.
  return entry.parsed as Parsed;
}

/** The files that a file can refer to: in a site of several sources, those of its own. */
function sourceAround(
  tree: Pick<SourceTree, 'readText'>,
  file: string,
): Pick<SourceTree, 'readText'> {
  const sources = readComposedSources(tree.readText(SOURCES_FILE));
  if (sources.length === 0) return tree;
  const root = sourceRoot(sources, file);
  return {
    readText(path) {
      if (sourceRoot(sources, path) === root) return tree.readText(path);
      return root === '' ? undefined : tree.readText(inFolder(root, path));
    },
  };
}

/** Parses an API description once. */
export function parseOnce(
  source: Pick<SourceTree, 'readText'>,
  file: string,
): ParsedApiDocument | undefined {
  return readOnce(source, file, 'api', parseApiDocument);
}

function parse(
  source: Pick<SourceTree, 'readText'>,
  text: string,
  file: string,
  read: Read<unknown>,
): Kept {
  const others = new Map<string, string | undefined>();
  const parsed = read(text, file, (path) => {
    const other = source.readText(path);
    others.set(path, other);
    return other;
  });
  return { text, others, parsed };
}

function isSame(source: Pick<SourceTree, 'readText'>, texts: Kept['others']): boolean {
  return [...texts].every(([path, text]) => source.readText(path) === text);
}
