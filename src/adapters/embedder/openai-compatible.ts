import type { EmbedderChoice } from '../../core/model-choices.ts';
import { promptsOf } from '../../core/search/embedding-text.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { createJsonPost } from '../model-client/post-json.ts';

const WHAT = 'The embedding model';
/** A local model processes the texts of a batch one by one; a larger batch would not be faster. */
const MAX_TEXTS = 32;
const MAX_CALLS = 4;

/** An embedding model behind an OpenAI-compatible endpoint, such as vLLM, Ollama or llama.cpp. */
export function createOpenAiCompatibleEmbedder(choice: Omit<EmbedderChoice, 'provider' | 'timeoutMs'>): Embedder {
  const { model, url = '', apiKey, dimensions } = choice;
  const prompts = promptsOf(model);
  const post = createJsonPost({ url: `${url}/embeddings`, apiKey, what: WHAT });
  return {
    embeds: 'sections',
    name: `openai-compatible:${model}${dimensions === undefined ? '' : `@${dimensions}`}`,
    maxTexts: MAX_TEXTS,
    maxCalls: MAX_CALLS,
    async embed(texts, as, signal) {
      const input = texts.map((text) => prompts[as] + text);
      const body = { model, input, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) };
      const answer = await post(body, signal);
      return readVectors(inOrder(answer, texts.length), texts.length);
    },
  };
}

/** The protocol numbers the vectors. Servers usually send them in order, but need not. */
function inOrder(answer: unknown, count: number): unknown[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw new ProviderFault('refused', `${WHAT} returned no vectors.`);
  if (data.length !== count) return data;
  const ordered = Array<unknown>(count).fill(undefined);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, at) => {
    const { index = at, embedding } = item ?? {};
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count) ordered[index] = embedding;
  });
  return ordered;
}

const MAX_DIMENSIONS = 16_384;

/**
 * Validates the vectors of a provider number by number: a value that is not finite would spoil every comparison.
 * @throws ProviderFault
 */
export function readVectors(values: readonly unknown[], count: number): Float32Array[] {
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
  return new ProviderFault('refused', `The embedding model returned ${what}.`);
}
