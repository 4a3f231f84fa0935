import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseEncoding, createBodyCache } from './body-cache.ts';

test('a body is made once for each encoding, however many ask at the same time', async () => {
  const cache = createBodyCache(1_000_000);
  let made = 0;
  const body = async () => `body ${++made}`.repeat(100);
  const [one, other] = await Promise.all([cache.get('v', 'br', body), cache.get('v', 'br', body)]);
  expect(made).toBe(1);
  expect(one).toBe(other);
  expect(brotliDecompressSync(one).toString()).toBe('body 1'.repeat(100));
  expect(gunzipSync(await cache.get('v', 'gzip', body)).toString()).toBe('body 2'.repeat(100));
});

test('the least recently asked for goes first when the memory is used up', async () => {
  const cache = createBodyCache(8_000);
  let made = 0;
  const body = async () => {
    made++;
    return 'x'.repeat(900);
  };
  for (let count = 0; count < 8; count++) await cache.get(`v${count}`, 'identity', body);
  await cache.get('v0', 'identity', body);
  await cache.get('v8', 'identity', body);
  const before = made;
  await cache.get('v0', 'identity', body);
  expect(made).toBe(before);
  await cache.get('v1', 'identity', body);
  expect(made).toBe(before + 1);
});

test('a body that cannot be made is tried again by the next', async () => {
  const cache = createBodyCache(1000);
  await expect(cache.get('v', 'identity', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect((await cache.get('v', 'identity', async () => 'there')).toString()).toBe('there');
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
] as const)('of "%s" it takes %s', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected);
});
