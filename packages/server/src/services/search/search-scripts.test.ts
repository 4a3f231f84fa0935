import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFile, fileKey } from '@docent/compiler/files/file-sink.ts';
import { searchFiles, wholeCut } from '@docent/compiler/site/search-scripts.ts';
import { buildSearchIndex } from '@docent/search/index/build-search-index.ts';
import { afterAll, expect, test } from 'vitest';
import { generateSite } from '../../../../../test/support/generated-site.ts';
import { openFileSystemBlobStore } from '../../adapters/blob-store/file-system.ts';
import { storedSearchFiles } from './search-scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-search-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an export takes the scripts of a large index from the store, in the order and with the bytes of the split index', async () => {
  const blobs = await openFileSystemBlobStore({ folder, linkBaseUrl: '', secret: 'x', clock: { now: () => new Date(0) } });
  const index = buildSearchIndex(generateSite(300));
  const searchIndex = describeFile(index, 'application/octet-stream');
  await blobs.put(fileKey(searchIndex), index);
  const build = { pages: [], searchIndex };
  const expected = [...searchFiles(index, wholeCut(build))];
  expect(expected.length).toBeGreaterThan(50);
  const stored = async () => {
    const files: { path: string; bytes: Uint8Array }[] = [];
    for await (const file of storedSearchFiles(blobs, build)) files.push({ path: file.path, bytes: new Uint8Array(file.bytes) });
    return files;
  };
  expect(await stored()).toEqual(expected);
  // The index itself is not needed once its scripts are stored.
  await blobs.delete(fileKey(searchIndex));
  expect(await stored()).toEqual(expected);
});
