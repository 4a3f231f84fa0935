import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutput } from '../kernel/output.ts';
import { runServe } from './serve.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-serve-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['the embedded database, whose jobs no other process could run', {}, {}, 'embedded database'],
  [
    'a sample, which no worker would publish',
    { DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: 'postgres://u@127.0.0.1:1/d' },
    { sample: true },
    '--sample',
  ],
])('a server without a worker rejects %s', async (_, env, options, expected) => {
  const started = runServe(
    { DOCENT_DATA: folder, ...env },
    { worker: false, ...options },
    createOutput({}),
  );
  await expect(started).rejects.toThrow(expected);
});
