import { expect, test } from 'vitest';
import { bodyEtag, isUnchanged, parseRange, requestedRange } from './conditional-requests.ts';

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
