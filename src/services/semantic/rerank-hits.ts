import { embeddingText } from '../../core/search/embedding-text.ts';
import type { SearchHit } from '../../core/search/search-index.ts';
import type { Reranker } from '../../ports/reranker.ts';

/** Results below these are seldom relevant; most of these models read about five hundred tokens of each. */
const READS = { maxPassages: 30, maxCharacters: 2000 };

/**
 * Puts the best hits in the reranker's order, with its scores. Hits that it did not read come after them; pages that the query
 * refers to by name stay before them.
 * @throws ProviderFault
 */
export async function rerankHits(
  reranker: Reranker,
  query: string,
  hits: readonly SearchHit[],
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const named = hits.filter((hit) => hit.isNamed);
  const unnamed = hits.filter((hit) => !hit.isNamed);
  const { maxPassages, maxCharacters } = reranker.reads ?? READS;
  const read = unnamed.slice(0, maxPassages);
  if (read.length < 2) return [...hits];
  const passages = read.map(({ document }) => embeddingText(document, maxCharacters));
  const scores = await reranker.rerank(query, passages, signal);
  const judged = read.map((hit, at) => ({ ...hit, score: scores[at] as number }));
  // Sorting is stable: equals keep the order of the search.
  judged.sort((a, b) => b.score - a.score);
  const least = judged.at(-1)?.score ?? 0;
  const rest = unnamed.slice(maxPassages).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
  const best = judged[0]?.score ?? 0;
  return [...named.map((hit) => ({ ...hit, score: Math.max(hit.score, best) })), ...judged, ...rest];
}
