import type { RankedPage } from './index/search-data.ts';
import type { RankingWeights } from './ranking-weights.ts';

/**
 * The query-independent weight of each page. A folder of hundreds of pages is a list of similar things: operations, error codes,
 * classes, changelog entries. Each of them uses the words of its subject as often as the guide that explains it, and together
 * they would fill the top ranks.
 */
export function pagePriors(pages: readonly RankedPage[], weights: RankingWeights): Float32Array {
  const folderSizes = new Map<string, number>();
  for (const page of pages) {
    if (page.folder !== '') folderSizes.set(page.folder, (folderSizes.get(page.folder) ?? 0) + 1);
  }
  return Float32Array.from(pages, ({ folder, isOperation }) => {
    const crowd = 1 - weights.folderSize * Math.log2(1 + (folderSizes.get(folder) ?? 0));
    return Math.max(crowd, 0.1) * (isOperation ? weights.operationPage : 1);
  });
}
