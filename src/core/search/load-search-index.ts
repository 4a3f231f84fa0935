import { bestFirst } from './best-first.ts';
import { IndexData } from './index-data.ts';
import { proximity } from './proximity.ts';
import { queryGroups } from './query-groups.ts';
import { type RankingWeights, rankingWeights } from './ranking-weights.ts';
import { SectionScorer } from './score-sections.ts';
import { folderOf, type RankedPage, type SearchData } from './search-data.ts';
import type { ScoredSection, SearchHit, SearchIndex, SearchOptions } from './search-index.ts';
import { type SearchScope, SearchScopes } from './search-scope.ts';

/** Candidates whose text is read for the last decision; reading costs more than all that comes before it. */
const MOST_REREAD = 16;
/** Of a long section the beginning is read again: there it says what it is about. */
const LONGEST_REREAD = 2500;

/**
 * Opens a serialised index. Cheap: texts and postings are decoded when a query needs them.
 * @param weights for measurements; leave it out
 * @throws Error where the bytes are not an index of this version
 */
export function loadSearchIndex(bytes: Uint8Array, weights: RankingWeights = rankingWeights): SearchIndex {
  return searchIndexOf(new IndexData(bytes), weights);
}

/** Searches an index that is kept in whatever way. */
export function searchIndexOf(data: SearchData, weights: RankingWeights = rankingWeights): SearchIndex {
  return new LoadedIndex(data, weights);
}

class LoadedIndex implements SearchIndex {
  readonly documentCount: number;
  readonly versions: readonly string[];
  readonly languages: readonly string[];
  private readonly data: SearchData;
  private readonly weights: RankingWeights;
  private readonly scopes: SearchScopes;
  private readonly scorer: SectionScorer;
  private readonly boostFactor: Float32Array;

  constructor(data: SearchData, weights: RankingWeights) {
    this.data = data;
    this.weights = weights;
    this.documentCount = data.sectionCount;
    this.versions = labels(data.pages, 'version');
    this.languages = labels(data.pages, 'language');
    this.scopes = new SearchScopes(data, weights);
    this.scorer = new SectionScorer(data, weights);
    this.boostFactor = Float32Array.from(data.pages, (page) => Math.max(page.boost, 0) ** weights.boostPower);
  }

  search(query: string, options: SearchOptions): SearchHit[] {
    const { data } = this;
    const currentPath = options.currentPath?.replace(/^\//, '') ?? '';
    const current = currentPath === '' ? undefined : data.labelsAt(currentPath);
    const scope = this.scopes.of(options, current);
    const pageFactor = this.pageFactor(folderOf(currentPath), current?.language ?? options.defaults?.language);
    const byWord = this.byWord(query, options, scope, pageFactor);
    const { limit, addMeaning } = options;
    const isIncluded = (page: number) => scope.included[page] === 1;
    const found = addMeaning?.(byWord, { pageOfSection: data.pageOfSection, isIncluded, pageFactor, limit }) ?? byWord;
    return found.map(({ section, score }) => ({ document: data.document(section), score }));
  }

  /** What has the words of the query, best first. */
  private byWord(
    query: string,
    { completeLastWord = true, limit }: SearchOptions,
    scope: SearchScope,
    pageFactor: (page: number) => number,
  ): ScoredSection[] {
    const { data, weights } = this;
    const groups = queryGroups(data, query, completeLastWord, weights.variants);
    if (!groups.some((group) => group.variants.size > 0)) return [];
    const { sections: candidates, scores } = this.scorer.score(groups, scope, pageFactor, Math.max(MOST_REREAD, limit));
    for (const section of candidates.slice(0, MOST_REREAD)) {
      const text = data.sectionText(section).slice(0, LONGEST_REREAD);
      (scores[section] as number) *= 1 + weights.proximity * proximity(groups, text);
    }
    return bestFirst(candidates, scores, limit).map((section) => ({ section, score: spread(scores[section] as number) }));
  }

  /** What the score of a page is multiplied by: more near the page that the reader is on, less in another language. */
  private pageFactor(folder: string, preferredLanguage: string | undefined): (page: number) => number {
    const { data, weights, boostFactor } = this;
    return (number) => {
      const { folder: ownFolder, language } = data.pages[number] as RankedPage;
      const nearby = folder !== '' && ownFolder === folder ? 1 + weights.neighbourhood : 1;
      const isOther = preferredLanguage !== undefined && language !== undefined && language !== preferredLanguage;
      return nearby * (isOther ? weights.otherLanguage : 1) * (boostFactor[number] as number);
    };
  }
}

/** Labels of protected pages are not told. */
function labels(pages: readonly RankedPage[], label: 'version' | 'language'): string[] {
  const open = pages.filter((page) => page.groups === undefined);
  return [...new Set(open.map((page) => page[label]).filter((value) => value !== undefined))];
}

/** Even a perfect page says few words of a question often, so raw scores crowd near 0; the root spreads them over 0–1. */
function spread(score: number): number {
  return Math.min(1, Math.sqrt(score));
}
