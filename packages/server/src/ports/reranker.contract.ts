import { describe, expect, it } from 'vitest';
import type { Reranker } from './reranker.ts';

const passages = ['The car is red.', 'Rotate a key.', 'Pay a bill.'];
const signal = () => new AbortController().signal;

/**
 * What every reranker guarantees.
 * @param makeReranker one that knows that to renew credentials is to rotate keys
 */
export function rerankerContract(name: string, makeReranker: () => Reranker): void {
  describe(`reranker contract: ${name}`, () => {
    it('has a name for messages', () => {
      expect(makeReranker().name).toMatch(/^[a-z-]+:.+/);
    });

    it('returns one score from 0 to 1 per passage, in order, and ranks the matching passage first', async () => {
      const scores = await makeReranker().rerank('renew my credentials', passages, signal());
      expect(scores).toHaveLength(3);
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      expect(scores.indexOf(Math.max(...scores))).toBe(1);
    });

    it('rejects with the reason of the signal if it is already aborted', async () => {
      const reason = new Error('no more');
      await expect(makeReranker().rerank('a', passages, AbortSignal.abort(reason))).rejects.toBe(
        reason,
      );
    });
  });
}
