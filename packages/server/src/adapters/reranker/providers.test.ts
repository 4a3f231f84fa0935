import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeModels, startFakeModels } from '../../../../../test/support/fake-models.ts';
import { writeTinyModel } from '../../../../../test/support/tiny-model.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { rerankerContract } from '../../ports/reranker.contract.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createOnnxReranker, createReranker } from './providers.ts';

const KEY = 'sk-very-secret-4711';

let server: FakeModels;
beforeAll(async () => {
  server = await startFakeModels();
});
beforeEach(() => {
  Object.assign(server, {
    requests: [],
    failNext: [],
    failWith: undefined,
    delayMs: 0,
    spoil: undefined,
  });
});
afterAll(() => server.close());

const make = (provider: 'openai-compatible' | 'bedrock') =>
  createReranker({ provider, model: 'toy', url: server.url, apiKey: KEY, region: 'eu-west-1' });

const providers = ['openai-compatible', 'bedrock'] as const;
for (const provider of providers) rerankerContract(provider, () => make(provider));

describe.each(providers)('a reranker behind %s', (provider) => {
  const rerank = () =>
    make(provider).rerank('my question', ['a car', 'a key'], new AbortController().signal);

  it('maps scores of any range to the range from 0 to 1, in the same order', async () => {
    server.spoil = ({ results = [] }) => ({
      results: results.map(({ index }) => ({ index, relevance_score: index * 9 - 7 })),
    });
    const [first, second] = (await rerank()) as [number, number];
    expect(first).toBeLessThan(0.01);
    expect(second > 0.8 && second <= 1).toBe(true);
  });

  it.each<[string, FakeModels['spoil']]>([
    ['a response that is not JSON', () => 'Bad gateway'],
    ['an empty object', () => ({})],
    ['fewer scores than passages', ({ results = [] }) => ({ results: results.slice(1) })],
    [
      'an unknown passage',
      ({ results = [] }) => ({ results: [...results, { index: 7, relevance_score: 1 }] }),
    ],
    [
      'a score that is not a number',
      ({ results = [] }) => ({
        results: results.map((one) => ({ ...one, relevance_score: null })),
      }),
    ],
  ])('rejects a response with %s', async (_, spoil) => {
    server.spoil = spoil;
    await expect(rerank()).rejects.toBeInstanceOf(ProviderFault);
  });

  it('reveals neither the key, nor the question, nor the error details of the provider', async () => {
    server.failWith = 401;
    const fault = (await rerank().catch((error: unknown) => error)) as ProviderFault;
    expect(fault).toMatchObject({ kind: 'refused', message: 'The reranker returned status 401.' });
    const revealed = [
      fault.message,
      JSON.stringify(Object.entries(fault)),
      fault.stack,
      fault.cause,
    ].join('\n');
    for (const secret of [KEY, 'my question', 'upstream detail'])
      expect(revealed).not.toContain(secret);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'docent-onnx-'));
const model = join(folder, 'model');
let reranker: Reranker;
beforeAll(() => {
  writeTinyModel(model);
  reranker = createOnnxReranker(model);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rerank = (query: string, passages: string[], of = reranker) =>
  of.rerank(query, passages, new AbortController().signal);

rerankerContract('a model on disk', () => reranker);

it('the reranker scores each passage together with the question', async () => {
  const [first, same] = (await rerank('key key key', ['rotate', 'Rotate.'])) as [number, number];
  expect(first).toBeCloseTo(1 / (1 + Math.exp(-2)), 5);
  expect(same).toBeGreaterThan(0.5);
});

it('a passage that is too long is truncated, and one without a known word has a neutral score', async () => {
  const [truncated, short, unknown] = (await rerank('a', [
    `${'car '.repeat(500)}key`,
    'car',
    '速率 🚀',
  ])) as [number, number, number];
  expect(truncated).toBeLessThan(short);
  expect(unknown).toBeCloseTo(0.5, 5);
});

it('the path may name the model file, also in a folder below its tokenizer', async () => {
  writeTinyModel(join(folder, 'other', 'onnx'));
  const [score] = await rerank(
    'a',
    ['key'],
    createOnnxReranker(join(folder, 'other', 'onnx', 'model.onnx')),
  );
  expect(score).toBeGreaterThan(0.9);
});

it.each<[string, () => string]>([
  ['there is no model at', () => join(folder, 'nowhere')],
  [
    'there is no tokenizer.json beside',
    () => {
      const alone = join(folder, 'alone', 'model.onnx');
      writeTinyModel(join(folder, 'alone'));
      rmSync(join(folder, 'alone', 'tokenizer.json'));
      return alone;
    },
  ],
])('a missing file is reported at creation: %s', (message, path) => {
  expect(() => createOnnxReranker(path())).toThrow(message);
});

it('an invalid model file and a model with other inputs are faults', async () => {
  const broken = join(folder, 'broken');
  writeTinyModel(broken);
  writeFileSync(join(broken, 'model.onnx'), 'no model');
  await expect(rerank('a', ['key'], createOnnxReranker(broken))).rejects.toBeInstanceOf(
    ProviderFault,
  );
  const pictures = join(folder, 'pictures');
  writeTinyModel(pictures, { inputs: ['input_ids', 'token_type_ids', 'pixel_values'] });
  await expect(rerank('a', ['key'], createOnnxReranker(pictures))).rejects.toThrow('pixel_values');
});
