import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildSite } from '../build-site.ts';
import { describeFile } from '../files/file-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-turns-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the event loop turns after each page, so that the memory of its parser is freed before the next', async () => {
  writeFileSync(
    join(folder, 'docs.json'),
    JSON.stringify({ name: 'Turns', navigation: { pages: ['a'] } }),
  );
  for (const name of 'abcdefgh')
    writeFileSync(join(folder, `${name}.mdx`), `# Page ${name}\n\nText.`);
  let turns = 0;
  let isDone = false;
  const countTurn = () => {
    turns++;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  const turnOfPage: number[] = [];
  await buildSite(
    folder,
    { add: async (bytes, type, sha256) => describeFile(bytes, type, sha256) },
    { threads: 1, onProgress: () => turnOfPage.push(turns) },
  );
  isDone = true;
  expect(turnOfPage).toHaveLength(8);
  expect(new Set(turnOfPage).size).toBe(8);
});
