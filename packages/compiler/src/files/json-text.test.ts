import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { jsonFile } from './json-text.ts';

test.each([
  {},
  { name: 'Docs', empty: [], none: {}, missing: undefined, flag: false, nothing: null },
  { list: [1, 'a\nb', null, [1, [2]], { a: [{ b: 1 }], c: {} }], last: { deep: { list: ['"'] } } },
  { files: Array.from({ length: 5000 }, (_, at) => ({ path: `päge-${at}`, sizeBytes: at })) },
])('a file of JSON has the bytes of JSON.stringify, and their number', async (value) => {
  const { sizeBytes, chunks } = jsonFile('value.json', value);
  const bytes = await buffer(chunks);
  expect(bytes.toString()).toBe(`${JSON.stringify(value, null, 1)}\n`);
  expect(sizeBytes).toBe(bytes.byteLength);
});
