import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { type Block, parseMarkdown } from './parse-blocks.ts';
import type { Inline } from './parse-inline.ts';

/** Formats a tree compactly, for comparison. */
function inline(run: Inline): string {
  switch (run.kind) {
    case 'text':
      return run.text;
    case 'code':
      return `‹${run.text}›`;
    case 'break':
      return '⏎';
    case 'link':
      return `→${run.address}(${run.children.map(inline).join('')})`;
    default:
      return `${run.kind}(${run.children.map(inline).join('')})`;
  }
}
const runs = (all: readonly Inline[]): string => all.map(inline).join('');
function block(one: Block): string {
  switch (one.kind) {
    case 'paragraph':
      return runs(one.children);
    case 'heading':
      return `h${one.level}(${runs(one.children)})`;
    case 'code':
      return `code:${one.language}(${one.text})`;
    case 'list':
      return `${one.start === undefined ? 'ul' : `ol${one.start}`}(${one.items.map((item) => item.map(block).join(';')).join(' • ')})`;
    case 'quote':
      return `quote(${one.children.map(block).join(';')})`;
    case 'table':
      return `table(${[one.head, ...one.rows].map((row) => row.map(runs).join('|')).join(' / ')})[${one.align.join()}]`;
    case 'suggestions':
      return `suggestions(${one.pages.map((page) => `${page.title}=${page.address}`).join()})`;
    default:
      return one.kind;
  }
}
const show = (markdown: string, open = false): string[] => parseMarkdown(markdown, open).map(block);

describe('the Markdown of an answer', () => {
  it.each([
    [
      '## Keys\n\nUse *it* **well**, `a*b*` and ~~no~~.',
      ['h2(Keys)', 'Use emphasis(it) strong(well), ‹a*b*› and deleted(no).'],
    ],
    ['one  \ntwo\\\nthree\nfour', ['one⏎two⏎three four']],
    ['```bash\nnpm i\n\nx\n```\nAfter', ['code:bash(npm i\n\nx)', 'After']],
    ['1. a\n2. b\n\n   ```js\n   x\n   ```\n3. c', ['ol1(a • b;code:js(x) • c)']],
    ['- a\n  - b\n    - c\n- d', ['ul(a;ul(b;ul(c)) • d)']],
    ['- a\n\n- b\n\nText', ['ul(a • b)', 'Text']],
    ['> quoted\n> - x\n\nText', ['quote(quoted;ul(x))', 'Text']],
    ['| a | b |\n|:-|-:|\n| 1 | `x|y` |\n| 2 |', ['table(a|b / 1|‹x|y› / 2|)[start,end]']],
    [
      '[Keys](/api/keys#rotate "t"), <https://a.test/x> and https://b.test/(y).',
      ['→/api/keys#rotate(Keys), →https://a.test/x(a.test/x) and →https://b.test/(y)(b.test/(y)).'],
    ],
    ['snake_case_name, 2 * 3 * 4, a\\*b', ['snake_case_name, 2 * 3 * 4, a*b']],
    ['***both*** and **a *b* c**', ['strong(emphasis(both)) and strong(a emphasis(b) c)']],
    ['![logo](https://evil.test/p.png)', ['→https://evil.test/p.png(logo)']],
    ['***', ['rule']],
    ['In 2024. It\n2024. was', ['In 2024. It 2024. was']],
    [
      '```suggestions\n(Keys)[/api/keys]\nnonsense\n(Limits)[/api/limits]\n```',
      ['suggestions(Keys=/api/keys,Limits=/api/limits)'],
    ],
  ])('is parsed: %j', (markdown, expected) => {
    expect(show(markdown)).toEqual(expected);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<!-- x -->',
    '<a href="javascript:alert(1)">x</a>',
  ])('keeps %j as text', (markdown) => expect(show(markdown)).toEqual([markdown]));

  it('supports <br> as the only HTML in table cells', () => {
    expect(show('| a |\n| - |\n| b<br>c<br />d<brx> |')).toEqual(['table(a / b⏎c⏎d<brx>)[start]']);
  });

  it('decodes entities once', () => {
    expect(show('&lt;b&gt; &amp;lt; &copy;')).toEqual(['<b> &lt; &copy;']);
  });
});

describe('an unfinished answer', () => {
  it.each([
    ['Use **stro', ['Use strong(stro)']],
    ['Use **strong*', ['Use strong(strong)']],
    ['Use **', ['Use ']],
    ['Run `npm i', ['Run ‹npm i›']],
    ['Run `', ['Run ']],
    ['See [the ke', ['See the ke']],
    ['See [the keys]', ['See the keys']],
    ['See [the keys](/api/ke', ['See the keys']],
    ['Text\n\n##', ['Text']],
    ['Text\n\n-', ['Text']],
    ['Text\n\n``', ['Text']],
    ['```js\nlet a', ['code:js(let a)']],
    ['```suggestions\n(Keys)[/a', []],
    ['| a | b |', []],
    ['| a | b |\n|--', []],
    ['| a | b |\n|---|---|\n| **x', ['table(a|b / strong(x)|)[start,start]']],
    ['1. a\n2. **b', ['ol1(a • strong(b))']],
  ])('shows %j without incomplete marks', (markdown, expected) => {
    expect(show(markdown, true)).toEqual(expected);
  });

  it('never shrinks by more than an incomplete mark', () => {
    const complete =
      'First **one** and `two`.\n\n- [a](/a)\n- b\n\n```js\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.';
    let shown = 0;
    for (let length = 0; length <= complete.length; length++) {
      const count = show(complete.slice(0, length), true).join('\n').length;
      expect(count, JSON.stringify(complete.slice(0, length))).toBeGreaterThanOrEqual(shown - 12);
      shown = Math.max(shown, count);
    }
    expect(show(complete, true)).toEqual(show(complete));
  });
});

describe('hostile text', () => {
  it.each([
    ['['.repeat(20_000)],
    ['*a '.repeat(10_000)],
    ['**'.repeat(10_000)],
    ['_a_b'.repeat(10_000)],
    ['`'.repeat(10_000).replaceAll('``', '` ')],
    ['> '.repeat(5000)],
    ['- '.repeat(5000)],
    ['| a '.repeat(5000)],
    ['![['.repeat(8000)],
    ['[a](('.repeat(8000)],
    [`${'#'.repeat(20_000)}\n${'1. '.repeat(5000)}`],
    ['*a `b '.repeat(5000)],
  ])('is parsed quickly (%#)', (markdown) => {
    const startedAt = cpuMs();
    parseMarkdown(markdown, true);
    parseMarkdown(markdown);
    expect(cpuMs() - startedAt).toBeLessThan(4000);
  });
});
