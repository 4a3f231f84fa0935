import type { RerankerChoice } from '../../core/model-choices.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createAiSdkReranker } from './ai-sdk.ts';
import { createOnnxReranker } from './onnx.ts';
import { createOpenAiCompatibleReranker } from './openai-compatible.ts';

/**
 * Returns the configured reranker. Nothing is called before the first question; a model on disk is loaded at once.
 * @throws Error if a model on disk is missing
 */
export function createReranker(choice: RerankerChoice): Reranker {
  const { provider, model, url, apiKey, region } = choice;
  if (provider === 'onnx') return createOnnxReranker(model);
  if (provider === 'openai-compatible') return createOpenAiCompatibleReranker(choice);
  return createAiSdkReranker(`${provider}:${model}`, async () => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return createAmazonBedrock({ ...(url !== undefined && { baseURL: url }), apiKey, region }).rerankingModel(model);
  });
}
