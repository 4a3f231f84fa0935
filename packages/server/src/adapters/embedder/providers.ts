import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { EmbedderChoice } from '@docent/format/model-choices.ts';
import { promptsOf } from '@docent/search/embedding-text.ts';
import type { EmbeddedAs, Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { MAX_JSON_ANSWER_BYTES } from '../model-client/bounded-answer.ts';
import { createJsonPost } from '../model-client/post-json.ts';
import {
  aiSdkFault,
  type PackagedProvider,
  packagedProvider,
} from '../model-client/provider-packages.ts';

const WHAT = 'The embedding model';
const MAX_CALLS = 4;

/** Returns the configured embedding model. Nothing is loaded or called before the first text. */
export function createEmbedder(choice: EmbedderChoice): Embedder {
  const { provider, model, dimensions } = choice;
  return {
    name: `${provider}:${model}${dimensions === undefined ? '' : `@${dimensions}`}`,
    maxTexts: maxTextsOf(choice),
    maxCalls: MAX_CALLS,
    embed:
      provider === 'openai-compatible' ? embedByEndpoint(choice) : embedByPackage(provider, choice),
  };
}

/** Maximum texts of one call. */
function maxTextsOf({ provider, model }: EmbedderChoice): number {
  // A local model processes the texts of a batch one by one; a larger batch would not be faster.
  if (provider === 'openai-compatible' || provider === 'mistral') return 32;
  // One text per call, for the models that accept no more.
  if (provider === 'bedrock' && !model.includes('cohere.embed-')) return 1;
  return 64;
}

/** An embedding model behind an OpenAI-compatible endpoint, such as vLLM, Ollama or llama.cpp. */
function embedByEndpoint({
  model,
  url = '',
  apiKey,
  dimensions,
}: EmbedderChoice): Embedder['embed'] {
  const prompts = promptsOf(model);
  const post = createJsonPost({ url: `${url}/embeddings`, apiKey, what: WHAT });
  return async (texts, as, signal, traceparent) => {
    const input = texts.map((text) => prompts[as] + text);
    const body = {
      model,
      input,
      encoding_format: 'float',
      ...(dimensions !== undefined && { dimensions }),
    };
    const answer = await post(body, signal, traceparent);
    return readVectors(inOrder(answer, texts.length), texts.length);
  };
}

/**
 * An embedding model behind a provider package of the AI SDK, called at the level of the provider
 * specification (version 4).
 */
function embedByPackage(provider: PackagedProvider, choice: EmbedderChoice): Embedder['embed'] {
  const { dimensions } = choice;
  const open = packagedProvider(provider, choice, {
    maxBytes: MAX_JSON_ANSWER_BYTES,
    what: 'The embedding model',
  });
  return async (texts, as, signal, traceparent) => {
    signal.throwIfAborted();
    const model = (await open()).embeddingModel(choice.model);
    try {
      const { embeddings } = await model.doEmbed({
        values: [...texts],
        abortSignal: signal,
        ...(traceparent !== undefined && { headers: { traceparent } }),
        providerOptions: optionsOf(choice, as),
        ...(dimensions !== undefined && { dimensions }),
      });
      return readVectors(embeddings, texts.length);
    } catch (error) {
      throw aiSdkFault(WHAT, error, signal);
    }
  };
}

/** Options for providers that distinguish kinds of text. */
function optionsOf(
  { provider, model, dimensions }: EmbedderChoice,
  as: EmbeddedAs,
): SharedV4ProviderOptions {
  if (provider === 'google') {
    return {
      google: { taskType: { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' }[as] },
    };
  }
  return provider === 'bedrock' ? { bedrock: bedrockOptions(model, as, dimensions) } : {};
}

/** Each model family names the same options differently. */
function bedrockOptions(
  model: string,
  as: EmbeddedAs,
  dimensions: number | undefined,
): Record<string, string | number> {
  if (model.includes('cohere.embed-')) {
    const inputType = { document: 'search_document', query: 'search_query' }[as];
    return { inputType, ...(dimensions !== undefined && { outputDimension: dimensions }) };
  }
  if (model.includes('amazon.nova-')) {
    const embeddingPurpose = { document: 'GENERIC_INDEX', query: 'DOCUMENT_RETRIEVAL' }[as];
    return {
      embeddingPurpose,
      ...(dimensions !== undefined && { embeddingDimension: dimensions }),
    };
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
 * Validates the vectors of a provider number by number: a value that is not finite would spoil
 * every comparison.
 * @throws ProviderFault
 */
function readVectors(values: readonly unknown[], count: number): Float32Array[] {
  if (values.length !== count) throw wrong(`${values.length} vectors for ${count} texts`);
  const vectors = values.map(readVector);
  const dimensions = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== dimensions))
    throw wrong('vectors of different lengths');
  return vectors;
}

function readVector(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS)
    throw wrong('something that is not a vector');
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
