import { promptsOf } from '../../core/search/embedding-prompts.ts';
import type { EmbedderChoice } from '../../core/search/provider-choices.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { postJson } from '../model-client/post-json.ts';
import { readVectors } from './read-vectors.ts';

const WHAT = 'The embedding model';
/** A local model reads a batch one text after the other; a larger one would not be faster. */
const MAX_TEXTS = 32;
const MAX_CALLS = 4;

/** An embedding model behind an OpenAI-compatible endpoint: vLLM, Ollama, llama.cpp and many more. */
export function createOpenAiCompatibleEmbedder(choice: Omit<EmbedderChoice, 'provider' | 'timeoutMs'>): Embedder {
  const { model, url = '', apiKey, dimensions } = choice;
  const prompts = promptsOf(model);
  return {
    embeds: 'sections',
    name: `openai-compatible:${model}${dimensions === undefined ? '' : `@${dimensions}`}`,
    maxTexts: MAX_TEXTS,
    maxCalls: MAX_CALLS,
    async embed(texts, as, signal) {
      const input = texts.map((text) => prompts[as] + text);
      const body = { model, input, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) };
      const answer = await postJson({ url: `${url}/embeddings`, apiKey, what: WHAT }, body, signal);
      return readVectors(inOrder(answer, texts.length), texts.length);
    },
  };
}

/** The protocol numbers the vectors; servers mostly send them in order, but need not. */
function inOrder(answer: unknown, count: number): unknown[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw new ProviderFault('refused', `${WHAT} answered without vectors.`);
  if (data.length !== count) return data;
  const ordered = Array<unknown>(count).fill(undefined);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, at) => {
    const { index = at, embedding } = item ?? {};
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count) ordered[index] = embedding;
  });
  return ordered;
}
