import type { EmbeddingModelV4, EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import type { EmbeddedAs, Embedder } from '../../ports/embedder.ts';
import { aiSdkFault } from '../model-client/ai-sdk-fault.ts';
import { readVectors } from './openai-compatible.ts';

export interface AiSdkEmbedderOptions {
  name: string;
  /** Creates the model on first use, so that only the provider in use is loaded. */
  load: () => Promise<EmbeddingModelV4>;
  /** Limits of one call to this provider. */
  maxTexts: number;
  dimensions?: number | undefined;
  /** Tells the provider what kind of text it gets. */
  optionsAs?: (as: EmbeddedAs) => EmbeddingModelV4CallOptions['providerOptions'];
}

const MAX_CALLS = 4;

/** An embedding model behind a provider package of the AI SDK, called at the level of the provider specification (version 4). */
export function createAiSdkEmbedder({ name, load, maxTexts, dimensions, optionsAs }: AiSdkEmbedderOptions): Embedder {
  let loading: Promise<EmbeddingModelV4> | undefined;
  return {
    embeds: 'sections',
    name: dimensions === undefined ? name : `${name}@${dimensions}`,
    maxTexts,
    maxCalls: MAX_CALLS,
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
