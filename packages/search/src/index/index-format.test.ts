import { expect, it } from 'vitest';
import { NumberReader, packNumbers } from './index-format.ts';

const numbers = [0, 1, 31, 32, 33, 56, 57, 63, 64, 1023, 1024, 123_456_789, 2 ** 32, 2 ** 40];

it('packed numbers are read back unchanged', () => {
  const reader = new NumberReader(packNumbers(numbers));
  expect(numbers.map(() => reader.next())).toEqual(numbers);
  expect(reader.done).toBe(true);
});

it('packed numbers consist of printable characters that need no escape in a script', () => {
  const bytes = packNumbers(Array.from({ length: 5000 }, (_, index) => index * 7));
  expect(bytes.every((byte) => byte > 34 && byte < 127 && byte !== 92)).toBe(true);
});

it('a reader returns 0 past the end', () => {
  const reader = new NumberReader(packNumbers([1_000_000]).subarray(0, 2));
  reader.next();
  expect(reader.next()).toBe(0);
});
