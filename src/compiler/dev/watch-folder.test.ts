import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, type watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeHints } from './dev-source.ts';
import { type FolderWatcher, watchFolder } from './watch-folder.ts';

let root: string;
let told: ChangeHints[];
let watcher: FolderWatcher | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-watch-'));
  mkdirSync(join(root, 'guides'));
  told = [];
});
afterEach(() => {
  watcher?.close();
  rmSync(root, { recursive: true, force: true });
});

const start = (startWatch?: typeof watch) => {
  watcher = watchFolder(root, (hints) => told.push(hints), startWatch);
};
const names = () => new Set(told.flatMap((hints) => (hints === 'anything' ? ['anything'] : [...hints])));
const untilTold = (name: string) => expect.poll(() => [...names()], { timeout: 10_000 }).toContain(name);

test('tells of a file that is written, and of one that an editor puts in its place', async () => {
  start();
  writeFileSync(join(root, 'guides/a.mdx'), 'one');
  await untilTold('guides/a.mdx');
  told = [];
  writeFileSync(join(root, 'guides/.a.mdx.tmp'), 'two');
  renameSync(join(root, 'guides/.a.mdx.tmp'), join(root, 'guides/a.mdx'));
  await untilTold('guides/a.mdx');
});

test('follows folders that come later, and such as come again under the same name', async () => {
  start();
  for (const round of ['1', '2']) {
    mkdirSync(join(root, 'new/deep'), { recursive: true });
    await untilTold('new');
    told = [];
    writeFileSync(join(root, 'new/deep/a.mdx'), round);
    // Where the file is faster than the watch of its folder, the folder is what is told.
    await expect.poll(() => [...names()].some((name) => 'new/deep/a.mdx'.startsWith(name)), { timeout: 10_000 }).toBe(true);
    rmSync(join(root, 'new'), { recursive: true });
    await untilTold('new');
    told = [];
  }
});

test('reports many writes within a moment together', async () => {
  start();
  for (let i = 0; i < 50; i++) writeFileSync(join(root, `guides/${i}.mdx`), 'x');
  await untilTold('guides/49.mdx');
  expect(told.length).toBeLessThan(10);
});

test('watches neither installed packages nor what links lead to outside', async () => {
  mkdirSync(join(root, 'node_modules/thing'), { recursive: true });
  const outside = mkdtempSync(join(tmpdir(), 'docent-outside-'));
  symlinkSync(outside, join(root, 'link'));
  start();
  writeFileSync(join(root, 'node_modules/thing/a.mdx'), 'x');
  writeFileSync(join(outside, 'a.mdx'), 'x');
  writeFileSync(join(root, 'last.mdx'), 'x');
  await untilTold('last.mdx');
  rmSync(outside, { recursive: true });
  expect([...names()]).toEqual(['last.mdx']);
});

test('looks now and then where the system has no more watches', async () => {
  start(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  expect(watcher?.isWatched).toBe(false);
  await untilTold('anything');
});
