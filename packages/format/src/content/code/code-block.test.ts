import { expect, test } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { fakeHighlighter, fakePage } from '../../../../../test/support/fake-page.ts';
import type { ExplainedCode, Highlighter } from '../page/page-renderer.ts';
import { diagramHeightRem, renderCodeBlock } from './code-block.ts';

function render(language: string, meta: string, code: string): string {
  return renderCodeBlock({ language, meta, code }, fakePage(), fakeHighlighter).value;
}

/** The text that a reader copies. */
function textOf(markup: string): string {
  const inner = /<code[^>]*>([\s\S]*)<\/code>/.exec(markup)?.[1] ?? '';
  return inner
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

test('each token has the class of its kind, plain text has no class, and both are escaped', () => {
  expect(render('js', '', 'CONST a < b')).toContain(
    '<code class="language-js"><span class="k2">CONST</span> a &lt; b</code>',
  );
});

test('a code block shows its code unchanged with any option', () => {
  const code = 'first\n\n  second < 3 & 4\nlast';
  for (const meta of ['', 'lines', '{1,3}', 'focus=2', 'wrap expandable'])
    expect(textOf(render('js', meta, code)), meta).toBe(code);
});

test('comments that mark lines are removed and mark their lines', () => {
  const markup = render('js', '', 'a // [!code --]\nb // [!code ++]\n# [!code highlight:2]\nc\nd');
  expect(textOf(markup)).toBe('a\nb\nc\nd');
  expect([...markup.matchAll(/class="line([^"]*)"/g)].map((match) => match[1])).toEqual([
    ' del',
    ' add',
    ' hl',
    ' hl',
  ]);
});

test('a mark inside the comment syntax of another language is removed completely', () => {
  expect(textOf(render('html', '', '<p> <!-- [!code focus] -->'))).toBe('<p>');
  expect(textOf(render('css', '', 'a {} /* [!code ++] */'))).toBe('a {}');
});

test('a title is escaped', () => {
  expect(render('js', 'title="<b>x</b>"', 'a')).toContain('&lt;b&gt;x&lt;/b&gt;');
});

test('a language that is not a word never reaches the markup', () => {
  expect(render('"><script>', '', 'a')).not.toContain('<script>');
  expect(render('<b>', '', 'x')).not.toContain('class="language');
});

test('only a long block is collapsible', () => {
  expect(render('js', 'expandable', 'one\ntwo')).not.toContain('data-expandable');
  expect(render('js', 'expandable', 'x\n'.repeat(40))).toContain('data-expandable');
});

test('a word is marked at each match, within and across tokens, for as many lines as requested', () => {
  const markup = render(
    'js',
    '',
    '// [!code word:get CONST:2]\nget CONST\nx get CONST y\nget CONST',
  );
  expect(textOf(markup)).toBe('get CONST\nx get CONST y\nget CONST');
  expect(
    markup.match(/<mark class="d-src-word">get <span class="k2">CONST<\/span><\/mark>/g),
  ).toHaveLength(2);
});

test('a marked word is escaped', () => {
  expect(render('js', '', 'a <b> // [!code word:<b>]')).toContain(
    '<mark class="d-src-word">&lt;b&gt;</mark>',
  );
});

test('a block with an icon and no title has a header with its language', () => {
  expect(render('js', 'icon="rocket"', 'a')).toContain('data-icon="rocket"');
  expect(render('js', 'icon="rocket"', 'a')).toContain(
    'data-component-part="code-block-header-filename">js</span>',
  );
});

test('a huge count of lines to mark takes little time', () => {
  const started = cpuMs();
  render('js', '', '// [!code ++:99999]\na');
  expect(cpuMs() - started).toBeLessThan(500);
});

/** A highlighter whose compiler returns this explanation. */
function explaining(explained: ExplainedCode): Highlighter {
  return { ...fakeHighlighter, explain: () => explained };
}

