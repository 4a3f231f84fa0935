import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  bodyEtag,
  chooseEncoding,
  createBodyCache,
  encodeBody,
  isUnchanged,
  parseRange,
  requestedRange,
  unchangedEtag,
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

test('each encoding of a body, and each effort, has a separate ETag', () => {
  expect([bodyEtag('v', 'identity'), bodyEtag('v', 'br'), bodyEtag('v', 'br', 'quick')]).toEqual([
    '"v"',
    '"v-br"',
    '"v-br1"',
  ]);
});

test('a client that has a body, however well compressed, has it unchanged under its own ETag', () => {
  const unchanged = (known: string, encoding: 'br' | 'identity') =>
    unchangedEtag({ 'if-none-match': known }, 'v', encoding);
  expect(unchanged('"v-br1"', 'br')).toBe('"v-br1"');
  expect(unchanged('W/"v-br"', 'br')).toBe('"v-br"');
  expect(unchanged('*', 'br')).toBe('"v-br"');
  expect(unchanged('"v-br1"', 'identity')).toBeUndefined();
  expect(unchanged('"w-br1", "v"', 'br')).toBeUndefined();
});

test('a body is created once per encoding, even for concurrent requests', async () => {
  const cache = createBodyCache(1_000_000);
  let created = 0;
  const body = async () => `body ${++created}`.repeat(100);
  const [first, second] = await Promise.all([
    cache.get({ version: 'v', read: body }, 'br'),
    cache.get({ version: 'v', read: body }, 'br'),
  ]);
  expect(created).toBe(1);
  expect(first.bytes).toBe(second.bytes);
  expect(brotliDecompressSync(first.bytes).toString()).toBe('body 1'.repeat(100));
  const { bytes } = await cache.get({ version: 'v', read: body }, 'gzip');
  expect(gunzipSync(bytes).toString()).toBe('body 2'.repeat(100));
});

test.each(['br', 'gzip'] as const)(
  'the first reader of a body as %s gets it quickly compressed, later ones as small as it gets',
  async (encoding) => {
    const cache = createBodyCache(1_000_000);
    const text = Array.from({ length: 3000 }, (_, at) => `word ${(at * 7919) % 1237}`).join();
    const get = () => cache.get({ version: 'v', read: async () => text }, encoding);
    const first = await get();
    expect(first.effort).toBe('quick');
    expect((await get()).bytes).toBe(first.bytes);
    await expect.poll(async () => (await get()).effort).toBe('full');
    const { bytes } = await get();
    expect(bytes).toEqual(await encodeBody(text, encoding));
    expect(bytes.byteLength).toBeLessThan(first.bytes.byteLength);
    const decompress = encoding === 'br' ? brotliDecompressSync : gunzipSync;
    expect([decompress(first.bytes).toString(), decompress(bytes).toString()]).toEqual([
      text,
      text,
    ]);
  },
);

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
  const ready = await cache.get(body, 'br');
  expect([ready.bytes.toString(), ready.effort]).toEqual(['ready', 'full']);
  const { bytes } = await cache.get(body, 'gzip');
  expect(gunzipSync(bytes).toString()).toBe('x'.repeat(900));
  let created = 0;
  const read = async () => `${++created}`;
  expect([
    `${(await cache.get({ read }, 'identity')).bytes}`,
    `${(await cache.get({ read }, 'identity')).bytes}`,
  ]).toEqual(['1', '2']);
});

test('a body that could not be created is retried by the next request', async () => {
  const cache = createBodyCache(1000);
  await expect(
    cache.get({ version: 'v', read: () => Promise.reject(new Error('gone')) }, 'identity'),
  ).rejects.toThrow('gone');
  expect(
    (await cache.get({ version: 'v', read: async () => 'there' }, 'identity')).bytes.toString(),
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
