import { expect, test } from 'vitest';
import { memorySourceTree, stripTopFolder } from './source-tree.ts';

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

test('the only top folder of an archive is removed if it contains the configuration', () => {
  expect([...stripTopFolder(filesOf('repo-1/docs.json', 'repo-1/a.mdx')).keys()]).toEqual(['docs.json', 'a.mdx']);
  expect([...stripTopFolder(filesOf('repo-1/mint.json')).keys()]).toEqual(['mint.json']);
});

test('the top folder is kept if the root has a configuration or other files, or if there is no configuration', () => {
  for (const paths of [['docs.json', 'docs/docs.json'], ['a/docs.json', 'b/x.mdx'], ['a/x.mdx'], ['docs.json'], []]) {
    expect([...stripTopFolder(filesOf(...paths)).keys()]).toEqual(paths);
  }
});
