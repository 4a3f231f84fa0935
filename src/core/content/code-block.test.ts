import { expect, test } from 'vitest';
import { renderCodeBlock } from './code-block.ts';
import { fakeHighlighter, fakePage } from './components/fake-page.ts';

function render(language: string, meta: string, code: string): string {
  return renderCodeBlock({ language, meta, code }, fakePage(), fakeHighlighter).value;
}

/** What a reader copies. */
function textOf(markup: string): string {
  const inner = /<code[^>]*>([\s\S]*)<\/code>/.exec(markup)?.[1] ?? '';
  return inner
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

test('tokens have the class of their kind, plain text has none, and all of it is escaped', () => {
  expect(render('js', '', 'CONST a < b')).toContain('<code class="language-js"><span class="k2">CONST</span> a &lt; b</code>');
});

test('code is shown as it was written, with every option', () => {
  const code = 'first\n\n  second < 3 & 4\nlast';
  for (const meta of ['', 'lines', '{1,3}', 'focus=2', 'wrap expandable'])
    expect(textOf(render('js', meta, code)), meta).toBe(code);
});

test('comments that mark lines are taken out, and mark their line', () => {
  const markup = render('js', '', 'a // [!code --]\nb // [!code ++]\n# [!code highlight:2]\nc\nd');
  expect(textOf(markup)).toBe('a\nb\nc\nd');
  expect([...markup.matchAll(/class="line([^"]*)"/g)].map((match) => match[1])).toEqual([' del', ' add', ' hl', ' hl']);
});

test('a mark in the closing comment of another language leaves no rest', () => {
  expect(textOf(render('html', '', '<p> <!-- [!code focus] -->'))).toBe('<p>');
  expect(textOf(render('css', '', 'a {} /* [!code ++] */'))).toBe('a {}');
});

test('a title is text', () => {
  expect(render('js', 'title="<b>x</b>"', 'a')).toContain('&lt;b&gt;x&lt;/b&gt;');
});

test('a language that is not a word never reaches the markup', () => {
  expect(render('"><script>', '', 'a')).not.toContain('<script>');
  expect(render('<b>', '', 'x')).not.toContain('class="language');
});

test('only a long block can be collapsed', () => {
  expect(render('js', 'expandable', 'one\ntwo')).not.toContain('data-expandable');
  expect(render('js', 'expandable', 'x\n'.repeat(40))).toContain('data-expandable');
});

test('a diagram shows its source until something draws it', () => {
  const page = fakePage();
  const markup = renderCodeBlock({ language: 'mermaid', meta: '', code: 'A --> B' }, page, fakeHighlighter).value;
  expect(markup).toContain('<docent-mermaid');
  expect(markup).toContain('A --&gt; B');
  expect([...page.needed]).toEqual(['docent-mermaid']);
});

test('a count of lines to mark has a limit', () => {
  const started = performance.now();
  render('js', '', '// [!code ++:99999]\na');
  expect(performance.now() - started).toBeLessThan(500);
});
