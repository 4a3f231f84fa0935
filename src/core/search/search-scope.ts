import type { RankedPage, SearchData } from './index/search-data.ts';
import type { RankingWeights } from './ranking-weights.ts';
import type { SearchOptions } from './search-index.ts';

/**
 * The pages in scope, with their lengths normalized by the average of just these: other languages use other words and longer
 * texts.
 */
export interface SearchScope {
  /** 1 for each page in scope. */
  included: Uint8Array;
  sectionCount: number;
  /** Length normalization factors of each section, each page and each title. */
  sectionNorm: Float32Array;
  pageNorm: Float32Array;
  titleNorm: Float32Array;
}

/** Reading a page's labels for each query would cost as much as ranking; sites have few versions and languages. */
const MAX_REMEMBERED = 8;

/** Creates the scopes of one index and caches the last few. */
export class SearchScopes {
  private readonly data: SearchData;
  private readonly weights: RankingWeights;
  private readonly known = new Map<string, SearchScope>();

  constructor(data: SearchData, weights: RankingWeights) {
    this.data = data;
    this.weights = weights;
  }

  /**
   * @param current the reader's current page, whose version counts if the filter names none
   * @param spoken the only language in scope if the filter names none
   */
  of({ filter = {}, defaults }: SearchOptions, current: Pick<RankedPage, 'version'> | undefined, spoken?: string): SearchScope {
    const version = filter.version ?? current?.version ?? this.knownVersion(defaults?.version);
    const { language = spoken, tag, groups } = filter;
    const key = JSON.stringify([version, language, tag, groups]);
    const known = this.known.get(key);
    if (known) return known;
    if (this.known.size >= MAX_REMEMBERED) this.known.delete(this.known.keys().next().value as string);
    const scope = this.measure(
      Uint8Array.from(this.data.pages, (page) => (isFound(page, { version, language, tag, groups }) ? 1 : 0)),
    );
    this.known.set(key, scope);
    return scope;
  }

  /** A default that no page has would exclude all pages. */
  private knownVersion(version: string | undefined): string | undefined {
    return version !== undefined && this.data.pages.some((page) => page.version === version) ? version : undefined;
  }

  private measure(included: Uint8Array): SearchScope {
    const { data, weights } = this;
    const isIncluded = (section: number) => included[data.pageOfSection[section] as number] === 1;
    return {
      included,
      sectionCount: data.pageOfSection.reduce((count, page) => count + (included[page] as number), 0),
      sectionNorm: lengthNorms(data.sectionLength, isIncluded, weights.sectionLength),
      pageNorm: lengthNorms(data.pageLength, (page) => included[page] === 1, weights.pageLength),
      titleNorm: lengthNorms(data.titleLength, (page) => included[page] === 1, weights.titleLength),
    };
  }
}

function isFound(page: RankedPage, { version, language, tag, groups = [] }: NonNullable<SearchOptions['filter']>): boolean {
  if (page.groups !== undefined && !page.groups.some((group) => groups.includes(group))) return false;
  // A page without a label belongs to every version and language.
  if (version !== undefined && page.version !== undefined && page.version !== version) return false;
  if (language !== undefined && page.language !== undefined && page.language !== language) return false;
  return tag === undefined || page.tag === tag;
}

function lengthNorms(lengths: Float32Array, isIncluded: (index: number) => boolean, share: number): Float32Array {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < lengths.length; i++) {
    if (!isIncluded(i)) continue;
    sum += lengths[i] as number;
    count++;
  }
  const average = sum / count || 1;
  return lengths.map((length) => 1 / (1 - share + (share * length) / average));
}
