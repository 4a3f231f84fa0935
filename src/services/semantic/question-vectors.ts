import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../ports/embedder.ts';

/** A vector is a few kilobytes. */
const MAX_HELD = 1000;

/** Caches the vectors of the last thousand questions: the same ones are asked again and again. */
export interface QuestionVectors {
  /** @throws ProviderFault; failures are not cached */
  of(question: string, signal: AbortSignal): Promise<Float32Array>;
}

export function createQuestionVectors(embedder: Embedder): QuestionVectors {
  const held = new LRUCache<string, Promise<Float32Array>>({ max: MAX_HELD });
  return {
    of(question, signal) {
      const known = held.get(question);
      const vector = known ?? embedder.embed([question], 'query', signal).then(([first]) => first as Float32Array);
      if (!known) {
        held.set(question, vector);
        vector.catch(() => held.peek(question) === vector && held.delete(question));
      }
      return vector;
    },
  };
}
