// biome-ignore-all lint/suspicious/noTemplateCurlyInString: samples of languages that have such placeholders.

import { createHighlighterCoreSync, type RegexEngine } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { expect, test } from 'vitest';
import { canMatch, createLeanRegexEngine, maskOf, requiredText } from './lean-regex-engine.ts';

const SAMPLES: Record<string, string> = {
  typescript:
    'export const a = async <T,>(x: T[]): Promise<void> => { await f(`v ${x.map((y) => y! + 1)} \\n`, /a[^/]+\\/b/gi); };\nclass A<T> extends B implements C { #p?: string = "q"; get x() { return this.#p ?? null } }\n// note\nif (a < b && c >>> 2) { label: for (const k in o) delete o[k]; }',
  tsx: 'const X = ({ a }: P) => <div className="x" {...a}>{list.map((i) => <li key={i.id}>{i.name} &amp; y</li>)}</div>;',
  python:
    '@dec\nasync def f(x: int = 1, *args, **kw) -> list[str]:\n    """Doc {x}"""\n    return f"{x!r:>10} {y}" if x is not None else b"\\x00"\nclass A(B): pass\n',
  shellscript:
    'for f in *.txt; do echo "${f%.txt} $(cat "$f" | wc -l)" >> out.log; done\ncat <<EOF\nhello $USER\nEOF\nexport A=1 && curl -X POST -d \'{"a": 1}\' http://x | jq .a',
  go: 'package main\n\nimport "fmt"\n\ntype T struct { A int `json:"a"` }\n\nfunc (t *T) F(ctx context.Context, xs ...string) (int, error) {\n\tfor i, x := range xs { fmt.Printf("%d %s\\n", i, x) }\n\treturn 0, nil\n}',
  yaml: 'a: &x\n  - b: "c"\n    d: |\n      text\n      more\n  - *x\n# comment\ne: {f: 1, g: [true, null]}',
  json: '{"a": [1, 2.5e3, true, null, "x\\u00e9"], "b": {}}',
  html: '<!doctype html>\n<script>const a = 1;</script>\n<style>a:hover { color: #fff; }</style>\n<p class="x" onclick="f()">t &amp; u</p>',
  ruby: 'class A < B\n  def f(x, *y) = puts "a #{x} b"\n  A = %w[a b]\n  x = <<~TEXT\n    hi #{y}\n  TEXT\nend',
  markdown: '# Title\n\n- **bold** `code` [l](u)\n\n```\nx\n```\n> quote',
};

async function tokens(engine: RegexEngine, language: string, code: string): Promise<unknown> {
  const langs = (await bundledLanguages[language as keyof typeof bundledLanguages]()).default;
  const core = createHighlighterCoreSync({ langs, themes: [], engine, warnings: false });
  const grammar = core.getLanguage(language);
  let state = null as Parameters<typeof grammar.tokenizeLine>[1];
  return code.split('\n').map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens;
  });
}

test('the lean engine finds the same tokens as the original engine in every tested language', async () => {
  const plain = await createOnigurumaEngine(import('shiki/wasm'));
  const lean = createLeanRegexEngine(plain);
  for (const [language, code] of Object.entries(SAMPLES)) {
    expect(await tokens(lean, language, code), language).toEqual(
      await tokens(plain, language, code),
    );
  }
});

test('an expression that cannot match a line is neither compiled nor run', () => {
  const compiled: string[] = [];
  const counting: RegexEngine = {
    createScanner(patterns) {
      compiled.push(...patterns.map(String));
      return { findNextMatchSync: () => null };
    },
    createString: (content) => ({ content }),
  };
  const engine = createLeanRegexEngine(counting);
  const scanner = engine.createScanner(['\\bimport\\b', 'a+']);
  scanner.findNextMatchSync(engine.createString('banana\n'), 0, 0);
  expect(compiled).toEqual(['a+']);
});

test('unused expressions are disposed', () => {
  let open = 0;
  const counting: RegexEngine = {
    createScanner: () =>
      ({ findNextMatchSync: () => null, dispose: () => void open--, opened: open++ }) as never,
    createString: (content) => ({ content }),
  };
  const engine = createLeanRegexEngine(counting);
  for (let i = 0; i < 100; i++) {
    const scanner = engine.createScanner([`END${i}`, 'shared']);
    scanner.findNextMatchSync(`END${i} shared`, 0, 0);
    scanner.dispose?.();
  }
  expect(open).toBe(0);
});

function couldMatch(pattern: string, line: string): boolean {
  return canMatch(requiredText(pattern), maskOf(line));
}

test('lines without the required characters of an expression are excluded', () => {
  expect(couldMatch('\\b(import|export)\\b', 'const a = 1')).toBe(false);
  expect(couldMatch('\\b(import|export)\\b', 'export a')).toBe(true);
  expect(couldMatch('(?=\\s*=>)', 'a = b')).toBe(false);
  expect(couldMatch('[@]decorator', 'decorator')).toBe(false);
  expect(couldMatch('(?<=\\.)x', 'x y')).toBe(false);
});

test('optional parts of an expression are not required', () => {
  for (const pattern of [
    '(?:abc)?x',
    '(abc)*x',
    'a{0,2}x',
    'a{,2}x',
    'a??x',
    'a*+x',
    '(?!abc)x',
    '(?<!abc)x',
    'abc|x',
    '(abc|)x',
    '[abc]?x',
    '[^a]*x',
  ]) {
    expect(couldMatch(pattern, 'x'), pattern).toBe(true);
  }
});

test('the operand of an escape is part of the escape', () => {
  for (const pattern of [
    '\\p{Lu}',
    '\\x{41}',
    '\\x41',
    '\\u0041',
    '\\k<name>',
    '\\g<1>',
    "\\k'a'",
    '\\h',
    '\\R',
    '\\1',
  ]) {
    expect(couldMatch(pattern, '#'), pattern).toBe(true);
  }
});

test('character classes are not split, including nested ones', () => {
  for (const pattern of ['[]a]', '[^]a]', '[a[bc]&&[^d]]', '[[:alpha:]_]', '[\\]a]', '[a-z]'])
    expect(couldMatch(pattern, ''), pattern).toBe(true);
  expect(couldMatch('[(]', 'x')).toBe(false);
});

test('an expression with unsupported syntax excludes no line', () => {
  for (const pattern of [
    '(?i)abc',
    '(?i:abc)',
    '(?x) a b c',
    '(?~abc)',
    '(?(1)a|b)',
    '(abc',
    'abc)',
    '[abc',
    'abc\\',
    '(?#note)abc',
    '(?@abc)',
  ]) {
    expect(couldMatch(pattern, ''), pattern).toBe(true);
  }
});

test('many alternatives are processed with limited time and memory', () => {
  const pattern = '(a|b|c|d)'.repeat(50);
  expect(requiredText(pattern).length).toBeLessThanOrEqual(24);
  expect(requiredText('('.repeat(5_000)).length).toBe(1);
});
