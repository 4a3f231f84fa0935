import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeOf } from '@docent/search/index/index-format.ts';
import { buildSearchIndex, SearchIndexBuilder } from '@docent/search/load/build-search-index.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { expect, test } from 'vitest';
import { generateSite } from '../../../../test/support/generated-site.ts';
import { searchFiles } from '../site/search-files.ts';
import { IndexFile, RecordFile, writeHashed } from './record-file.ts';

const MEGABYTE = 1024 * 1024;

test('of the text of all pages at most a megabyte and a page is in memory, and it is read as it was added, more than once', () => {
  const records = new RecordFile();
  const pages = Array.from({ length: 400 }, (_, number) => randomBytes(10_000 + number));
  for (const page of pages) {
    records.add(page);
    expect(records.heldBytes).toBeLessThan(MEGABYTE);
  }
  const expected = Buffer.concat(pages);
  expect(records.sizeBytes).toBe(expected.length);
  for (let time = 0; time < 2; time++) expect(expected.equals(wholeOf(records))).toBe(true);
  records.close();
});

test('an index whose text was in a file has the same bytes, and is split and read from a file as from memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-index-'));
  const documents = generateSite(300);
  const expected = buildSearchIndex(documents);
  const records = new RecordFile();
  const builder = new SearchIndexBuilder(records);
  for (const page of Map.groupBy(documents, ({ path }) => path).values()) builder.addPage(page);
  const path = join(folder, 'index');
  expect(writeHashed(path, builder.finish().chunks())).toBe(hash('sha256', expected));
  records.close();
  const file = new IndexFile(path, expected.length);
  const cut = { name: 'search-index', languages: [] };
  expect([...searchFiles(file, cut)]).toEqual([...searchFiles(expected, cut)]);
  const [stored, whole] = [new IndexData(file), new IndexData(expected)];
  for (let section = whole.sectionCount - 1; section >= 0; section -= 7) {
    expect(stored.sectionText(section)).toBe(whole.sectionText(section));
  }
  file.close();
  rmSync(folder, { recursive: true });
});
