import { buffer } from 'node:stream/consumers';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { expect, test } from 'vitest';
import { generateSite } from '../../../../test/support/generated-site.ts';
import { describeFile } from '../files/file-sink.ts';
import { searchFiles } from './search-files.ts';
import { type SearchFile, wholeCut } from './search-scripts.ts';
import { makeStoredScripts, storedSearchFiles } from './stored-search-scripts.ts';

test('the stored scripts of a large index are read in the order and with the bytes of the split index', async () => {
  const index = buildSearchIndex(generateSite(300));
  const build = { pages: [], searchIndex: describeFile(index, 'application/octet-stream') };
  const expected = [...searchFiles(index, wholeCut(build))];
  expect(expected.length).toBeGreaterThan(50);
  const { sizeBytes, chunks, close } = await makeStoredScripts(index, build);
  const file = await buffer(chunks);
  close();
  expect(file.byteLength).toBe(sizeBytes);
  const stored: SearchFile[] = [];
  for await (const { path, bytes } of storedSearchFiles(async ({ start, end }) =>
    file.subarray(start, end + 1),
  )) {
    stored.push({ path, bytes: new Uint8Array(bytes) });
  }
  expect(stored).toEqual(expected);
});
