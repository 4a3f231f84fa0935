import { expect, test } from 'vitest';
import type { PageResult } from '../pages/page-result.ts';
import { openPagePack } from './page-pack.ts';

function result(text: string): PageResult {
  const content = new TextEncoder().encode(text);
  return {
    index: 0,
    content,
    file: { sha256: 'a', sizeBytes: content.byteLength, type: 'application/json' },
    sections: [],
    anchors: [],
    anchorLinks: [],
    diagnostics: [],
    failed: false,
    classNames: ['grid'],
    hasFeed: false,
    outside: [],
    files: [],
    answers: new Map([['["source","readText",["a.mdx"]]', 'x']]),
  };
}

function packOf(...paths: string[]): Uint8Array<ArrayBuffer> {
  const pack = openPagePack(undefined, 'v1');
  for (const path of paths) pack.keep(path, result(`text of ${path}`));
  return pack.write()!;
}

test('the pack returns the pages that it stored', () => {
  const pack = openPagePack(packOf('a', 'guides/b'), 'v1');
  expect(pack.find('guides/b')).toEqual(result('text of guides/b'));
  expect(pack.find('c')).toBeUndefined();
});

test('the pack is rewritten only after changes, and drops pages that a build did not use', () => {
  const bytes = packOf('a', 'b');
  const same = openPagePack(bytes, 'v1');
  same.find('a');
  same.find('b');
  expect(same.write()).toBeUndefined();
  const fewer = openPagePack(bytes, 'v1');
  fewer.find('a');
  const left = openPagePack(fewer.write(), 'v1');
  expect(left.find('a')).toBeDefined();
  expect(left.find('b')).toBeUndefined();
});

test('the pack has no pages for another compiler version', () => {
  expect(openPagePack(packOf('a'), 'v2').find('a')).toBeUndefined();
});

test('a damaged page is never returned, and other pages are intact or missing', () => {
  const intact = packOf('a', 'b');
  for (let at = 0; at < intact.length; at += 7) {
    const damaged = intact.slice();
    damaged[at]! ^= 0x41;
    const pack = openPagePack(damaged, 'v1');
    for (const path of ['a', 'b']) expect([undefined, result(`text of ${path}`)]).toContainEqual(pack.find(path));
  }
});

test('a truncated pack returns its complete pages', () => {
  const intact = packOf('a', 'b');
  const pack = openPagePack(intact.slice(0, intact.length - 3), 'v1');
  expect(pack.find('a')).toEqual(result('text of a'));
  expect(pack.find('b')).toBeUndefined();
});
