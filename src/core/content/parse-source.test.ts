// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of pages are what is tested.
import { describe, expect, it } from 'vitest';
import { compileText } from './fake-site.ts';

const compile = async (text: string, site = {}) => {
  const { content, diagnostics, failed } = await compileText(text, site);
  return {
    html: content.html,
    codes: diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`),
    diagnostics,
    failed,
  };
};

describe('text that is not quite MDX', () => {
  it('leaves out HTML comments with a warning and keeps lines right', async () => {
    const { html, codes, failed } = await compile('One <!-- a --> two\n\n<!-- b\n\nc -->\n\n<Nope />\n');
    expect(html).toContain('<p>One  two</p>');
    expect(html).not.toContain('c --');
    expect(codes).toEqual(['warning mdx-syntax 1', 'warning mdx-syntax 3', 'warning unknown-component 7']);
    expect(failed).toBe(true);
  });

  it('closes void elements and takes attributes in the spelling of HTML', async () => {
    const { html, codes } = await compile(
      'a<br>b <img src="https://e.com/a.png" class="x" style="width: 10px"> c\n\n<iframe src="https://e.com" frameborder="0" allowfullscreen></iframe>\n',
    );
    expect(html).toContain('a<br>b <img src="https://e.com/a.png" class="x" style="width: 10px"');
    expect(html).toContain('<iframe src="https://e.com" allowfullscreen frameborder="0" loading="lazy"></iframe>');
    expect(codes).toEqual(['warning mdx-syntax 1', 'warning mdx-syntax 1']);
  });

  it('shows as text what opens no tag', async () => {
    const { html, failed } = await compile('Use <5 and <your-key> or <https://e.com/a> and List<String>.');
    expect(html).toContain('&lt;5 and &lt;your-key&gt; or <a href="https://e.com/a">https://e.com/a</a> and List&lt;String&gt;.');
    expect(failed).toBe(false);
  });

  it('loses only the tag that is not closed', async () => {
    const { html, diagnostics, failed } = await compile('Before\n\n<Card title="x">\n\ninside\n\n## After\n');
    expect(html).toContain('<p>Before</p>');
    expect(html).toContain('<p>inside</p>');
    expect(html).toContain('<div class="d-fault" role="note">&lt;Card&gt; is not closed</div>');
    expect(html).toContain('<h2 id="after">');
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'mdx-syntax', line: 3, column: 1 }]);
    expect(failed).toBe(true);
  });

  it('mends tags that close in the wrong order', async () => {
    const { html, codes } = await compile('<Steps>\n<Step title="a">\none\n</Steps>\n\nend\n');
    expect(html).toContain('data-name="Steps"');
    expect(html).toContain('<p>one</p>');
    expect(html).toContain('<p>end</p>');
    expect(codes).toEqual(['error mdx-syntax 2']);
    expect((await compile('one\n\n</Card>\n\ntwo')).html).toContain('<p>two</p>');
  });

  it('shows braces that hold no expression as text', async () => {
    const { html, codes } = await compile('a {not valid +} b\n\nc { d\n\n<Card title={1 +}>x</Card>\n');
    expect(html).toContain('a {not valid +} b');
    expect(html).toContain('c { d');
    expect(html).toContain('data-name="Card"');
    expect(codes).toEqual(['error mdx-syntax 1', 'error mdx-syntax 3', 'error mdx-syntax 5']);
  });

  it('never throws, whatever the text', async () => {
    const pieces = [
      '<',
      '</',
      '/>',
      '{',
      '}',
      '`',
      '```\n',
      '<Card',
      ' a="',
      '<!--',
      '-->',
      '\n\n',
      '{/*',
      '$',
      'export const a = ',
      'import x',
      '<a.b>',
      '> ',
      '- ',
      '|',
      '\\',
      '&#0;',
      '\u0001',
      '{{v}}',
    ];
    let seed = 7;
    const next = (): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed;
    };
    for (let round = 0; round < 150; round++) {
      const text = Array.from({ length: 12 }, () => pieces[next() % pieces.length]).join(next() % 2 ? '' : ' ');
      const page = await compileText(text, { variables: { v: '<x {' } });
      expect(page.content.html, text).not.toContain('could not be compiled');
    }
  });

  it('refuses nesting that would overflow the parser', async () => {
    const { codes, failed } = await compile(`{${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    expect(codes).toEqual(['error page-too-complex 1']);
    expect(failed).toBe(true);
    expect((await compile(`${'> '.repeat(3000)}x`)).codes).toContain('warning page-too-complex 1');
  });
});

describe('Markdown', () => {
  it('gives custom ids, tables, task lists and footnotes', async () => {
    const { html } = await compile('## Title {#own}\n\n- [x] done\n\n| a |\n|---|\n| 1 |\n\nText[^1]\n\n[^1]: Note\n');
    expect(html).toContain('<h2 id="own">Title');
    expect(html).toContain('<div class="d-table"><table>');
    expect(html).toContain('<input type="checkbox" checked disabled>');
    expect(html).toContain('href="#user-content-fn-1"');
  });

  it('takes formulas for formulas and prices for text', async () => {
    const { html } = await compile('Energy $E=mc^2$, from $5 to **$10** or $HOME/$USER.\n\n$$\nx < y\n$$\n');
    expect(html).toContain('<code class="d-math">E=mc^2</code>, from $5 to <strong>$10</strong> or $HOME/$USER.');
    expect(html).toContain('<code class="d-math" data-display>x &lt; y</code>');
    expect((await compile('$E=mc^2$', { latex: false })).html).toBe('<p>$E=mc^2$</p>');
  });

  it('reads .md files as Markdown: braces are text and HTML is HTML', async () => {
    const { content, diagnostics } = await compileText(
      'Use {id} <b>now</b>\n\n<details><summary>S</summary>\n\n**x**\n\n</details>\n<br>',
      {},
      undefined,
      'a.md',
    );
    expect(content.html).toContain('Use {id} <b>now</b>');
    expect(content.html).toContain('<summary>S</summary>');
    expect(content.html).toContain('<strong>x</strong>');
    expect(diagnostics).toEqual([]);
    const mdx = await compileText('<Note>**hi**</Note>', {}, undefined, 'a.md');
    expect(mdx.content.html).toContain('data-name="Note"');
  });
});

describe('large pages', () => {
  const update = (n: number): string =>
    `<Update label="v${n}">\n  ## Release ${n}\n\n  - [a](/b) {1 + ${n}} (x) [y] <b>z</b>\n  - \`<T>\` {"t"}\n\n  \`\`\`ts\n  const a = { b: [1, (2)] };\n  \`\`\`\n</Update>\n\n`;

  it('are parsed in parts, with the same result and the right lines', async () => {
    const text = Array.from({ length: 400 }, (_, n) => update(n)).join('');
    const { content, diagnostics, failed } = await compileText(`${text}<Nope />\n`, { pages: { '/b': '/b' } });
    expect(content.toc).toHaveLength(400);
    expect(content.html).toContain('<h2 id="release-399">');
    expect(content.html).toContain(' 400 (x) [y]');
    expect(diagnostics).toMatchObject([{ code: 'unknown-component', line: 4401 }]);
    expect(failed).toBe(true);
  });

  it.each([
    ['brackets', '{[/*]*/', ']}', 4000],
    ['objects', '{a:', '}', 4000],
    ['operators', '!', '1', 40_000],
    ['labels', 'a:', '1', 20_000],
    ['functions', 'a=>', '1', 20_000],
    ['words', 'typeof ', '1', 20_000],
    ['templates', '`${', '}`', 4000],
    ['tags', '<b>', '</b>', 20_000],
  ])('that nest %s without end are refused before the parser sees them', async (_, open, close, count) => {
    const { content, diagnostics, failed } = await compileText(`{${open.repeat(count)}${close}}`);
    expect(content.html).toBe('<div class="d-fault" role="note">The file nests too much in one place</div>');
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'page-too-complex', line: 1 }]);
    expect(failed).toBe(true);
  });
});
