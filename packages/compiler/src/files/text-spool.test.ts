import { afterEach, expect, test } from 'vitest';
import { TextSpool } from './text-spool.ts';

let spool = new TextSpool<string>();
afterEach(() => {
  spool.close();
  spool = new TextSpool();
});

function read(keys: readonly string[]): string {
  return Buffer.concat([...spool.read(keys)]).toString();
}

test('texts of any size are read in the requested order, and unknown keys are empty', () => {
  const long = 'long '.repeat(100_000);
  for (const [key, text] of [
    ['a', 'first '],
    ['b', long],
    ['c', ''],
    ['d', 'last '],
  ] as const)
    spool.add(key, Buffer.from(text));
  expect(read(['d', 'a', 'b', 'c', 'nobody'])).toBe(`last first ${long}`);
  expect(read(['b', 'd', 'a'])).toBe(`${long}last first `);
});

test('a text can be added after others were read', () => {
  spool.add('a', Buffer.from('a'));
  expect(read(['a'])).toBe('a');
  spool.add('b', Buffer.from('b'));
  expect(read(['b', 'a'])).toBe('ba');
});
