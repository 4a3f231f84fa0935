// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of pages are what is tested.
import { describe, expect, it } from 'vitest';
import { compileText } from '../../../../../test/support/fake-site.ts';

const compile = async (text: string, site = {}) => {
  const { content, diagnostics, failed } = await compileText(text, site);
  return {
    html: content.html,
    codes: diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`),
    diagnostics,
    failed,
  };
};

describe('the MDX parser', () => {
  it('omits HTML comments with a warning and keeps line numbers correct', async () => {
    const { html, codes, failed } = await compile(
      'One <!-- a --> two\n\n<!-- b\n\nc -->\n\n<Nope />\n',
    );
    expect(html).toContain('<p>One  two</p>');
    expect(html).not.toContain('c --');
    expect(codes).toEqual([
      'warning mdx-syntax 1',
      'warning mdx-syntax 3',
      'warning unknown-component 7',
    ]);
    expect(failed).toBe(false);
  });

  it('closes void elements and accepts attributes in HTML spelling', async () => {
    const { html, codes } = await compile(
      'a<br>b <img src="https://e.com/a.png" class="x" style="width: 10px"> c\n\n<iframe src="https://e.com" frameborder="0" allowfullscreen></iframe>\n',
    );
    expect(html).toContain('a<br>b <img src="https://e.com/a.png" class="x" style="width: 10px"');
    expect(html).toContain(
      '<iframe src="https://e.com" allowfullscreen frameborder="0" loading="lazy"></iframe>',
    );
    expect(codes).toEqual(['warning mdx-syntax 1', 'warning mdx-syntax 1']);
  });

  it('shows angle brackets that open no tag as text', async () => {
    const { html, failed } = await compile(
      'Use <5 and <your-key> or <https://e.com/a> and List<String>.',
    );
    expect(html).toContain(
      '&lt;5 and &lt;your-key&gt; or <a href="https://e.com/a">https://e.com/a</a> and List&lt;String&gt;.',
    );
    expect(failed).toBe(false);
  });

  it('closes an unclosed tag with an error and keeps all content', async () => {
    const { html, diagnostics, failed } = await compile(
      'Before\n\n<Card title="x">\n\ninside\n\n## After\n',
    );
    expect(html).toContain('<p>Before</p>');
    expect(html).toContain('data-name="Card" data-title="x"');
    expect(html).toContain('<p>inside</p>');
    expect(html).toContain('<h2 id="after">');
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'mdx-syntax', line: 3, column: 1 },
    ]);
    expect(failed).toBe(false);
  });

  it('repairs tags that close in the wrong order', async () => {
    const { html, codes } = await compile('<Steps>\n<Step title="a">\none\n</Steps>\n\nend\n');
    expect(html).toContain('data-name="Steps"');
    expect(html).toContain('<p>one</p>');
    expect(html).toContain('<p>end</p>');
    expect(codes).toEqual(['error mdx-syntax 2']);
    expect((await compile('one\n\n</Card>\n\ntwo')).html).toContain('<p>two</p>');
  });

  it('shows braces without a valid expression as text', async () => {
    const { html, codes } = await compile(
      'a {not valid +} b\n\nc { d\n\n<Card title={1 +}>x</Card>\n',
    );
    expect(html).toContain('a {not valid +} b');
    expect(html).toContain('c { d');
    expect(html).toContain('data-name="Card"');
    expect(codes).toEqual(['warning mdx-syntax 1', 'warning mdx-syntax 3', 'warning mdx-syntax 5']);
  });

  it('shows a block that it cannot repair as text and keeps all of it', async () => {
    const { html, codes, failed } = await compile(
      'one\n\n<Card title="a "b" c">two</Card>\n\nthree',
    );
    for (const words of ['one', 'two', 'three']) expect(html).toContain(words);
    expect(codes.every((code) => code.includes('mdx-syntax 3'))).toBe(true);
    expect(failed).toBe(false);
  });

  it('reads a sentence that begins with a JavaScript keyword as text', async () => {
    const { html, codes } = await compile('import your project\n\nexport the data as CSV\n');
    expect(html).toBe('<p>import your project</p><p>export the data as CSV</p>');
    expect(codes).toEqual([]);
  });

  it.each([
    ['<div><b>{name}</b><i title={`/docs/${name}`}>Go</i></div>', '<i title="/docs/x">Go</i>'],
    ['<p>Applies to /api/* and `this</p>', '<p>Applies to /api/* and `this</p>'],
  ])('ends an export where its code ends: %s', async (jsx, shown) => {
    const lines = [
      'export const A = ({ name }) => (',
      `  ${jsx}`,
      ');',
      '',
      '<A name="x" />',
      '',
      'After {nothing}.',
      '',
    ];
    const { html, codes } = await compile(lines.join('\n'));
    expect(html).toContain(shown);
    expect(html).toContain('<p>After {nothing}.</p>');
    expect(codes).toEqual(['warning unknown-variable 7']);
  });

  it('reads `>` at the start of a line as the end of an open tag, not as a quote', async () => {
    const lines = [
      '<Card',
      '  title="x"',
      '>text **bold**</Card>',
      '',
      'See <b',
      '  title="y"',
      '  >that</b>.',
      '',
      '{nothing}',
    ];
    const { html, codes } = await compile(lines.join('\n'));
    expect(html).toContain('data-title="x">text <strong>bold</strong></section>');
    expect(html).toContain('<p>See <b title="y">that</b>.</p>');
    expect(codes).toEqual(['warning unknown-variable 9']);
  });

  it('omits comments inside a tag', async () => {
    const { html, codes } = await compile('<Card {/* why */} title="x">b</Card>');
    expect(html).toContain('data-title="x">b');
    expect(codes).toEqual(['warning mdx-syntax 1']);
  });

  it('keeps the summary as a direct child of details', async () => {
    const { html } = await compile('<details>\n<summary>S</summary>\ntext\n\n- a\n</details>');
    expect(html).toBe('<details><summary>S</summary><p>\ntext</p><ul><li>a</li></ul></details>');
  });

  it('never throws on any text', async () => {
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
      const text = Array.from({ length: 12 }, () => pieces[next() % pieces.length]).join(
        next() % 2 ? '' : ' ',
      );
      const page = await compileText(text, { variables: { v: '<x {' } });
      expect(page.content.html, text).not.toContain('could not be compiled');
    }
  });

  it('shows excessive nesting in one line as text', async () => {
    for (const mark of ['> ', '- ', '1. ', '1) - > ']) {
      const { html, codes, failed } = await compile(`a\n\n${mark.repeat(5000)}words\n\nb`);
      expect(html).toContain('words');
      expect(codes).toEqual(['warning page-too-complex 3']);
      expect(failed).toBe(false);
    }
    expect((await compile(`${'- '.repeat(200)}\n\nx`)).codes).toEqual([]);
  });

  it('shows a line as plain text if it exceeds the limits of the parser', async () => {
    for (const piece of ['{1} ', '_a', '&amp;', '{/* */}']) {
      const { html, codes } = await compile(`words ${piece.repeat(200_000 / piece.length)}`);
      expect(html).toContain('words');
      expect(codes).toEqual(['error page-too-complex 1']);
    }
    const json = JSON.stringify(Array.from({ length: 5000 }, (_, index) => ({ some_name: index })));
    expect((await compile(`\`\`\`json\n${json}\n\`\`\`\n`)).codes).toEqual([]);
    expect((await compile('{1} '.repeat(1000))).codes).toEqual([]);
  });
});

