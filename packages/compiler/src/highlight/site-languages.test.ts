import { expect, test } from 'vitest';
import { tokenKinds } from './code-theme.ts';
import { createShikiHighlighter } from './shiki-highlighter.ts';
import { readCodeGrammars } from './site-languages.ts';

function grammar(patterns: unknown[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({ name: 'Cube', scopeName: 'source.cube', patterns, ...more });
}

function read(files: Record<string, string>) {
  const source = { readText: (path: string) => files[path] };
  return readCodeGrammars(
    source,
    Object.keys(files).map((path) => `/${path}`),
    'docs.json',
  );
}

async function highlight(text: string, code: string) {
  const highlighter = createShikiHighlighter(read({ 'cube.json': text }).grammars);
  expect(await highlighter.load(['cube'])).toEqual([]);
  highlighter.highlight(code, 'cube');
  const settled = await highlighter.settle?.();
  return {
    lines: highlighter.highlight(code, 'cube'),
    problems: settled?.problems ?? [],
    highlighter,
  };
}

test('a language of the site is highlighted, by any of its names', async () => {
  const text = grammar(
    [{ match: '\\bgo\\b', name: 'keyword.control.cube' }, { include: 'source.json' }],
    { aliases: ['qb'] },
  );
  const { lines, problems } = await highlight(text, 'go "x" 1');
  expect(problems).toEqual([]);
  const kindOf = (part: string) =>
    tokenKinds[(lines[0]?.find((token) => token.text.includes(part))?.kind ?? 0) - 1]?.name;
  expect(kindOf('go')).toBe('keyword');
  expect(kindOf('"x"')).toBe('string');
  expect(read({ 'a.json': text }).grammars[0]?.names).toEqual(['cube', 'qb']);
});

test('a missing or invalid grammar file is reported, and the others still work', () => {
  const { grammars, diagnostics } = read({
    'a.json': '{',
    'b.json': '[]',
    'c.json': '{"name":"x"}',
    'd.json': grammar([]),
  });
  expect(grammars.map(({ file }) => file)).toEqual(['d.json']);
  expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'bad-grammar a.json',
    'bad-grammar b.json',
    'bad-grammar c.json',
  ]);
  expect(
    readCodeGrammars({ readText: () => undefined }, ['/no.json'], 'docs.json').diagnostics,
  ).toMatchObject([{ code: 'missing-file', file: 'docs.json' }]);
});

test('an invalid expression is reported, and the code is left plain', async () => {
  const { lines, problems } = await highlight(
    grammar([{ match: '(unclosed', name: 'keyword.x' }]),
    'a b',
  );
  expect(problems[0]).toContain('cube.json');
  expect(problems[0]).toContain('(unclosed');
  expect(lines).toEqual([[{ text: 'a b', kind: 0 }]]);
});

test('a grammar that does not terminate is stopped once, and not run again', async () => {
  const hostile = grammar([{ match: '(?:(?:a+)+)+(?:(?:a+)+)+$b', name: 'keyword.x' }]);
  const code = `${'a'.repeat(4_000)}c`;
  const { highlighter } = await highlight(hostile, 'b');
  highlighter.highlight(code, 'cube');
  expect((await highlighter.settle?.())?.problems[0]).toMatch(/longer than \d+ seconds/);
  const lines = highlighter.highlight(code, 'cube');
  expect(lines[0]?.map(({ text }) => text).join('')).toBe(code);
  highlighter.highlight('another block', 'cube');
  expect(await highlighter.settle?.()).toBeUndefined();
});

test('recursive grammars and prototype pollution are harmless', async () => {
  const loop = grammar([{ include: '$self' }, { include: '#a' }], {
    repository: { a: { patterns: [{ include: '#a' }] } },
  });
  expect((await highlight(loop, 'a b')).lines[0]?.map(({ text }) => text).join('')).toBe('a b');
  const polluting =
    '{"__proto__":{"polluted":1},"name":"cube","scopeName":"source.cube","patterns":[],"repository":{"__proto__":{"x":1}}}';
  await highlight(polluting, 'a');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
