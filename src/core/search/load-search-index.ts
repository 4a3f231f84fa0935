import { bestFirst } from './best-first.ts';
import { IndexData, type IndexedPage } from './index-data.ts';
import { proximity } from './proximity.ts';
import { queryGroups } from './query-groups.ts';
import { type RankingWeights, rankingWeights } from './ranking-weights.ts';
import { SectionScorer } from './score-sections.ts';
import type { SearchHit, SearchIndex, SearchOptions } from './search-index.ts';
import { SearchScopes } from './search-scope.ts';

/** Candidates whose text is read for the last decision; reading costs more than all that comes before it. */
const MOST_REREAD = 16;

/**
 * Opens a serialised index. Cheap: texts and postings are decoded when a query needs them.
 * @param weights for measurements; leave it out
 * @throws Error where the bytes are not an index of this version
 */
export function loadSearchIndex(bytes: Uint8Array, weights: RankingWeights = rankingWeights): SearchIndex {
  return new LoadedIndex(new IndexData(bytes), weights);
}

class LoadedIndex implements SearchIndex {
  readonly documentCount: number;
  readonly versions: readonly string[];
  readonly languages: readonly string[];
  private readonly data: IndexData;
  private readonly weights: RankingWeights;
  private readonly scopes: SearchScopes;
  private readonly scorer: SectionScorer;
  private readonly boostFactor: Float32Array;

  constructor(data: IndexData, weights: RankingWeights) {
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
    const { data, weights } = this;
    const groups = queryGroups(data, query, options.completeLastWord ?? true, weights.variants);
    if (!groups.some((group) => group.variants.size > 0)) return [];
    const currentPath = options.currentPath?.replace(/^\//, '') ?? '';
    const current = currentPath === '' ? undefined : data.pages.find((page) => page.path === currentPath);
    const pageFactor = this.pageFactor(folderOf(currentPath), current?.language ?? options.defaults?.language);
    const { sections, scores } = this.scorer.score(groups, this.scopes.of(options, current), pageFactor);
    const candidates = bestFirst(sections, scores, Math.max(MOST_REREAD, options.limit));
    for (const section of candidates.slice(0, MOST_REREAD)) {
      (scores[section] as number) *= 1 + weights.proximity * proximity(groups, data.sectionText(section));
    }
    return bestFirst(candidates, scores, options.limit).map((section) => ({
      document: data.document(section),
      score: spread(scores[section] as number),
    }));
  }

  /** What the score of a page is multiplied by: more near the page that the reader is on, less in another language. */
  private pageFactor(folder: string, preferredLanguage: string | undefined): (page: number) => number {
    const { data, weights, boostFactor } = this;
    return (number) => {
      const { path, language } = data.pages[number] as IndexedPage;
      const nearby = folder !== '' && folderOf(path) === folder ? 1 + weights.neighbourhood : 1;
      const isOther = preferredLanguage !== undefined && language !== undefined && language !== preferredLanguage;
      return nearby * (isOther ? weights.otherLanguage : 1) * (boostFactor[number] as number);
    };
  }
}

/** Labels of protected pages are not told. */
function labels(pages: readonly IndexedPage[], label: 'version' | 'language'): string[] {
  const open = pages.filter((page) => page.groups === undefined);
  return [...new Set(open.map((page) => page[label]).filter((value) => value !== undefined))];
}

/** Even a perfect page says few words of a question often, so raw scores crowd near 0; the root spreads them over 0–1. */
function spread(score: number): number {
  return Math.min(1, Math.sqrt(score));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
