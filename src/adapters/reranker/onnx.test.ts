import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { rerankerContract } from '../../ports/reranker.contract.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createOnnxReranker } from './onnx.ts';
import { writeTinyModel } from './tiny-model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-onnx-'));
const model = join(folder, 'model');
let reranker: Reranker;
beforeAll(() => {
  writeTinyModel(model);
  reranker = createOnnxReranker(model);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rerank = (query: string, passages: string[], of = reranker) => of.rerank(query, passages, new AbortController().signal);

rerankerContract('a model on disk', () => reranker);

it('the reranker scores each passage together with the question', async () => {
  const [first, same] = (await rerank('key key key', ['rotate', 'Rotate.'])) as [number, number];
  expect(first).toBeCloseTo(1 / (1 + Math.exp(-2)), 5);
  expect(same).toBeGreaterThan(0.5);
});

it('a passage that is too long is truncated, and one without a known word has a neutral score', async () => {
  const [truncated, short, unknown] = (await rerank('a', [`${'car '.repeat(500)}key`, 'car', '速率 🚀'])) as [
    number,
    number,
    number,
  ];
  expect(truncated).toBeLessThan(short);
  expect(unknown).toBeCloseTo(0.5, 5);
});

it('the path may name the model file, also in a folder below its tokenizer', async () => {
  writeTinyModel(join(folder, 'other', 'onnx'));
  const [score] = await rerank('a', ['key'], createOnnxReranker(join(folder, 'other', 'onnx', 'model.onnx')));
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
  await expect(rerank('a', ['key'], createOnnxReranker(broken))).rejects.toBeInstanceOf(ProviderFault);
  const pictures = join(folder, 'pictures');
  writeTinyModel(pictures, { inputs: ['input_ids', 'token_type_ids', 'pixel_values'] });
  await expect(rerank('a', ['key'], createOnnxReranker(pictures))).rejects.toThrow('pixel_values');
});
