import { describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.ts';
import { ProviderFault } from '../ports/provider-fault.ts';
import { embedTexts } from './make-vectors.ts';

const vectorOf = (text: string) => Float32Array.from([text.length, 1]);
const texts = (count: number) => Array.from({ length: count }, (_, at) => 'x'.repeat(at + 1));

/** An embedder that runs `answer` in each call, and records the texts of each call. */
function fakeEmbedder(answer: (batch: readonly string[], call: number) => void, maxCalls = 3) {
  const calls: (readonly string[])[] = [];
  let running = 0;
  const embedder: Embedder & { calls: typeof calls; maxAtOnce: number } = {
    name: 'fake:toy',
    maxTexts: 4,
    maxCalls,
    calls,
    maxAtOnce: 0,
    async embed(batch) {
      calls.push(batch);
      embedder.maxAtOnce = Math.max(embedder.maxAtOnce, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      answer(batch, calls.length);
      return batch.map(vectorOf);
    },
  };
  return embedder;
}

async function embedAll(embedder: Embedder, all: string[], signal = new AbortController().signal) {
  const taken = new Map<number, Float32Array>();
  await embedTexts(embedder, all, { signal, take: (at, vector) => void taken.set(at, vector) });
  return taken;
}

describe('embedding many texts', () => {
  it('returns the vector of every text, in batches, with as many concurrent calls as the model allows', async () => {
    const embedder = fakeEmbedder(() => {});
    const taken = await embedAll(embedder, texts(22));
    expect([...taken].every(([at, vector]) => vector[0] === at + 1)).toBe(true);
    expect(taken.size).toBe(22);
    expect(embedder.calls.map((call) => call.length)).toEqual([4, 4, 4, 4, 4, 2]);
    expect(embedder.maxAtOnce).toBe(3);
  });

  it('makes no call if there are no texts', async () => {
    const embedder = fakeEmbedder(() => {});
    await embedAll(embedder, []);
    expect(embedder.calls).toEqual([]);
  });

  it('waits as long as a busy provider requires, and then retries', async () => {
    const embedder = fakeEmbedder((_, call) => {
      if (call === 1) throw new ProviderFault('busy', 'later', 1);
    });
    const startedAt = performance.now();
    expect((await embedAll(embedder, texts(3))).size).toBe(3);
    expect(embedder.calls).toHaveLength(2);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });

  it('does not wait for a provider that requires an hour', async () => {
    const embedder = fakeEmbedder(() => {
      throw new ProviderFault('busy', 'later', 3600);
    });
    await expect(embedAll(embedder, texts(3))).rejects.toThrow('later');
    expect(embedder.calls).toHaveLength(1);
  });

  it('sends smaller batches if the provider rejects large ones', async () => {
    const embedder = fakeEmbedder((batch) => {
      if (batch.length > 1) throw new ProviderFault('too-much', 'too many');
    });
    expect((await embedAll(embedder, texts(7))).size).toBe(7);
  });

  it('truncates only a text that is too long', async () => {
    const embedder = fakeEmbedder((batch) => {
      if (batch.some((text) => text.length > 1200)) throw new ProviderFault('too-much', 'too long');
    });
    const taken = await embedAll(embedder, ['a', 'b'.repeat(4000), 'c'.repeat(1100)]);
    expect([0, 1, 2].map((at) => taken.get(at)?.[0])).toEqual([1, 1000, 1100]);
  });

  it('fails after a few calls if the provider accepts nothing', async () => {
    const embedder = fakeEmbedder(() => {
      throw new ProviderFault('too-much', 'no');
    }, 1);
    await expect(embedAll(embedder, texts(400))).rejects.toThrow('no');
    expect(embedder.calls.length).toBeLessThan(10);
  });

  it('makes no call after a rejection, and keeps the earlier vectors', async () => {
    const embedder = fakeEmbedder((_, call) => {
      if (call === 2) throw new ProviderFault('refused', 'wrong key');
    }, 1);
    const taken: number[] = [];
    const signal = new AbortController().signal;
    await expect(
      embedTexts(embedder, texts(40), { signal, take: (at) => void taken.push(at) }),
    ).rejects.toThrow('wrong key');
    expect([embedder.calls.length, taken]).toEqual([2, [0, 1, 2, 3]]);
  });

  it('ends immediately when it is aborted, even while it waits', async () => {
    const stop = new AbortController();
    const embedder = fakeEmbedder(() => {
      stop.abort(new Error('shutting down'));
      throw new ProviderFault('busy', 'later', 30);
    });
    await expect(embedAll(embedder, texts(3), stop.signal)).rejects.toThrow('shutting down');
  });
});
