import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import * as tar from 'tar-stream';
import { expect, it } from 'vitest';
import { docsRoot } from './read-drop.ts';
import { packTarGz } from './tar.ts';

it('packs files so that a reader of tar finds each with its name and bytes, long and foreign names too', async () => {
  const files = {
    'docs.json': '{}',
    'guides/größe.mdx': '# Größe',
    [`${'deep/'.repeat(30)}page.mdx`]: 'x'.repeat(1025),
    'empty.md': '',
  };
  const packed = await packTarGz(Object.entries(files).map(([path, content]) => ({ path, content: new Blob([content]) })));
  const found: Record<string, string> = {};
  const extract = tar.extract();
  extract.end(gunzipSync(Buffer.from(await packed.arrayBuffer())));
  for await (const entry of extract) found[entry.header.name] = await text(entry);
  expect(found).toEqual(files);
});

it('takes the folder of the docs.json that is least deep as the root, and reports what to do where there is none', () => {
  const at = (...paths: string[]) => docsRoot(paths.map((path) => ({ path, content: new Blob() }))).map(({ path }) => path);
  expect(at('docs.json', 'index.mdx')).toEqual(['docs.json', 'index.mdx']);
  expect(at('README.md', 'docs/docs.json', 'docs/index.mdx', 'docs/old/docs.json')).toEqual([
    'docs.json',
    'index.mdx',
    'old/docs.json',
  ]);
  expect(at('site/mint.json')).toEqual(['mint.json']);
  expect(() => at('README.md')).toThrow(/There is no docs\.json/);
});
