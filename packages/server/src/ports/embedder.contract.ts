import { describe, expect, it } from 'vitest';
import type { Embedder } from './embedder.ts';

const signal = () => new AbortController().signal;

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return Number.NaN;
  return (
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0) /
    Math.hypot(...a) /
    Math.hypot(...b)
  );
}

/** Splits the texts into calls of at most `maxTexts`. */
async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += embedder.maxTexts) {
    vectors.push(
      ...(await embedder.embed(texts.slice(from, from + embedder.maxTexts), 'document', signal())),
    );
  }
  return vectors;
}

/**
 * What every embedder guarantees.
 * @param makeEmbedder one that knows that to renew credentials is to rotate keys
 */
export function embedderContract(name: string, makeEmbedder: () => Embedder): void {
  describe(`embedder contract: ${name}`, () => {
    it('has a name, and reports its limits for texts and concurrent calls', () => {
      const { name: model, maxTexts, maxCalls } = makeEmbedder();
      expect(model).toMatch(/^[a-z-]+:.+/);
      expect([maxTexts, maxCalls].every((most) => Number.isInteger(most) && most >= 1)).toBe(true);
    });

    it('returns one vector per text, in order, all of the same length', async () => {
      const embedder = makeEmbedder();
      const texts = ['Rotate a key.', 'The car is red.', 'Pay a bill.'];
      const together = await embedAll(embedder, texts);
      expect(together).toHaveLength(3);
      expect(new Set(together.map((vector) => vector.length)).size).toBe(1);
      for (const [at, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], 'document', signal());
        expect(cosine(alone, together[at])).toBeCloseTo(1, 3);
      }
    });

    it('places a question nearest to the text with the same meaning', async () => {
      const embedder = makeEmbedder();
      const [question] = await embedder.embed(['renew my credentials'], 'query', signal());
      const [key, car] = await embedAll(embedder, ['Rotate a key.', 'The car is red.']);
      expect(cosine(question, key)).toBeGreaterThan(cosine(question, car) + 0.1);
    });

    it('rejects with the reason of the signal if it is already aborted', async () => {
      const reason = new Error('no more');
      await expect(makeEmbedder().embed(['a'], 'query', AbortSignal.abort(reason))).rejects.toBe(
        reason,
      );
    });

    it('embeds several texts concurrently', async () => {
      const embedder = makeEmbedder();
      const answers = await Promise.all(
        ['key', 'car', 'bill'].map((text) => embedder.embed([text], 'query', signal())),
      );
      expect(answers.map((vectors) => vectors.length)).toEqual([1, 1, 1]);
    });
  });
}
