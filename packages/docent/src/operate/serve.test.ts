import { execFileSync } from 'node:child_process';
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

it('a server loads neither the compiler, which runs in other processes, nor what few requests need', () => {
  const server = ['start/compose', 'start/http-app', 'serving/routes', 'platform/probes'];
  const modules = [
    '../program.ts',
    './serve.ts',
    ...server.map((path) => `../../../server/src/${path}.ts`),
  ];
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    for (const url of ${JSON.stringify(modules.map((path) => new URL(path, import.meta.url).href))})
      await import(url);
    process.stdout.write(loaded.join('\\n'), () => process.exit());`;
  const args = ['--no-warnings', '--input-type=module', '--eval', script];
  const loaded = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(loaded).toContain('/server/src/serving/live-content.ts');
  for (const part of [
    '/compiler/src/build-site.ts',
    '/compiler/src/source/source-tree.ts',
    '/format/src/api-reference/parse-api-document.ts',
    '/node_modules/shiki/',
    '/node_modules/undici/',
  ])
    expect(loaded, part).not.toContain(part);
});
