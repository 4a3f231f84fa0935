import { createHash } from 'node:crypto';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { decodeUtf8, encodeUtf8 } from '@docent/format/bytes.ts';
import type { ShardBlock } from '@docent/search/shards/shard-format.ts';

/** Incremented when the same index produces different scripts. */
export const SEARCH_SCRIPTS_FORMAT = 7;

/** Which scripts are generated from an index. */
export interface SearchCut {
  /** Prefix of their names, as returned by `searchName`. */
  name: string;
  /** Each of these languages has its own index; if empty, one index has all pages. */
  languages: readonly string[];
  /** Site paths of the pages to include; all if absent. */
  included?: ReadonlySet<string>;
  /**
   * One script per index, however large: while the site changes, shards of different versions of an
   * index would mix.
   */
  isSingle?: boolean;
}

/** A script and its path in the site. */
export interface SearchFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * Returns the name of an index's scripts before they are generated: the same index and the same
 * pages have the same name.
 * @param indexSha256 hash of the index of the whole site
 * @param included as in `SearchCut`
 */
export function searchName(indexSha256: string, included?: ReadonlySet<string>): string {
  const hash = createHash('sha256').update(`${SEARCH_SCRIPTS_FORMAT} ${indexSha256}`);
  if (included) hash.update(` ${[...included].sort().join('\n')}`);
  return `search-index-${hash.digest('hex').slice(0, 8)}`;
}

/**
 * Returns the languages with their own index, in page order: those of the site if it has several.
 */
export function searchLanguages(pages: readonly { language?: string }[]): string[] {
  const languages = [
    ...new Set(pages.map((page) => page.language).filter((language) => language !== undefined)),
  ];
  return languages.length > 1 ? languages : [];
}

/**
 * Defines how the index of a whole site is split, for its readers and for bundles of all its pages.
 */
export function wholeCut({
  pages,
  searchIndex,
}: Pick<SiteBuild, 'pages' | 'searchIndex'>): SearchCut {
  const sitePages = pages.filter((page) => page.externalUrl === undefined);
  return { name: searchName(searchIndex.sha256), languages: searchLanguages(sitePages) };
}

/**
 * Returns the script under `_docent/` that a page of a language loads first; a page without a
 * language uses the first one.
 */
export function searchHead(
  { name, languages }: Pick<SearchCut, 'name' | 'languages'>,
  language?: string,
): string {
  const of =
    languages.find((siteLanguage) => siteLanguage.toLowerCase() === language?.toLowerCase()) ??
    languages[0];
  // Shards are numbered after a hyphen, so the language must not contain one.
  return of === undefined ? `${name}.js` : `${name}-${of.toLowerCase().replaceAll('-', '_')}.js`;
}

/**
 * Returns the script under `_docent/` that the pages of a bundle name instead: it only names the
 * head. A page of a bundle thus changes only if something in it does.
 */
export function searchStart(cut: SearchCut, language?: string): string {
  return searchHead({ ...cut, name: 'search-start' }, language);
}

/**
 * Returns those scripts of all languages.
 * @param blocks those of each index, by the path of its head; undefined for one without shards
 */
export function searchStarts(
  cut: SearchCut,
  blocks: ReadonlyMap<string, readonly ShardBlock[]>,
): SearchFile[] {
  const languages = cut.languages.length === 0 ? [undefined] : cut.languages;
  return languages.map((language) => {
    const head = searchHead(cut, language);
    const values = [head, blocks.get(`_docent/${head}`)].map((value) => JSON.stringify(value));
    return {
      path: `_docent/${searchStart(cut, language)}`,
      bytes: encodeUtf8(`__docentSearchIndex(${values.filter(Boolean).join()});\n`),
    };
  });
}

const FIRST_PAGE = /^__docentSearchShard\(\d+,\[\[\[("(?:[^"\\]|\\.)*")/;
const MAX_START_BYTES = 4096;

/** Returns the path of the first page with a text in the script; undefined if there is none. */
export function firstPageOf({ bytes }: SearchFile): string | undefined {
  const path = FIRST_PAGE.exec(decodeUtf8(bytes.subarray(0, MAX_START_BYTES)))?.[1];
  return path === undefined ? undefined : (JSON.parse(path) as string);
}
