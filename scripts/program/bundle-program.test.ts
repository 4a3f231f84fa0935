import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleName, bundleProgram } from './bundle-program.ts';

let folder: string;
let bundles: Map<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-program-'));
  const program = join(folder, 'program');
  await bundleProgram(program);
  bundles = new Map(
    readdirSync(program)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(program, name), 'utf8')]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

it('everything that starts a process or a thread starts a bundle of the program', () => {
  const text = [...bundles.values()].join('\n');
  const urls = Array.from(text.matchAll(/new URL\("([^"]+)",import\.meta\.url\)(\.href)?/g));
  // With `href`, a source only says where it is.
  const sources = urls.filter(([, path = '', place]) => !place && path.endsWith('.ts'));
  expect(sources.map(([, path]) => path)).toEqual([
    expect.stringContaining('/islands/first-render/main.ts'),
  ]);
  const names = new Set(urls.map(([, path]) => path));
  const processes = [
    'packages/compiler/src/off-thread/build-process.ts',
    'packages/compiler/src/off-thread/build-thread.ts',
    'packages/compiler/src/off-thread/export-process.ts',
    'packages/compiler/src/pages/page-thread.ts',
    'packages/compiler/src/source/archive-check-process.ts',
    'packages/server/src/adapters/blob-store/folder-reader.ts',
    'packages/server/src/adapters/database/pglite-worker.ts',
    'packages/server/src/start/dev-thread.ts',
  ].map((file) => `${bundleName(file)}.js`);
  for (const name of processes) {
    expect([...names], name).toContain(`./${name}`);
    expect(bundles.has(name), name).toBe(true);
  }
});

const loaded = (entry: string): Set<string> => {
  const names = new Set([entry]);
  for (const name of names)
    for (const [, next = ''] of (bundles.get(name) ?? '').matchAll(
      /(?:\bfrom|\bimport)"\.\/([^"]+)"/g,
    ))
      names.add(next);
  return names;
};

it('a server starts without the compilers of JSON Schema, which its routes do not use', () => {
  const hasCompiler = (name: string) =>
    /\bclass Ajv\b|"node_modules\/ajv\//.test(bundles.get(name) ?? '');
  const entry = [...bundles.keys()].find((name) => name.startsWith('wire-platform-')) as string;
  expect([...loaded(entry)].filter(hasCompiler)).toEqual([]);
  expect([...bundles.keys()].some(hasCompiler)).toBe(true);
});

it('a process that renders pages, packs an export or reads the store loads no server, and neither pages nor exports the checks of docs.json', () => {
  const isSchema = (name: string) => /\$ZodType/.test(bundles.get(name) ?? '');
  const isServer = (name: string) => /\bfrom"fastify"|\bnew Kysely\(/.test(bundles.get(name) ?? '');
  for (const entry of [
    'compiler-off-thread-build-thread.js',
    'compiler-off-thread-export-process.js',
    'server-adapters-blob-store-folder-reader.js',
  ])
    expect([...loaded(entry)].filter(isServer), entry).toEqual([]);
  // The checks of docs.json would take ten megabytes of each.
  for (const entry of ['compiler-off-thread-export-process.js', 'compiler-pages-page-thread.js'])
    expect([...loaded(entry)].filter(isSchema), entry).toEqual([]);
  expect([...bundles.keys()].some(isSchema)).toBe(true);
});

it('no file of the program copies a module of Node.js, nor reads an export that nobody uses', () => {
  const text = [...bundles.values()].join('\n');
  expect(text).not.toMatch(/__toESM\(require_node_/);
  expect(text).toMatch(/=of\("createHash"\)/);
  expect(text).not.toMatch(/=of\("WebSocket"\)/);
});

it('a server starts without HTTP/2 and the API of OpenTelemetry, and compiles no functions for its routes', () => {
  const entry = [...bundles.keys()].find((name) => name.startsWith('wire-platform-')) as string;
  const text = [...loaded(entry)].map((name) => bundles.get(name)).join('\n');
  expect(text).toMatch(/new Proxy\(\{\},\{get:\(_,name\w*\)=>__require\("@opentelemetry\/api"\)/);
  expect(text).toMatch(/new Proxy\(\{\},\{get:\(_,name\w*\)=>__require\("(?:node:)?http2"\)/);
  expect(text).not.toMatch(/"node_modules\/@opentelemetry\/api\//);
  expect(text).toMatch(/LONG_PREFIX_MIN_LENGTH\w*=2\b/);
});

it('the program has the messages of zod in English alone: `import { z }` would load those of 40 languages', () => {
  const german = [...bundles].filter(([, text]) => text.includes('"Eingabe"'));
  expect(german.map(([name]) => name)).toEqual([]);
});

it('the stack of an error in a bundle names sources, lines and columns', async () => {
  const source = join(folder, 'fault.ts');
  writeFileSync(
    source,
    `import ${JSON.stringify(join(import.meta.dirname, 'stack-traces.ts'))};\n\n` +
      'interface Fault { text: string }\n' +
      'function fail({ text }: Fault): never {\n  throw new TypeError(text);\n}\n' +
      "try {\n  fail({ text: 'no' });\n} catch (error) {\n  console.log((error as Error).stack);\n}\n",
  );
  const bundle = join(folder, 'fault.js');
  await build({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
  });
  const { stdout } = spawnSync(process.execPath, [bundle], { encoding: 'utf8' });
  const [message, ...frames] = stdout.split('\n');
  const { href } = pathToFileURL(source);
  expect(message).toBe('TypeError: no');
  expect(frames[0]).toContain(`${href}:5:9`);
  expect(frames[1]).toContain(`${href}:8:3`);
});
