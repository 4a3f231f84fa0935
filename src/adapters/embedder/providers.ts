import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { EmbedderChoice } from '../../core/model-choices.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { type AiSdkEmbedderOptions, createAiSdkEmbedder } from './ai-sdk.ts';
import { createOpenAiCompatibleEmbedder } from './openai-compatible.ts';

interface Provider extends Pick<AiSdkEmbedderOptions, 'maxTexts' | 'optionsAs'> {
  load: (choice: EmbedderChoice) => Promise<EmbeddingModelV4>;
}

const address = ({ url }: EmbedderChoice) => (url === undefined ? {} : { baseURL: url });

/** One entry per provider package with embedding models. Only the package in use is loaded. */
function providerOf({ provider, model, dimensions }: EmbedderChoice): Provider | undefined {
  switch (provider) {
    case 'openai':
      return { maxTexts: 64, load: loadOpenAi };
    case 'azure':
      return { maxTexts: 64, load: loadAzure };
    case 'google': {
      const taskType = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' };
      return { maxTexts: 64, load: loadGoogle, optionsAs: (as) => ({ google: { taskType: taskType[as] } }) };
    }
    case 'mistral':
      return { maxTexts: 32, load: loadMistral };
    case 'bedrock': {
      const inputType = { document: 'search_document', query: 'search_query' };
      const purpose = { document: 'GENERIC_INDEX', query: 'DOCUMENT_RETRIEVAL' };
      const sizes = dimensions === undefined ? {} : { dimensions, embeddingDimension: dimensions, outputDimension: dimensions };
      return {
        // One text per call, for the models that accept no more. Each model family names the same option differently.
        maxTexts: model.includes('cohere.embed-') ? 64 : 1,
        load: loadBedrock,
        optionsAs: (as) => ({ bedrock: { ...familyOptions(model, sizes, inputType[as], purpose[as]) } }),
      };
    }
    case 'openai-compatible':
      return undefined;
  }
}

function familyOptions(
  model: string,
  {
    dimensions,
    embeddingDimension,
    outputDimension,
  }: { dimensions?: number; embeddingDimension?: number; outputDimension?: number },
  inputType: string,
  embeddingPurpose: string,
): Record<string, string | number> {
  if (model.includes('cohere.embed-')) return { inputType, ...(outputDimension !== undefined && { outputDimension }) };
  if (model.includes('amazon.nova-')) {
    return { embeddingPurpose, ...(embeddingDimension !== undefined && { embeddingDimension }) };
  }
  return dimensions === undefined ? {} : { dimensions };
}

async function loadOpenAi(choice: EmbedderChoice): Promise<EmbeddingModelV4> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ ...address(choice), apiKey: choice.apiKey }).embeddingModel(choice.model);
}

async function loadAzure(choice: EmbedderChoice): Promise<EmbeddingModelV4> {
  const { createAzure } = await import('@ai-sdk/azure');
  return createAzure({ ...address(choice), apiKey: choice.apiKey }).embeddingModel(choice.model);
}

async function loadGoogle(choice: EmbedderChoice): Promise<EmbeddingModelV4> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
  return createGoogleGenerativeAI({ ...address(choice), apiKey: choice.apiKey }).embeddingModel(choice.model);
}

async function loadMistral(choice: EmbedderChoice): Promise<EmbeddingModelV4> {
  const { createMistral } = await import('@ai-sdk/mistral');
  return createMistral({ ...address(choice), apiKey: choice.apiKey }).embeddingModel(choice.model);
}

async function loadBedrock(choice: EmbedderChoice): Promise<EmbeddingModelV4> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  const { apiKey, region, model } = choice;
  return createAmazonBedrock({ ...address(choice), apiKey, region }).embeddingModel(model);
}

/** Returns the configured embedding model. Nothing is loaded or called before the first text. */
export function createEmbedder(choice: EmbedderChoice): Embedder {
  const provider = providerOf(choice);
  if (provider === undefined) return createOpenAiCompatibleEmbedder(choice);
  const { load, ...options } = provider;
  return createAiSdkEmbedder({
    ...options,
    name: `${choice.provider}:${choice.model}`,
    dimensions: choice.dimensions,
    load: () => load(choice),
  });
}
