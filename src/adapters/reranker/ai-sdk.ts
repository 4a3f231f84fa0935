import type { RerankingModelV4 } from '@ai-sdk/provider';
import type { Reranker } from '../../ports/reranker.ts';
import { aiSdkFault } from '../model-client/ai-sdk-fault.ts';
import { readScores } from './read-scores.ts';

/**
 * A reranking model behind a provider package of the AI SDK, called at the level of the provider specification (version 4).
 * @param load creates the model on first use, so that only the provider in use is loaded
 */
export function createAiSdkReranker(name: string, load: () => Promise<RerankingModelV4>): Reranker {
  let loading: Promise<RerankingModelV4> | undefined;
  return {
    name,
    async rerank(query, passages, signal) {
      signal.throwIfAborted();
      loading ??= load();
      const model = await loading;
      try {
        const documents = { type: 'text' as const, values: [...passages] };
        const { ranking } = await model.doRerank({ query, documents, topN: passages.length, abortSignal: signal });
        const judged = ranking.map(({ index, relevanceScore }) => ({ index, score: relevanceScore }));
        return readScores(judged, passages.length);
      } catch (error) {
        throw aiSdkFault('The reranker', error, signal);
      }
    },
  };
}
