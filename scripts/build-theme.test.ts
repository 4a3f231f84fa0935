import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTheme, type ThemeManifest } from './build-theme.ts';
import { TARGETS } from './dist-files.ts';

let folder: string;
let manifest: ThemeManifest;
const read = (name: string) => readFile(join(folder, name));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-theme-'));
  await writeFile(join(folder, 'site-0123456789.css'), 'old');
  await writeFile(join(folder, 'notes.txt'), 'kept');
  manifest = await buildTheme(folder);
});
afterAll(() => rm(folder, { recursive: true }));

it('the theme build lists every file in the manifest, and writes compressed copies next to it', async () => {
  expect(JSON.parse(String(await read('manifest.json')))).toEqual(manifest);
  for (const { file, sizeBytes } of Object.values(manifest)) {
    const bytes = await read(file);
    expect(bytes.length).toBe(sizeBytes);
    expect(gunzipSync(await read(`${file}.gz`))).toEqual(bytes);
    expect(brotliDecompressSync(await read(`${file}.br`))).toEqual(bytes);
  }
});

it('what a page of text loads, and what others add, stay within the download budgets', async () => {
  const size = async (name: string) => (await read(`${manifest[name]?.file}.gz`)).length;
  expect(await size('site.css')).toBeLessThan(14_000);
  expect(await size('site.js')).toBeLessThan(9000);
  expect(await size('navigation.js')).toBeLessThan(6000);
  expect(await size('components.js')).toBeLessThan(6500);
  expect(await size('later.js')).toBeLessThan(3500);
  expect(await size('components.css')).toBeLessThan(8_000);
  expect(await size('extras.css')).toBeLessThan(1_200);
  expect(await size('search.js')).toBeLessThan(30_000);
  // Answers in the browser, with the sentences around quotes in 31 languages: loaded with the first
  // question, and the words of questions in eleven languages with the first one that has such words.
  expect(await size('answers.js')).toBeLessThan(60_000);
  expect(await size('foreign-words.js')).toBeLessThan(10_000);
});

it('the script that collects events is smaller than 2 KB, compressed', async () => {
  const entryPoints = [
    fileURLToPath(new URL('../packages/theme/src/elements/analytics.ts', import.meta.url)),
  ];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: TARGETS,
  });
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(2000);
});

it('the style sheet of the theme loads nothing from another origin', async () => {
  const css = String(await read(manifest['site.css']?.file ?? ''));
  expect(css).not.toMatch(/url\(["']?(?:https?:)?\/\//);
  expect(css).not.toContain('@import');
});

it('the theme build removes the files of an earlier build and no others', async () => {
  const names = await readdir(folder);
  expect(names).not.toContain('site-0123456789.css');
  expect(names).toContain('notes.txt');
});
