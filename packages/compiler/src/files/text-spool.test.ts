import { afterEach, expect, test } from 'vitest';
import { TextSpool } from './text-spool.ts';

let spool = new TextSpool<string>();
afterEach(async () => {
  await spool.close();
  spool = new TextSpool();
});

async function read(keys: readonly string[]): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of spool.read(keys)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('texts of any size are read in the requested order, and unknown keys are empty', async () => {
  const long = 'long '.repeat(100_000);
  for (const [key, text] of [
    ['a', 'first '],
    ['b', long],
    ['c', ''],
    ['d', 'last '],
  ] as const)
    await spool.add(key, Buffer.from(text));
  expect(await read(['d', 'a', 'b', 'c', 'nobody'])).toBe(`last first ${long}`);
  expect(await read(['b', 'd', 'a'])).toBe(`${long}last first `);
});

test('a text can be added after others were read', async () => {
  await spool.add('a', Buffer.from('a'));
  expect(await read(['a'])).toBe('a');
  await spool.add('b', Buffer.from('b'));
  expect(await read(['b', 'a'])).toBe('ba');
});
