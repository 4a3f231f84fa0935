import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeModels, startFakeModels } from '../../../test/support/fake-models.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { rerankerContract } from '../../ports/reranker.contract.ts';
import { createReranker } from './providers.ts';

const KEY = 'sk-very-secret-4711';

let server: FakeModels;
beforeAll(async () => {
  server = await startFakeModels();
});
beforeEach(() => {
  Object.assign(server, { requests: [], failNext: [], failWith: undefined, delayMs: 0, spoil: undefined });
});
afterAll(() => server.close());

const make = (provider: 'openai-compatible' | 'bedrock') =>
  createReranker({ provider, model: 'toy', url: server.url, apiKey: KEY, region: 'eu-west-1', timeoutMs: 1500 });

const providers = ['openai-compatible', 'bedrock'] as const;
for (const provider of providers) rerankerContract(provider, () => make(provider));

describe.each(providers)('a reranker behind %s', (provider) => {
  const rerank = () => make(provider).rerank('my question', ['a car', 'a key'], new AbortController().signal);

  it('maps scores of any range to the range from 0 to 1, in the same order', async () => {
    server.spoil = ({ results = [] }) => ({ results: results.map(({ index }) => ({ index, relevance_score: index * 9 - 7 })) });
    const [first, second] = (await rerank()) as [number, number];
    expect(first).toBeLessThan(0.01);
    expect(second > 0.8 && second <= 1).toBe(true);
  });

  it.each<[string, FakeModels['spoil']]>([
    ['a response that is not JSON', () => 'Bad gateway'],
    ['an empty object', () => ({})],
    ['fewer scores than passages', ({ results = [] }) => ({ results: results.slice(1) })],
    ['an unknown passage', ({ results = [] }) => ({ results: [...results, { index: 7, relevance_score: 1 }] })],
    [
      'a score that is not a number',
      ({ results = [] }) => ({ results: results.map((one) => ({ ...one, relevance_score: null })) }),
    ],
  ])('rejects a response with %s', async (_, spoil) => {
    server.spoil = spoil;
    await expect(rerank()).rejects.toBeInstanceOf(ProviderFault);
  });

  it('reveals neither the key, nor the question, nor the error details of the provider', async () => {
    server.failWith = 401;
    const fault = (await rerank().catch((error: unknown) => error)) as ProviderFault;
    expect(fault).toMatchObject({ kind: 'refused', message: 'The reranker returned status 401.' });
    const revealed = [fault.message, JSON.stringify(Object.entries(fault)), fault.stack, fault.cause].join('\n');
    for (const secret of [KEY, 'my question', 'upstream detail']) expect(revealed).not.toContain(secret);
  });
});
