import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPackedContents, openPagePack } from './page-pack.ts';
import type { PageResult } from './page-result.ts';

function result(text: string): PageResult {
  const content = new TextEncoder().encode(text);
  return {
    index: 0,
    content,
    file: {
      sha256: hash('sha256', content),
      sizeBytes: content.byteLength,
      type: 'application/json',
    },
    anchors: [],
    anchorLinks: [],
    diagnostics: [],
    failed: false,
    classNames: ['grid'],
    hasFeed: false,
    isPersonal: false,
    outside: [],
    files: [],
    answers: new Map([['["source","readText",["a.mdx"]]', 'x']]),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'docent-packs-'));
afterAll(() => rmSync(folder, { recursive: true }));
let packs = 0;
const newFile = () => join(folder, `${packs++}`);

/** Opens a pack with these bytes. */
function open(bytes: Uint8Array | undefined, version = 'v1', to = newFile()) {
  const from = newFile();
  if (bytes) writeFileSync(from, bytes);
  return openPagePack({ from, to }, version);
}

function packOf(...paths: string[]): Uint8Array {
  const to = newFile();
  const pack = open(undefined, 'v1', to);
  for (const path of paths) pack.keep(path, result(`text of ${path}`));
  expect(pack.write()).toBe(true);
  return new Uint8Array(readFileSync(to));
}

test('the pack returns the pages that it stored', () => {
  const pack = open(packOf('a', 'guides/b'));
  expect(pack.find('guides/b')).toEqual(result('text of guides/b'));
  expect(pack.find('c')).toBeUndefined();
});

test('the pack is rewritten only after changes, and drops pages that a build did not use', () => {
  const bytes = packOf('a', 'b');
  const same = open(bytes);
  same.find('a');
  same.find('b');
  expect(same.write()).toBe(false);
  const to = newFile();
  const fewer = open(bytes, 'v1', to);
  fewer.find('a');
  expect(fewer.write()).toBe(true);
  const left = open(readFileSync(to));
  expect(left.find('a')).toBeDefined();
  expect(left.find('b')).toBeUndefined();
});

test('the pack has no pages for another compiler version', () => {
  expect(open(packOf('a'), 'v2').find('a')).toBeUndefined();
});

test('a damaged page is never returned, and other pages are intact or missing', () => {
  const intact = packOf('a', 'b');
  for (let at = 0; at < intact.length; at += 7) {
    const damaged = intact.slice();
    damaged[at]! ^= 0x41;
    const pack = open(damaged);
    for (const path of ['a', 'b'])
      expect([undefined, result(`text of ${path}`)]).toContainEqual(pack.find(path));
  }
});

test('a truncated pack has no pages', () => {
  const intact = packOf('a', 'b');
  for (let length = 0; length < intact.length; length += 11)
    expect(open(intact.slice(0, length)).find('a')).toBeUndefined();
});

test('a page that is compiled again replaces the one that was found, and the others are carried over', () => {
  const to = newFile();
  const pack = open(packOf('a', 'b', 'c'), 'v1', to);
  for (const path of ['a', 'b']) pack.find(path);
  pack.keep('b', result('other text of b'));
  expect(pack.write()).toBe(true);
  const next = open(readFileSync(to));
  expect(next.find('a')).toEqual(result('text of a'));
  expect(next.find('b')).toEqual(result('other text of b'));
  expect(next.find('c')).toBeUndefined();
});

test('the contents of a pack are found by their hashes, and a damaged one is refused', () => {
  const path = newFile();
  const bytes = packOf('a', 'b');
  writeFileSync(path, bytes);
  const contents = openPackedContents(path);
  const { content, file } = result('text of b');
  expect(contents.has(file.sha256)).toBe(true);
  expect(contents.read(file.sha256)).toEqual(content);
  expect(contents.has(result('text of c').file.sha256)).toBe(false);
  contents.close();
  // Packed, the content is the end of its entry, and a short text is in it as it is.
  const at = Buffer.from(bytes).lastIndexOf('text of b');
  expect(at).toBeGreaterThan(0);
  bytes[at]! ^= 0x41;
  writeFileSync(path, bytes);
  const damaged = openPackedContents(path);
  expect(() => damaged.read(file.sha256)).toThrow();
  damaged.close();
  expect(openPackedContents(newFile()).has(file.sha256)).toBe(false);
});

test('what is known of texts is kept from build to build, as long as it is used', () => {
  const to = newFile();
  const first = open(undefined, 'v1', to);
  first.values.of('length', 'a text', () => 6);
  first.values.of('length', 'another', () => 7);
  expect(first.write()).toBe(true);
  const next = newFile();
  const second = open(readFileSync(to), 'v1', next);
  expect(second.values.of('length', 'a text', () => 0)).toBe(6);
  expect(second.values.of('words', 'a text', () => 2)).toBe(2);
  expect(second.write()).toBe(true);
  const third = open(readFileSync(next));
  expect(third.values.of('length', 'a text', () => 0)).toBe(6);
  expect(third.values.of('words', 'a text', () => 0)).toBe(2);
  expect(third.write()).toBe(false);
  expect(open(readFileSync(next)).values.of('length', 'another', () => 8)).toBe(8);
});
