import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { expect, test } from 'vitest';
import { jsonTokenizer } from './json-tokenizer.ts';
import { openGrammar } from './open-grammar.ts';

const [json] = (await bundledLanguages.json()).default;
// Any other name than "json" gives the grammar itself.
const grammar = openGrammar(
  'site',
  [{ ...json, name: 'site', aliases: [] } as never],
  await createOnigurumaEngine(import('shiki/wasm')),
);
const withoutGrammar = jsonTokenizer(() => [[{ text: 'left to the grammar', kind: 0 }]]);

const VALUES = [
  [1, -2.5e30, 0, true, false, null, '', ' ', ' a ', 'a"b\\c\n', '\u0000\n \n', '\ud83d\ude00 é', '\\u00e9', [], {}],
  { a: { b: [{ c: 'd:' }, [[]], [{}]] }, '': '', ' ': ':', 'k\n': 'x', 'a b': ' \t' },
  'a text',
  7,
];

test('valid JSON gets exactly the tokens of the grammar, however it is indented', () => {
  const codes = VALUES.flatMap((value) => ['', '  ', '\t'].map((indent) => JSON.stringify(value, null, indent)));
  codes.push(' {"a" :1 ,\n\n"b"\n:\t[ "c"\n, "d" ] \n } ', '{"\\u0041\\/":"\\b \\f"}', '[\n  \n1]', '[1E5,1e+5,1.0E-5]');
  for (const code of codes) expect(withoutGrammar(code), code).toEqual(grammar(code));
});

test('comments, ellipses, errors and very long lines are left to the grammar', () => {
  for (const code of [
    '{"a": 1 /* one */}',
    '{"a": ...}',
    '{"a": 1}\n{"b": 2}',
    '{"a": "\\x"}',
    '[1]\r\n',
    `["${'a'.repeat(5_000)}"]`,
  ]) {
    expect(withoutGrammar(code)).toEqual([[{ text: 'left to the grammar', kind: 0 }]]);
  }
});
