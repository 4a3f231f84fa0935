import { embeddingText } from '../../core/search/embedding-text.ts';
import type { SearchHit } from '../../core/search/search-index.ts';
import type { Reranker } from '../../ports/reranker.ts';

/** Passages that the reranker reads: what the search puts below these is seldom what was meant. */
const MAX_RERANKED = 30;
/** About five hundred tokens, what most of these models read of a passage. */
const MAX_PASSAGE_LENGTH = 2000;

/**
 * Puts the best hits in the reranker's order, with its scores. What it did not read comes after them; what the query calls by
 * its name stays before them.
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
  const read = unnamed.slice(0, MAX_RERANKED);
  if (read.length < 2) return [...hits];
  const passages = read.map(({ document }) => embeddingText(document, MAX_PASSAGE_LENGTH));
  const scores = await reranker.rerank(query, passages, signal);
  const judged = read.map((hit, at) => ({ ...hit, score: scores[at] as number }));
  // Sorting keeps the order of equals, which is that of the search.
  judged.sort((a, b) => b.score - a.score);
  const least = judged.at(-1)?.score ?? 0;
  const rest = unnamed.slice(MAX_RERANKED).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
  const best = judged[0]?.score ?? 0;
  return [...named.map((hit) => ({ ...hit, score: Math.max(hit.score, best) })), ...judged, ...rest];
}
