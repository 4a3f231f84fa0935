import { decodeUtf8 } from '@docent/format/bytes.ts';
import { searchIndexOf } from '../load/load-search-index.ts';
import type { SearchHit, SearchIndex } from '../search-index.ts';
import { noRules, type SearchRules } from '../search-rules.ts';
import { type SearchPayload, type Shard, type ShardBlock, shardPath } from './shard-format.ts';
import { ShardedData } from './sharded-index.ts';

/** With the language of the index, if the bundle has one per language. */
const HEAD = /^_docent\/search-index-[0-9a-f]{8}(?:-[a-z][a-z0-9_]*)?\.js$/;
const RULES = /^_docent\/search-rules-[0-9a-f]{8}\.js$/;
/** The JSON in a script of the index, which consists of a single call. */
const SCRIPT = /^[\w.]+\((?:\d+,)?([\s\S]*)\);\n$/;
const DAMAGED =
  'The search index of the bundle is damaged, or of another version of Docent; export the site again.';

/**
 * Opens the search index of a bundle when all of its files are available: an ordinary index with
 * the same results as on the platform.
 * @param paths the paths of the bundle's files
 * @param readFile returns the bytes of a file
 * @throws Error if the bundle has no index, or a damaged one
 */
export async function loadBundleIndex(
  paths: Iterable<string>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<SearchIndex> {
  const bundlePaths = new Set(paths);
  const heads = [...bundlePaths].filter((path) => HEAD.test(path));
  if (heads.length === 0)
    throw new Error('The bundle holds no search index; export the site again.');
  return joinIndexes(
    await Promise.all(heads.map((head) => loadWhole(head, bundlePaths, readFile))),
  );
}

/**
 * Returns the rules of the search of a bundle.
 * @throws Error if they are damaged
 */
export async function loadBundleRules(
  paths: Iterable<string>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<SearchRules> {
  const path = [...paths].find((bundlePath) => RULES.test(bundlePath));
  if (path === undefined) return noRules;
  return readScript(decodeUtf8(await readFile(path))) as SearchRules;
}

async function loadWhole(
  headPath: string,
  bundlePaths: ReadonlySet<string>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<SearchIndex> {
  const read = async <Kind>(path: string): Promise<Kind> =>
    readScript(decodeUtf8(await readFile(path))) as Kind;
  const { head, shards } = await read<SearchPayload>(headPath);
  const start = headPath.replace(/search-index-[0-9a-f]{8}/, 'search-start');
  // Bundles of earlier versions have no blocks.
  const [, blocks] = bundlePaths.has(start)
    ? (readArguments(decodeUtf8(await readFile(start))) as [string, ShardBlock[]?])
    : [];
  const data = new ShardedData(head);
  for (let number = 0; number < data.shardCount; number++) {
    const path = shardPath(headPath, number, blocks);
    const shard = shards?.[number] ?? (bundlePaths.has(path) ? await read<Shard>(path) : undefined);
    if (shard === undefined) throw new Error(DAMAGED);
    data.add(number, shard);
  }
  return searchIndexOf(data);
}

function readScript(script: string): unknown {
  return readArguments(script)[0];
}

function readArguments(script: string): unknown[] {
  try {
    return JSON.parse(`[${script.replace(SCRIPT, '$1')}]`) as unknown[];
  } catch {
    throw new Error(DAMAGED);
  }
}

/**
 * Combines several indexes: those of a site's languages. A page without a language is in each of
 * them, but is found once. Sections have no common number, so semantic search does not apply.
 */
function joinIndexes(indexes: readonly SearchIndex[]): SearchIndex {
  const [only] = indexes;
  if (indexes.length === 1 && only) return only;
  const all = (of: (index: SearchIndex) => readonly string[]) => [...new Set(indexes.flatMap(of))];
  return {
    versions: all((index) => index.versions),
    languages: all((index) => index.languages),
    search(query, { addMeaning, ...options }) {
      const { language } = options.filter ?? {};
      const matchingIndexes = indexes.filter(
        (index) => language === undefined || index.languages.includes(language),
      );
      const hits = (matchingIndexes.length > 0 ? matchingIndexes : indexes).flatMap((index) =>
        index.search(query, options),
      );
      return withoutTwins(hits.sort(byWorth)).slice(0, options.limit);
    },
    sectionsOf(path) {
      for (const index of indexes) {
        const sections = index.sectionsOf(path);
        if (sections.length > 0) return sections;
      }
      return [];
    },
  };
}

function byWorth(a: SearchHit, b: SearchHit): number {
  return Number(b.isNamed ?? false) - Number(a.isNamed ?? false) || b.score - a.score;
}

function withoutTwins(hits: readonly SearchHit[]): SearchHit[] {
  const places = new Set<string>();
  return hits.filter(({ document: { path, anchor } }) => {
    const place = `${path}#${anchor}`;
    return !places.has(place) && places.add(place);
  });
}
