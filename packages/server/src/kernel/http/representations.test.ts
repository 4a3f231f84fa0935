import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  bodyEtag,
  chooseEncoding,
  createBodyCache,
  isUnchanged,
  parseRange,
  requestedRange,
} from './representations.ts';

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=9-3', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
  [undefined, undefined],
])('the range %s of 100 bytes is %j', (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});

test('a range is served only if If-Range is absent or names the same ETag', () => {
  const range = 'bytes=0-9';
  expect(requestedRange({ range }, '"a"', 100)).toEqual({ start: 0, end: 9 });
  expect(requestedRange({ range, 'if-range': '"a"' }, '"a"', 100)).toEqual({ start: 0, end: 9 });
  for (const other of ['"b"', 'W/"a"', 'Sun, 22 Nov 2026 08:00:00 GMT']) {
    expect(requestedRange({ range, 'if-range': other }, '"a"', 100)).toBeUndefined();
  }
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b" , "a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['"b", *', false],
  ['', false],
])('If-None-Match %s matches the ETag "a": %s', (known, expected) => {
  expect(isUnchanged({ 'if-none-match': known }, '"a"')).toBe(expected);
});

test('each encoding of a body has a separate ETag', () => {
  expect([bodyEtag('v', 'identity'), bodyEtag('v', 'br')]).toEqual(['"v"', '"v-br"']);
});

test('a body is created once per encoding, even for concurrent requests', async () => {
  const cache = createBodyCache(1_000_000);
  let created = 0;
  const body = async () => `body ${++created}`.repeat(100);
  const [one, other] = await Promise.all([
    cache.get({ version: 'v', read: body }, 'br'),
    cache.get({ version: 'v', read: body }, 'br'),
  ]);
  expect(created).toBe(1);
  expect(one).toBe(other);
  expect(brotliDecompressSync(one).toString()).toBe('body 1'.repeat(100));
  expect(gunzipSync(await cache.get({ version: 'v', read: body }, 'gzip')).toString()).toBe(
    'body 2'.repeat(100),
  );
});

test('the least recently requested body is evicted when the memory is full', async () => {
  const cache = createBodyCache(8_000);
  let created = 0;
  const body = async () => {
    created++;
    return 'x'.repeat(900);
  };
  for (let count = 0; count < 8; count++)
    await cache.get({ version: `v${count}`, read: body }, 'identity');
  await cache.get({ version: 'v0', read: body }, 'identity');
  await cache.get({ version: 'v8', read: body }, 'identity');
  const before = created;
  await cache.get({ version: 'v0', read: body }, 'identity');
  expect(created).toBe(before);
  await cache.get({ version: 'v1', read: body }, 'identity');
  expect(created).toBe(before + 1);
});

test('a precompressed body is sent unchanged, and a body without a version is not cached', async () => {
  const cache = createBodyCache(8_000);
  const readEncoded = async (encoding: string) =>
    encoding === 'br' ? Buffer.from('ready') : undefined;
  const body = { version: 'v', read: async () => 'x'.repeat(900), readEncoded };
  expect((await cache.get(body, 'br')).toString()).toBe('ready');
  expect(gunzipSync(await cache.get(body, 'gzip')).toString()).toBe('x'.repeat(900));
  let created = 0;
  const read = async () => `${++created}`;
  expect([
    `${await cache.get({ read }, 'identity')}`,
    `${await cache.get({ read }, 'identity')}`,
  ]).toEqual(['1', '2']);
});

test('a body that could not be created is retried by the next request', async () => {
  const cache = createBodyCache(1000);
  await expect(
    cache.get({ version: 'v', read: () => Promise.reject(new Error('gone')) }, 'identity'),
  ).rejects.toThrow('gone');
  expect(
    (await cache.get({ version: 'v', read: async () => 'there' }, 'identity')).toString(),
  ).toBe('there');
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
] as const)('for Accept-Encoding "%s" the encoding is %s', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected);
});