test('compiler hints and errors are placed at their names and lines, escaped, and kept out of the code', () => {
  const explained: ExplainedCode = {
    code: 'const a = b',
    hints: [{ line: 0, start: 6, length: 1, text: 'const a: Map<"x">', docs: 'The <b>first</b>.' }],
    notes: [{ line: 0, start: 10, length: 1, kind: 'error', text: 'Cannot find <b>.' }],
  };
  const page = fakePage();
  const markup = renderCodeBlock(
    { language: 'ts', meta: 'twoslash', code: 'raw' },
    page,
    explaining(explained),
  ).value;
  expect(markup).toContain(
    '<span class="d-hint" title="const a: Map&lt;&quot;x&quot;&gt;\n\nThe &lt;b&gt;first&lt;/b&gt;.">a</span>',
  );
  expect(markup).toContain('<span class="d-src-fault" data-kind="error">b</span>');
  expect(markup).toContain(
    'data-kind="error" style="--d-indent:10ch">Cannot find &lt;b&gt;.</span>',
  );
});

test('code that the compiler cannot explain is shown unchanged, without its notation, and with a warning', () => {
  const page = fakePage();
  const failed: ExplainedCode = { code: 'const a', hints: [], notes: [], problem: 'no' };
  const markup = renderCodeBlock(
    { language: 'ts', meta: 'twoslash', code: 'const a' },
    page,
    explaining(failed),
  ).value;
  expect(textOf(markup)).toBe('const a');
  expect(page.warnings).toEqual(['bad-twoslash']);
  const code = [
    'const before = 1',
    '// ---cut---',
    '// @errors: 2322',
    'const a = 1 // @ts-ignore stays',
    '//    ^?',
    '// ---cut-start---',
    'hidden()',
    '// ---cut-end---',
    '// a comment',
    '// ---cut-after---',
    'const after = 1',
  ].join('\n');
  const noted = renderCodeBlock(
    { language: 'ts', meta: 'twoslash', code },
    page,
    explaining({ ...failed, code }),
  ).value;
  expect(textOf(noted)).toBe('const a = 1 // @ts-ignore stays\n// a comment');
});

function diagram(meta: string, code: string, page = fakePage()): string {
  return renderCodeBlock({ language: 'mermaid', meta, code }, page, fakeHighlighter).value;
}

test('a diagram shows its source until a script draws it', () => {
  const page = fakePage();
  expect(diagram('', 'A --> B', page)).toContain(
    '<code class="language-mermaid">A --&gt; B</code>',
  );
  expect([...page.needed]).toEqual(['docent-mermaid']);
});

test('the source of a diagram is escaped', () => {
  const markup = diagram(
    '',
    'A["</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>"]',
  );
  expect(markup).not.toMatch(/<script|<img/);
  expect(markup.match(/<\/pre>/g)).toHaveLength(1);
});

test('only the known options of a diagram reach its element', () => {
  expect(diagram('placement="top-left" actions={false}', 'A')).toContain(
    ' data-placement="top-left" data-actions="false"',
  );
  expect(diagram('placement="x\\" onclick=\\"alert(1)"', 'A')).not.toContain('onclick="alert');
});

test('the height reserved for a diagram grows with its source, within limits', () => {
  expect(diagramHeightRem('graph TD\n  A --> B\n  B --> C')).toBeGreaterThan(
    diagramHeightRem('graph LR\n  A --> B\n  B --> C'),
  );
  expect(diagramHeightRem('graph TD\n'.padEnd(50_000, 'A --> B\n'))).toBeLessThanOrEqual(40);
  expect(diagramHeightRem('')).toBeGreaterThan(0);
  expect(diagramHeightRem('---\ntitle: x\n---\npie\n "a": 1')).toBe(
    diagramHeightRem('pie\n "a": 1'),
  );
});

test('a hostile diagram is measured in linear time', () => {
  const startedAt = cpuMs();
  diagramHeightRem(`---\n${'\n'.repeat(100_000)}${' \t'.repeat(100_000)}x`);
  expect(cpuMs() - startedAt).toBeLessThan(1000);
});
