import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  type watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeHints, DevSource, type FolderWatcher, watchFolder } from './dev-source.ts';

let root: string;
let reported: ChangeHints[];
let watcher: FolderWatcher | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-watch-'));
  mkdirSync(join(root, 'guides'));
  reported = [];
});
afterEach(() => {
  watcher?.close();
  rmSync(root, { recursive: true, force: true });
});

const start = (startWatch?: typeof watch) => {
  watcher = watchFolder(root, (hints) => reported.push(hints), startWatch);
};
const names = () =>
  new Set(reported.flatMap((hints) => (hints === 'anything' ? ['anything'] : [...hints])));
const untilReported = (name: string) => expect.poll(() => [...names()]).toContain(name);

test('the watcher reports a written file and a file that an editor replaces', async () => {
  start();
  writeFileSync(join(root, 'guides/a.mdx'), 'one');
  await untilReported('guides/a.mdx');
  reported = [];
  writeFileSync(join(root, 'guides/.a.mdx.tmp'), 'two');
  renameSync(join(root, 'guides/.a.mdx.tmp'), join(root, 'guides/a.mdx'));
  await untilReported('guides/a.mdx');
});

test('the watcher follows new folders, and folders that are created again under the same name', async () => {
  start();
  for (const round of ['1', '2']) {
    mkdirSync(join(root, 'new/deep'), { recursive: true });
    await untilReported('new');
    reported = [];
    writeFileSync(join(root, 'new/deep/a.mdx'), round);
    // If the file is written before its folder is watched, the folder is reported instead.
    await expect
      .poll(() => [...names()].some((name) => 'new/deep/a.mdx'.startsWith(name)), {
        timeout: 10_000,
      })
      .toBe(true);
    rmSync(join(root, 'new'), { recursive: true });
    await untilReported('new');
    reported = [];
  }
});

test('the watcher reports many writes in quick succession together', async () => {
  start();
  for (let i = 0; i < 50; i++) writeFileSync(join(root, `guides/${i}.mdx`), 'x');
  await untilReported('guides/49.mdx');
  expect(reported.length).toBeLessThan(10);
});

test('the watcher ignores installed packages and targets of symbolic links outside the folder', async () => {
  mkdirSync(join(root, 'node_modules/thing'), { recursive: true });
  const outside = mkdtempSync(join(tmpdir(), 'docent-outside-'));
  symlinkSync(outside, join(root, 'link'));
  start();
  writeFileSync(join(root, 'node_modules/thing/a.mdx'), 'x');
  writeFileSync(join(outside, 'a.mdx'), 'x');
  writeFileSync(join(root, 'last.mdx'), 'x');
  await untilReported('last.mdx');
  rmSync(outside, { recursive: true });
  expect([...names()]).toEqual(['last.mdx']);
});

test('the watcher polls if the system has no watches left', async () => {
  start(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  expect(watcher?.isWatched).toBe(false);
  await untilReported('anything');
});

test('a change in the folder of a further source is noticed under its path in the site', () => {
  const folder = join(root, 'guides');
  writeFileSync(join(folder, 'a.mdx'), 'one');
  const source = new DevSource(root, undefined, [{ path: 'api', name: 'acme/api', folder }]);
  expect(source.readText('api/a.mdx')).toBe('one');
  writeFileSync(join(folder, 'a.mdx'), 'two');
  writeFileSync(join(folder, 'b.mdx'), 'new');
  const { changed } = source.refresh(new Set(['api/a.mdx', 'api/b.mdx']));
  expect([...changed]).toEqual(expect.arrayContaining(['api/a.mdx', 'api/b.mdx']));
  expect(source.readText('api/a.mdx')).toBe('two');
});