describe('Markdown', () => {
  it('supports custom ids, tables, task lists, and footnotes', async () => {
    const { html } = await compile(
      '## Title {#own}\n\n- [x] done\n\n| a |\n|---|\n| 1 |\n\nText[^1]\n\n[^1]: Note\n',
    );
    expect(html).toContain('<h2 id="own">Title');
    expect(html).toContain('<div class="d-wide"><table>');
    expect(html).toContain('<input type="checkbox" checked disabled aria-label="done">');
    expect(html).toContain('href="#user-content-fn-1"');
    expect(html).toContain('aria-describedby="footnote-label"');
  });

  it('distinguishes formulas from prices', async () => {
    const { html } = await compile(
      'Energy $E=mc^2$, from $5 to **$10** or $HOME/$USER.\n\n$$\nx < y\n$$\n',
    );
    expect(html).toContain('from $5 to <strong>$10</strong> or $HOME/$USER.');
    expect(html).toContain('E=mc^2</annotation>');
    expect(html).toMatch(/class="katex-display">.*x &lt; y<\/annotation>/);
    expect((await compile('$E=mc^2$', { latex: false })).html).toBe('<p>$E=mc^2$</p>');
  });

  it.each([
    [
      'The $n$th of $x_i$s, $k$-fold and $\\text{Approve}$d by more than $2/3$.',
      ['n', 'x_i', 'k', '\\text{Approve}', '2/3'],
    ],
    ['其中$x$是变量，한국어 $y$는 변수', ['x', 'y']],
    ['Costs $5 in the $n$th month, $\\beta$s or $6.', ['n', '\\beta']],
    ['$5-$10 per $x$ and $20/$30, or **$5** to $\\frac{1}{2}$x', ['x', '\\frac{1}{2}']],
    ['Prices ($5 and $10) or $5, $10/month, $1k, US$5 and A$10, 花费$5和$10元, $10s to $5ths', []],
    ['$a$b and $HOME$PATH, $VAR_NAME or $OTHER, $x$stuff, $5k$th', []],
    ['from US$5 (see \\textbf) or US$6, from $100 \\pm 5 to $200 \\pm 5 dollars', []],
  ])('finds the formulas beside words and prices: %s', async (text, formulas) => {
    const { html, codes } = await compile(text);
    const found = [...html.matchAll(/<annotation[^>]*>([^<]*)</g)].map(([, source]) => source);
    expect({ found, codes }).toEqual({ found: formulas, codes: [] });
  });

  it.each([
    [
      'a component',
      '<Accordion title="x">\n    $$\n    a = b\n    $$\n\n    text\n</Accordion>',
      /a = b<[\s\S]*<p>text<\/p>/,
    ],
    [
      'with tabs',
      '<Accordion title="x">\n\t$$\n\ta = b\n\t$$\n\n\ttext\n</Accordion>',
      /a = b<[\s\S]*<p>text<\/p>/,
    ],
    [
      'components inside others',
      '<Steps>\n  <Step title="x">\n    $$\n    a = b\n    $$\n\n    text\n  </Step>\n</Steps>',
      /a = b<[\s\S]*text/,
    ],
    [
      'a list item',
      '- x\n\n      $$\n      a = b\n      $$\n\n- text',
      /<ul>[\s\S]*x[\s\S]*a = b<[\s\S]*<p>text<\/p>\s*<\/li>\s*<\/ul>/,
    ],
    [
      'a list inside a list',
      '1. x\n    - y\n\n        $$\n        a = b\n        $$\n\n    - text',
      /<li>[\s\S]*y[\s\S]*a = b<[\s\S]*text<\/p>\s*<\/li>\s*<\/ul>\s*<\/li>/,
    ],
    [
      'a list item that goes on at the left',
      '1. x\nlazy\n\n    $$\n    a = b\n    $$\n\n2. text',
      /<ol>[\s\S]*lazy[\s\S]*a = b<[\s\S]*text<\/p>\s*<\/li>\s*<\/ol>/,
    ],
    [
      'a component after a list',
      '- x\n\n<Steps>\n    <Step title="x">\n    $$\n    a = b\n    $$\n\n    text\n    </Step>\n</Steps>',
      /a = b<[\s\S]*text/,
    ],
  ])('a formula block in %s ends at its dollars', async (_, text, expected) => {
    const { html, codes } = await compile(`${text}\n\n## Next\n\nLast`);
    expect(html).toMatch(expected);
    expect(html).toContain('<p>Last</p>');
    expect(html).not.toContain('$$');
    expect(codes).toEqual([]);
  });

  it('dollars in code stay where they are, whatever their indentation', async () => {
    const { html } = await compile(
      '<Accordion title="x">\n    ```tex\n    $$\n      a\n    $$\n    ```\n</Accordion>',
    );
    expect(html).toContain('$$\n  a\n$$');
  });

  it('in .md files treats braces as text and HTML as HTML', async () => {
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

it('diagnostics in .md files have their lines, inside HTML too', async () => {
  const text =
    'One [a](/none).\n\n<div>\n\n[b](/none2) <b onclick="x()">x</b>\n\n</div>\n\n<table>\n<tr><td>\n<a href="/none3">c</a>\n<script>x</script>\n</table>\n\n## Two\n\n[d](/none4)\n';
  const { diagnostics } = await compileText(text, {}, undefined, 'a.md');
  expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
    ['broken-link', 1],
    ['broken-link', 5],
    ['unsafe-html', 5],
    ['broken-link', 11],
    ['unsafe-html', 12],
    ['broken-link', 17],
  ]);
  const math = await compileText(
    '<b>x</b> $a + b$ and $5 or $6',
    { latex: true },
    undefined,
    'a.md',
  );
  expect(math.content.html.match(/katex"/g)).toHaveLength(1);
});

it('code blocks in .md files with HTML keep their language and title', async () => {
  const text =
    'Use `<id>` and `x`.\n\n```json5 a.json5\n{ a: 1 }\n```\n\n<p align="center">x</p>\n\n```\nplain\n```\n\n- `y`\n  ```mermaid\n  graph LR\n  ```\n';
  const { content } = await compileText(text, {}, undefined, 'a.md');
  expect(content.html.match(/data-language="[^"]*" data-meta="[^"]*"/g)).toEqual([
    'data-language="json5" data-meta="a.json5"',
    'data-language="" data-meta=""',
    'data-language="mermaid" data-meta=""',
  ]);
});

describe('large pages', () => {
  const update = (n: number): string =>
    `<Update label="v${n}">\n  ## Release ${n}\n\n  - [a](/b) {1 + ${n}} (x) [y] <b>z</b>\n  - \`<T>\` {"t"}\n\n  \`\`\`ts\n  const a = { b: [1, (2)] };\n  \`\`\`\n</Update>\n\n`;

  it('are parsed in parts with the same result and correct lines', async () => {
    const text = Array.from({ length: 400 }, (_, n) => update(n)).join('');
    const { content, diagnostics, failed } = await compileText(`${text}<Nope />\n`, {
      pages: { '/b': '/b' },
    });
    expect(content.toc).toHaveLength(400);
    expect(content.html).toContain('<h2 id="release-399">');
    expect(content.html).toContain(' 400 (x) [y]');
    expect(diagnostics).toMatchObject([{ code: 'unknown-component', line: 4401 }]);
    expect(failed).toBe(false);
  });

  it('keep footnotes and reference links, regardless of where they are defined', async () => {
    const filler = Array.from({ length: 250 }, (_, n) => update(n)).join('');
    const text = `First[^b] and [docs][D].\n\n${filler}Last[^a] and again[^b].\n\n[^a]: Note A\n[^b]: Note **B**\n\n    more of B\n\n[d]: https://e.com/docs\n`;
    const { content } = await compileText(text);
    const { html } = content;
    expect(html).toContain('<a href="https://e.com/docs">docs</a>');
    expect(html.match(/<section class="footnotes"|<section [^>]*data-footnotes/g)).toHaveLength(1);
    const references = [
      ...html.matchAll(/href="#user-content-fn-(\w)" id="([^"]*)"[^>]*>(\d)</g),
    ].map((match) => match.slice(1).join(' '));
    expect(references).toEqual([
      'b user-content-fnref-b 1',
      'a user-content-fnref-a 2',
      'b user-content-fnref-b-2 1',
    ]);
    expect(html).toMatch(
      /<li id="user-content-fn-b">[\s\S]*more of B[\s\S]*<li id="user-content-fn-a">/,
    );
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
  ])('with endlessly nested %s keep their words', async (_, open, close, count) => {
    const { content } = await compileText(
      `# Title\n\nbefore {${open.repeat(count)}${close}} after\n\n{1 + 1} end`,
    );
    const text = content.html.replace(/<[^>]*>/g, '');
    for (const words of ['Title', 'before', 'after', '2 end']) expect(text).toContain(words);
  });
});
