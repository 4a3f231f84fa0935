import type { EmbeddingModelV4, EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import type { EmbedderChoice } from '../../core/model-choices.ts';
import { promptsOf } from '../../core/search/embedding-text.ts';
import type { EmbeddedAs, Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { aiSdkFault } from '../model-client/ai-sdk-fault.ts';
import { createJsonPost } from '../model-client/post-json.ts';

const WHAT = 'The embedding model';
const MAX_CALLS = 4;
/** A local model processes the texts of a batch one by one; a larger batch would not be faster. */
const MAX_LOCAL_TEXTS = 32;

interface Provider {
  /** Maximum texts of one call. */
  maxTexts: number;
  /** Creates the model on first use, so that only the provider in use is loaded. */
  load: (choice: EmbedderChoice) => Promise<EmbeddingModelV4>;
  /** Tells the provider what kind of text it gets. */
  optionsAs?: (as: EmbeddedAs) => EmbeddingModelV4CallOptions['providerOptions'];
}

/** Returns the configured embedding model. Nothing is loaded or called before the first text. */
export function createEmbedder(choice: EmbedderChoice): Embedder {
  const { provider, model, dimensions } = choice;
  const shared = {
    embeds: 'sections',
    name: `${provider}:${model}${dimensions === undefined ? '' : `@${dimensions}`}`,
    maxCalls: MAX_CALLS,
  } as const;
  return provider === 'openai-compatible'
    ? { ...shared, maxTexts: MAX_LOCAL_TEXTS, embed: embedByEndpoint(choice) }
    : { ...shared, ...embedByPackage(choice, providerOf(provider, choice)) };
}

/** An embedding model behind an OpenAI-compatible endpoint, such as vLLM, Ollama or llama.cpp. */
function embedByEndpoint({ model, url = '', apiKey, dimensions }: EmbedderChoice): Embedder['embed'] {
  const prompts = promptsOf(model);
  const post = createJsonPost({ url: `${url}/embeddings`, apiKey, what: WHAT });
  return async (texts, as, signal) => {
    const input = texts.map((text) => prompts[as] + text);
    const body = { model, input, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) };
    const answer = await post(body, signal);
    return readVectors(inOrder(answer, texts.length), texts.length);
  };
}

/** An embedding model behind a provider package of the AI SDK, called at the level of the provider specification (version 4). */
function embedByPackage(choice: EmbedderChoice, { maxTexts, load, optionsAs }: Provider): Pick<Embedder, 'maxTexts' | 'embed'> {
  const { dimensions } = choice;
  let loading: Promise<EmbeddingModelV4> | undefined;
  return {
    maxTexts,
    async embed(texts, as, signal) {
      signal.throwIfAborted();
      loading ??= load(choice);
      const model = await loading;
      try {
        const { embeddings } = await model.doEmbed({
          values: [...texts],
          abortSignal: signal,
          providerOptions: optionsAs?.(as),
          ...(dimensions !== undefined && { dimensions }),
        });
        return readVectors(embeddings, texts.length);
      } catch (error) {
        throw aiSdkFault(WHAT, error, signal);
      }
    },
  };
}

const access = ({ url, apiKey }: EmbedderChoice) => ({ ...(url !== undefined && { baseURL: url }), apiKey });

/** One entry per provider package with embedding models. Only the package in use is loaded. */
function providerOf(
  provider: Exclude<EmbedderChoice['provider'], 'openai-compatible'>,
  { model, dimensions }: EmbedderChoice,
): Provider {
  switch (provider) {
    case 'openai':
      return {
        maxTexts: 64,
        load: async (choice) => (await import('@ai-sdk/openai')).createOpenAI(access(choice)).embeddingModel(model),
      };
    case 'azure':
      return {
        maxTexts: 64,
        load: async (choice) => (await import('@ai-sdk/azure')).createAzure(access(choice)).embeddingModel(model),
      };
    case 'google': {
      const taskType = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' };
      return {
        maxTexts: 64,
        load: async (choice) => (await import('@ai-sdk/google')).createGoogleGenerativeAI(access(choice)).embeddingModel(model),
        optionsAs: (as) => ({ google: { taskType: taskType[as] } }),
      };
    }
    case 'mistral':
      return {
        maxTexts: 32,
        load: async (choice) => (await import('@ai-sdk/mistral')).createMistral(access(choice)).embeddingModel(model),
      };
    case 'bedrock':
      return {
        // One text per call, for the models that accept no more.
        maxTexts: model.includes('cohere.embed-') ? 64 : 1,
        load: async (choice) => {
          const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
          return createAmazonBedrock({ ...access(choice), region: choice.region }).embeddingModel(model);
        },
        optionsAs: (as) => ({ bedrock: bedrockOptions(model, as, dimensions) }),
      };
  }
}

/** Each model family names the same options differently. */
function bedrockOptions(model: string, as: EmbeddedAs, dimensions: number | undefined): Record<string, string | number> {
  if (model.includes('cohere.embed-')) {
    const inputType = { document: 'search_document', query: 'search_query' }[as];
    return { inputType, ...(dimensions !== undefined && { outputDimension: dimensions }) };
  }
  if (model.includes('amazon.nova-')) {
    const embeddingPurpose = { document: 'GENERIC_INDEX', query: 'DOCUMENT_RETRIEVAL' }[as];
    return { embeddingPurpose, ...(dimensions !== undefined && { embeddingDimension: dimensions }) };
  }
  return dimensions === undefined ? {} : { dimensions };
}

/** The protocol numbers the vectors. Servers usually send them in order, but need not. */
function inOrder(answer: unknown, count: number): unknown[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw wrong('no vectors');
  if (data.length !== count) return data;
  const ordered = Array<unknown>(count).fill(undefined);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, at) => {
    const { index = at, embedding } = item ?? {};
    if (typeof index === 'number' && index in ordered) ordered[index] = embedding;
  });
  return ordered;
}

const MAX_DIMENSIONS = 16_384;

/**
 * Validates the vectors of a provider number by number: a value that is not finite would spoil every comparison.
 * @throws ProviderFault
 */
function readVectors(values: readonly unknown[], count: number): Float32Array[] {
  if (values.length !== count) throw wrong(`${values.length} vectors for ${count} texts`);
  const vectors = values.map(readVector);
  const dimensions = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== dimensions)) throw wrong('vectors of different lengths');
  return vectors;
}

function readVector(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS) throw wrong('something that is not a vector');
  // `Float32Array.from` would convert a string or null to a number.
  if (!value.every((number) => typeof number === 'number' && Number.isFinite(number))) {
    throw wrong('a vector with a value that is not a number');
  }
  const vector = Float32Array.from(value);
  if (vector.every((number) => number === 0)) throw wrong('a vector of zeros only');
  return vector;
}

function wrong(what: string): ProviderFault {
  return new ProviderFault('refused', `${WHAT} returned ${what}.`);
}
