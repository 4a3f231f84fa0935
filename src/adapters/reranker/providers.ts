import type { RerankerChoice } from '../../core/search/provider-choices.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createAiSdkReranker } from './ai-sdk.ts';
import { createOpenAiCompatibleReranker } from './openai-compatible.ts';

/** The reranker that the configuration names. Nothing is loaded and nobody is called before the first question. */
export function createReranker(choice: RerankerChoice): Reranker {
  const { provider, model, url, apiKey, region } = choice;
  if (provider === 'openai-compatible') return createOpenAiCompatibleReranker(choice);
  return createAiSdkReranker(`${provider}:${model}`, async () => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return createAmazonBedrock({ ...(url !== undefined && { baseURL: url }), apiKey, region }).rerankingModel(model);
  });
}
