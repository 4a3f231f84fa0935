import { createHash } from 'node:crypto';
import { IndexData } from '../../core/search/index-data.ts';
import { type CutIndex, cutIndex } from '../../core/search/parts/cut-index.ts';
import type { SiteBuild } from '../../core/site-build.ts';
import { searchHeadScript, searchPartScript } from '../../theme/search-index-script.ts';
import { createTextWriter } from '../bundle/utf8-slabs.ts';

/** Up to this size an index is one script: many small files would cost more than they save. */
const ONE_SCRIPT_BYTES = 120_000;

/** To be counted up when other scripts are made of the same index. */
export const SEARCH_PARTS_FORMAT = 3;

/** Which scripts are made of an index. */
export interface SearchCut {
  /** What their names begin with, as `searchName` makes it. */
  name: string;
  /** Each of these languages has an index of its own; where there are none, one index has all pages. */
  languages: readonly string[];
  /** Site paths of the pages that go in; all where it is absent. */
  included?: ReadonlySet<string>;
}

/** A script under its path in the site. */
export interface SearchFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * What the scripts of an index are called, before they are made: the same index and the same pages have the same name.
 * @param indexSha256 of the index of the whole site
 * @param included as in `SearchCut`
 */
export function searchName(indexSha256: string, included?: ReadonlySet<string>): string {
  const hash = createHash('sha256').update(`${SEARCH_PARTS_FORMAT} ${indexSha256}`);
  if (included) hash.update(` ${[...included].sort().join('\n')}`);
  return `search-index-${hash.digest('hex').slice(0, 8)}`;
}

/** The languages that have an index of their own, in the order of the pages: those of the site where it has several. */
export function searchLanguages(pages: readonly { language?: string }[]): string[] {
  const languages = [...new Set(pages.map((page) => page.language).filter((language) => language !== undefined))];
  return languages.length > 1 ? languages : [];
}

/** How the index of a whole site is cut, for its readers and for bundles of all its pages. */
export function wholeCut({ pages, searchIndex }: Pick<SiteBuild, 'pages' | 'searchIndex'>): SearchCut {
  const own = pages.filter((page) => page.externalUrl === undefined);
  return { name: searchName(searchIndex.sha256), languages: searchLanguages(own) };
}

/** The script under `_docent/` that a page of a language begins with; a page without one begins with that of the first. */
export function searchHead({ name, languages }: Pick<SearchCut, 'name' | 'languages'>, language?: string): string {
  const of = languages.find((one) => one.toLowerCase() === language?.toLowerCase()) ?? languages[0];
  // Parts are numbered behind a dash, so that there is none in the language.
  return of === undefined ? `${name}.js` : `${name}-${of.toLowerCase().replaceAll('-', '_')}.js`;
}

/**
 * The scripts that hold the search index: for each language a head, and parts that a page fetches when a search needs them. A
 * small index is one script. The same index gives the same bytes.
 * @param indexBytes the index of the whole site
 */
export function searchFiles(indexBytes: Uint8Array, { name, languages, included }: SearchCut): SearchFile[] {
  const data = new IndexData(indexBytes);
  const has = (href: string) => included?.has(href) ?? true;
  if (languages.length === 0)
    return scriptsOf(
      cutIndex(data, ({ href }) => has(href)),
      searchHead({ name, languages }),
    );
  return languages.flatMap((own) => {
    const cut = cutIndex(data, ({ href, language }) => has(href) && (language === undefined || language === own));
    return scriptsOf(cut, searchHead({ name, languages }, own));
  });
}

function scriptsOf({ head, parts }: CutIndex, headName: string): SearchFile[] {
  const write = createTextWriter();
  const scripts = [write(searchHeadScript(head)), ...parts.map((packed, part) => write(searchPartScript(part, packed)))];
  const isSmall = scripts.reduce((sum, script) => sum + script.length, 0) <= ONE_SCRIPT_BYTES;
  const written = isSmall ? [write(searchHeadScript(head, parts))] : scripts;
  return written.map((bytes, at) => ({
    path: `_docent/${at === 0 ? headName : headName.replace(/\.js$/, `-${at - 1}.js`)}`,
    bytes,
  }));
}
