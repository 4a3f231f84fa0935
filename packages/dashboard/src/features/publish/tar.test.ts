import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import * as tar from 'tar-stream';
import { expect, it } from 'vitest';
import { packTarGz } from './tar.ts';

it('a packed archive contains each file with its name and bytes, including long and non-ASCII names', async () => {
  const files = {
    'docs.json': '{}',
    'guides/größe.mdx': '# Größe',
    [`${'deep/'.repeat(30)}page.mdx`]: 'x'.repeat(1025),
    'empty.md': '',
  };
  const packed = await packTarGz(
    Object.entries(files).map(([path, content]) => ({ path, content: new Blob([content]) })),
  );
  const found: Record<string, string> = {};
  const extract = tar.extract();
  extract.end(gunzipSync(Buffer.from(await packed.arrayBuffer())));
  for await (const entry of extract) found[entry.header.name] = await text(entry);
  expect(found).toEqual(files);
});
