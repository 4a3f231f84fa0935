import { expect, test } from 'vitest';
import { jsonLines } from './code-tokenizer.ts';
import { createShikiHighlighter } from './shiki-highlighter.ts';

const highlighter = createShikiHighlighter();

/** Code with a comment is left to the grammar. */
async function grammarLines(code: string) {
  await highlighter.load(['json']);
  return highlighter.highlight(`// grammar\n${code}`, 'json').slice(1);
}

test('indented JSON gets the tokens of the grammar without the grammar', async () => {
  const value = {
    text: 'https://a.test/?b=1&c=2 — {not: [1]}',
    '': '',
    numbers: [0, -1, 1.5, 1e21, -2.5e-9],
    words: [true, false, null],
    empty: [{}, [], [[]]],
    deep: [[{ a: { b: ['c'] } }], { d: 'true' }],
  };
  for (const code of [JSON.stringify(value, null, 2), JSON.stringify(value, null, 4), '"text"', '12', '[]', '{}']) {
    expect(jsonLines(code), code).toBeDefined();
    expect(jsonLines(code), code).toEqual(await grammarLines(code));
  }
});

test('code that is not indented JSON is left to the grammar', () => {
  const codes = ['', '{"a": 1}', '{\n  "a": "\\n"\n}', '{\n  "a": 1\n  "b": 2\n}', '"a": 1', '[\n  01\n]', '{\n  // note\n}'];
  for (const code of [...codes, `[\n  "${'x'.repeat(6_000)}"\n]`]) expect(jsonLines(code), code.slice(0, 40)).toBeUndefined();
});
