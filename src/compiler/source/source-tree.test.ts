import { expect, test } from 'vitest';
import { memorySourceTree, stripTopFolder } from './source-tree.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const filesOf = (...paths: string[]) => new Map(paths.map((path) => [path, bytes(path)]));

test('paths are in order, and what is not there is undefined, inherited names too', () => {
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

test('the one folder of a repository archive is taken off where the configuration is in it', () => {
  expect([...stripTopFolder(filesOf('repo-1/docs.json', 'repo-1/a.mdx')).keys()]).toEqual(['docs.json', 'a.mdx']);
  expect([...stripTopFolder(filesOf('repo-1/mint.json')).keys()]).toEqual(['mint.json']);
});

test('a folder is kept where the root has the configuration, another file, or no configuration is there', () => {
  for (const paths of [['docs.json', 'docs/docs.json'], ['a/docs.json', 'b/x.mdx'], ['a/x.mdx'], ['docs.json'], []]) {
    expect([...stripTopFolder(filesOf(...paths)).keys()]).toEqual(paths);
  }
});
