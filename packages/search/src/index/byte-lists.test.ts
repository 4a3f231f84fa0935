import { expect, test } from 'vitest';
import { ByteLists } from './byte-lists.ts';

test('lists that grow in turns keep their bytes, also where they span blocks, and take little more than these', () => {
  const lists = new ByteLists();
  const expected = Array.from({ length: 300 }, (): number[] => []);
  for (let round = 0; round < 2000; round++) {
    for (const [list, bytes] of expected.entries()) {
      if (round % (list + 1) !== 0) continue;
      const byte = (round * 31 + list) & 255;
      lists.add(list, byte);
      bytes.push(byte);
    }
  }
  for (const [list, bytes] of expected.entries()) {
    expect(lists.sizeOf(list)).toBe(bytes.length);
    expect([...lists.read(list)]).toEqual(bytes);
  }
  expect(lists.sizeOf(1000)).toBe(0);
  expect(lists.read(1000)).toHaveLength(0);
});
