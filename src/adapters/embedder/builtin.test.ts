import { expect, it } from 'vitest';
import { embedderContract } from '../../ports/embedder.contract.ts';
import { createBuiltinEmbedder } from './builtin.ts';

// One for all tests: loading the model takes seconds.
const embedder = createBuiltinEmbedder();
const embed = (texts: string[]) => embedder.embed(texts, 'document', new AbortController().signal);

embedderContract('built-in', () => embedder);

it('a text that is empty, very long, or in another script has a vector too', async () => {
  const vectors = await embed(['', '  ', '速率限制', '🚀', 'word '.repeat(20_000), 'x'.repeat(100_000)]);
  expect(vectors.map((vector) => vector.length)).toEqual(Array(6).fill(512));
  expect(vectors.every((vector) => vector.every(Number.isFinite))).toBe(true);
});

it('an aborted call does not block the next one', async () => {
  const stop = new AbortController();
  const aborted = embedder.embed(['first'], 'query', stop.signal);
  stop.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  expect(await embed(['second'])).toHaveLength(1);
});
