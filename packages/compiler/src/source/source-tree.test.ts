import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memorySourceTree, openSourceFolder } from './source-tree.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const filesOf = (...paths: string[]) => new Map(paths.map((path) => [path, bytes(path)]));

test('paths are sorted, and missing files are undefined, including inherited names', () => {
  const tree = memorySourceTree(filesOf('b', 'a/c', 'a.mdx'));
  expect(tree.paths()).toEqual(['a.mdx', 'a/c', 'b']);
  expect(tree.readText('b')).toBe('b');
  expect(tree.has('a')).toBe(false);
  expect(tree.readText('constructor')).toBeUndefined();
  expect(tree.readBytes('__proto__')).toBeUndefined();
});

test('a byte order mark is not part of the text', () => {
  expect(memorySourceTree(new Map([['a', bytes('\ufefftitle')]])).readText('a')).toBe('title');
});

let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'docent-folder-'));
  folder = join(base, 'docs');
  await mkdir(join(folder, 'guides'), { recursive: true });
  await writeFile(join(folder, 'docs.json'), '\ufeff{}');
  await writeFile(join(folder, 'guides', 'start.mdx'), 'start');
  await writeFile(join(base, 'secret'), 'secret');
});

afterEach(() => rm(base, { recursive: true, force: true }));

test('files are listed in order and read on demand', async () => {
  const tree = openSourceFolder(folder);
  expect(tree.paths()).toEqual(['docs.json', 'guides/start.mdx']);
  expect(tree.readText('docs.json')).toBe('{}');
  await writeFile(join(folder, 'guides', 'start.mdx'), 'changed');
  expect(tree.readText('guides/start.mdx')).toBe('changed');
});

test('a path that is not listed is not read', () => {
  const tree = openSourceFolder(folder);
  for (const path of ['../secret', 'guides/../../secret', join(base, 'secret'), 'guides', '']) {
    expect(tree.has(path)).toBe(false);
    expect(tree.readBytes(path)).toBeUndefined();
  }
});

test('symbolic links are followed only inside the folder', async () => {
  await symlink('guides/start.mdx', join(folder, 'index.mdx'));
  await symlink('guides', join(folder, 'latest'));
  await symlink('../secret', join(folder, 'out'));
  await symlink('/etc', join(folder, 'etc'));
  await symlink('nothing', join(folder, 'broken'));
  const tree = openSourceFolder(folder);
  expect(tree.paths()).toEqual(['docs.json', 'guides/start.mdx', 'index.mdx', 'latest/start.mdx']);
  expect(tree.readText('latest/start.mdx')).toBe('start');
});

test('a link that later replaces a listed file is not followed out of the folder', async () => {
  const tree = openSourceFolder(folder);
  await rm(join(folder, 'guides', 'start.mdx'));
  await symlink('../../secret', join(folder, 'guides', 'start.mdx'));
  expect(tree.readBytes('guides/start.mdx')).toBeUndefined();
});

test('cyclic links terminate', async () => {
  await symlink('.', join(folder, 'self'));
  await symlink('..', join(folder, 'guides', 'up'));
  await symlink('loop', join(folder, 'loop'));
  expect(openSourceFolder(folder).paths()).toEqual(['docs.json', 'guides/start.mdx']);
});

test('version control and installed packages are omitted at any depth, also through a link', async () => {
  for (const place of ['.git', 'node_modules/a', 'guides/node_modules/b']) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, 'x'), 'x');
  }
  await symlink('node_modules/a', join(folder, 'linked'));
  expect(openSourceFolder(folder).paths()).toEqual(['docs.json', 'guides/start.mdx']);
});

test('a pipe is not opened, because reading it would block forever', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(openSourceFolder(folder).paths()).not.toContain('pipe');
});
