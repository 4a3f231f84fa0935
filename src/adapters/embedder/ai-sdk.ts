import type { EmbeddingModelV4, EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import type { EmbeddedAs, Embedder } from '../../ports/embedder.ts';
import { aiSdkFault } from '../model-client/ai-sdk-fault.ts';
import { readVectors } from './read-vectors.ts';

export interface AiSdkEmbedderOptions {
  name: string;
  /** Made when it is first needed, so that only the provider in use is loaded. */
  load: () => Promise<EmbeddingModelV4>;
  /** What one call of this provider may hold. */
  mostTexts: number;
  dimensions?: number | undefined;
  /** How the provider is told what a text is. */
  optionsAs?: (as: EmbeddedAs) => EmbeddingModelV4CallOptions['providerOptions'];
}

const MOST_CALLS = 4;

/** An embedding model behind a provider package of the AI SDK, called at the level of the provider specification (version 4). */
export function createAiSdkEmbedder({ name, load, mostTexts, dimensions, optionsAs }: AiSdkEmbedderOptions): Embedder {
  let loading: Promise<EmbeddingModelV4> | undefined;
  return {
    embeds: 'sections',
    name: dimensions === undefined ? name : `${name}@${dimensions}`,
    mostTexts,
    mostCalls: MOST_CALLS,
    async embed(texts, as, signal) {
      signal.throwIfAborted();
      loading ??= load();
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
        throw aiSdkFault('The embedding model', error, signal);
      }
    },
  };
}
