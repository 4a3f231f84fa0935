import { expect, test } from 'vitest';
import { createTextWriter } from './utf8-slabs.ts';

test('texts of any characters and lengths are encoded whole, and earlier ones stay as they were', () => {
  const write = createTextWriter();
  const texts = [
    '',
    'a',
    'b'.repeat(300_000),
    'é'.repeat(200_000),
    '漢字'.repeat(200_000),
    '😀'.repeat(100),
    'c'.repeat(200_000),
  ];
  const written = texts.map(write);
  expect(written.map((bytes) => Buffer.from(bytes).toString())).toEqual(texts);
});

test('a page in ASCII takes the room of its bytes, not that of the longest form', () => {
  const write = createTextWriter();
  const text = 'x'.repeat(1_000_000);
  expect(write(text).buffer.byteLength).toBe(text.length);
});
