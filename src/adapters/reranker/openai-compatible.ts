import type { RerankerChoice } from '../../core/model-choices.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createJsonPost } from '../model-client/post-json.ts';
import { readScores } from './read-scores.ts';

const WHAT = 'The reranker';

/** A reranker behind `/rerank`, as vLLM, llama.cpp and hosted services offer it beside their OpenAI-compatible endpoints. */
export function createOpenAiCompatibleReranker(choice: Omit<RerankerChoice, 'provider' | 'timeoutMs'>): Reranker {
  const { model, url = '', apiKey } = choice;
  const post = createJsonPost({ url: `${url}/rerank`, apiKey, what: WHAT });
  return {
    name: `openai-compatible:${model}`,
    async rerank(query, passages, signal) {
      const body = { model, query, documents: passages, top_n: passages.length };
      const answer = await post(body, signal);
      const results = (answer as { results?: unknown } | null)?.results;
      if (!Array.isArray(results)) throw new ProviderFault('refused', `${WHAT} returned no scores.`);
      const judged = results.map((result: { index?: unknown; relevance_score?: unknown; score?: unknown } | null) => {
        return { index: result?.index, score: result?.relevance_score ?? result?.score };
      });
      return readScores(judged, passages.length);
    },
  };
}
