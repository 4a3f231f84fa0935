import { bestFirst } from './best-first.ts';
import { IndexData, type IndexedPage } from './index-data.ts';
import { proximity } from './proximity.ts';
import { queryGroups } from './query-groups.ts';
import { type RankingWeights, rankingWeights } from './ranking-weights.ts';
import { SectionScorer } from './score-sections.ts';
import type { SearchHit, SearchIndex, SearchOptions } from './search-index.ts';

/** Candidates whose text is read for the last decision. */
const MOST_REREAD = 50;

/**
 * Opens a serialised index. Cheap: texts and postings are decoded when a query needs them.
 * @param weights for measurements; leave it out
 * @throws Error where the bytes are not an index of this version
 */
export function loadSearchIndex(bytes: Uint8Array, weights: RankingWeights = rankingWeights): SearchIndex {
  const data = new IndexData(bytes);
  const scorer = new SectionScorer(data, weights);
  return {
    documentCount: data.sectionCount,
    versions: labels(data.pages, 'version'),
    languages: labels(data.pages, 'language'),
    search(query, options) {
      return search(data, scorer, weights, query, options);
    },
  };
}

function labels(pages: readonly IndexedPage[], label: 'version' | 'language'): string[] {
  return [...new Set(pages.map((page) => page[label]).filter((value) => value !== null))];
}

function search(
  data: IndexData,
  scorer: SectionScorer,
  weights: RankingWeights,
  query: string,
  options: SearchOptions,
): SearchHit[] {
  const groups = queryGroups(data, query, options.completeLastWord ?? true, weights.variants);
  if (!groups.some((group) => group.variants.size > 0)) return [];
  const { sections, scores } = scorer.score(groups, pageFactors(data, weights, options));
  const candidates = bestFirst(sections, scores, Math.max(MOST_REREAD, options.limit));
  for (const section of candidates.slice(0, MOST_REREAD)) {
    scores[section] = (scores[section] as number) * (1 + weights.proximity * proximity(groups, data.sectionText(section)));
  }
  return bestFirst(candidates, scores, options.limit).map((section) => ({
    document: data.document(section),
    score: spread(scores[section] as number),
  }));
}

/** Even a perfect page says few words of a question often, so raw scores crowd near 0; the root spreads them over 0–1. */
function spread(score: number): number {
  return Math.min(1, Math.sqrt(score));
}

/** What the score of a page's sections is multiplied by; 0 for a page that the filter leaves out. */
function pageFactors(
  { pages }: IndexData,
  weights: RankingWeights,
  { filter = {}, currentPath, defaults }: SearchOptions,
): Float32Array {
  const plainPath = currentPath?.replace(/^\//, '');
  const current = plainPath === undefined ? undefined : pages.find((page) => page.path === plainPath);
  const version = filter.version ?? current?.version ?? knownDefault(pages, defaults?.version);
  const preferredLanguage = current?.language ?? defaults?.language;
  const folder = folderOf(plainPath ?? '');
  return Float32Array.from(pages, (page) => {
    // A page without a label belongs to every version and language.
    if (version !== undefined && page.version !== null && page.version !== version) return 0;
    if (filter.language !== undefined && page.language !== null && page.language !== filter.language) return 0;
    if (filter.tag !== undefined && page.tag !== filter.tag) return 0;
    const nearby = folder !== '' && folderOf(page.path) === folder ? 1 + weights.neighbourhood : 1;
    const language =
      preferredLanguage === undefined || page.language === null || page.language === preferredLanguage
        ? 1
        : weights.otherLanguage;
    return nearby * language * Math.max(page.boost, 0) ** weights.boostPower;
  });
}

/** A default that no page has would leave out all pages. */
function knownDefault(pages: readonly IndexedPage[], value: string | undefined): string | undefined {
  return value !== undefined && pages.some((page) => page.version === value) ? value : undefined;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
