import type { Embedder } from '../../ports/embedder.ts';

/** A vector is a few kilobytes. */
const MOST_HELD = 1000;

/** The vectors of questions, the last thousand held: the same is asked again and again. */
export interface QuestionVectors {
  /** @throws ProviderFault; what is not had is not remembered */
  of(question: string, signal: AbortSignal): Promise<Float32Array>;
}

export function createQuestionVectors(embedder: Embedder): QuestionVectors {
  const held = new Map<string, Promise<Float32Array>>();
  return {
    of(question, signal) {
      const known = held.get(question);
      const vector = known ?? embedder.embed([question], 'query', signal).then(([first]) => first as Float32Array);
      held.delete(question);
      held.set(question, vector);
      vector.catch(() => held.get(question) === vector && held.delete(question));
      const [oldest] = held.keys();
      if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
      return vector;
    },
  };
}
