import { describe, expect, it } from 'vitest';
import { compileText, fakeContext, fakeParts } from '../../../../test/support/fake-site.ts';
import { html } from '../html.ts';
import { resolveMarks } from '../links.ts';
import { compilePage } from './compile-page.ts';

const mark = (kind: 'P' | 'A', path: string): string => `\u0001${kind}${path}\u0001`;

describe('snippets', () => {
  it('are expanded at their import, with props in text, attributes, and code', async () => {
    const files = {
      'snippets/hello.mdx':
        '---\ntitle: x\n---\n## Hi {name}\n\n<Card title={props.name}>{props.name} and {name}</Card>\n\n```bash\ncurl {name} {other}\n```\n',
    };
    const { content, diagnostics } = await compileText(
      'import Hello from \'/snippets/hello\';\n\n<Hello name="Ada" />',
      {
        files,
      },
    );
    expect(content.html).toContain('<h2 id="hi-ada">Hi Ada');
    expect(content.html).toContain('data-title="Ada">Ada and Ada</section>');
    expect(content.html).toContain('curl Ada {other}');
    expect(diagnostics).toEqual([]);
  });

  it('accept children, export names, and import other snippets by relative path', async () => {
    const files = {
      'snippets/a.mdx': "import B, { word as w } from './b.mdx';\n\n<B>{props.children} {w}</B>",
      'snippets/b.mdx': "export const word = 'from b';\n\n> {props.children}",
      'snippets/c.jsx':
        "const hidden = 'deep';\nexport const Tag = ({ children }) => <em>{children} {hidden}</em>;\nexport const list = ['x', 'y'];",
    };
    const page =
      "import A from '../snippets/a.mdx';\nimport { Tag, list } from '/snippets/c.jsx';\nimport * as all from '/snippets/c.jsx';\n\n<A>**kids**</A>\n\n<Tag>t</Tag>\n\nn {list.length} {all.list[0]}\n\n<all.Tag>u</all.Tag>";
    const { content, diagnostics } = await compileText(page, { files });
    expect(content.html).toContain('<strong>kids</strong> from b');
    expect(content.html).toContain('<em>t deep</em>');
    expect(content.html).toContain('<p>n 2 x</p>');
    expect(content.html).toContain('<em>u deep</em>');
    expect(diagnostics).toEqual([]);
  });

  it('use the imports and definitions of their page, but cannot replace built-in components', async () => {
    const files = {
      'snippets/hero.jsx':
        'export const Hero = ({ title }) => <div><Name>{title}</Name><Note>{shared}</Note></div>',
      'snippets/h.jsx':
        'export const Name = ({ children }) => <b>{children}</b>\nexport const Note = () => "wrong"',
      'snippets/part.mdx': '<Name>in a part: {shared}</Name>',
    };
    const text = `import { Hero } from "/snippets/hero.jsx"
import { Name, Note } from "/snippets/h.jsx"
import Part from "/snippets/part.mdx"

export const shared = "of the page"

<Hero title="One" />

<Part />`;
    const { content, diagnostics } = await compileText(text, { files });
    expect(content.html).toContain(
      '<b>One</b><section data-name="Note" data-title="">of the page</section>',
    );
    expect(content.html).toContain('<b>in a part: of the page</b>');
    expect(diagnostics).toEqual([]);
  });

  it('re-export names from other files, all at once or one by one', async () => {
    const files = {
      'snippets/all.jsx':
        "export * from './one.jsx'; export * as two from './two.jsx'; export { b as c } from './two.jsx'",
      'snippets/one.jsx': "export * from './all.jsx'; export const a = 1; export default 9",
      'snippets/two.jsx': 'export const b = 2',
    };
    const text = 'import { a, two, c } from "/snippets/all.jsx"\n\na: {a} {two.b} {c}';
    const { content, diagnostics } = await compileText(text, { files });
    expect(content.html).toBe('<p>a: 1 2 2</p>');
    expect(diagnostics).toEqual([]);
  });

  it('in the old form are expanded in place', async () => {
    const { content } = await compileText('<Snippet file="old.mdx" />', {
      files: { '_snippets/old.mdx': 'old **text**' },
    });
    expect(content.html).toBe('<p>old <strong>text</strong></p>');
  });

  it('that contain themselves are reported and lose only the repeated part', async () => {
    const files = {
      'a.mdx': "import B from '/b.mdx'\n\nA\n\n<B />",
      'b.mdx': "import A from '/a.mdx'\n\nB\n\n<A />",
    };
    const { content, diagnostics, failed } = await compileText(
      "import A from '/a.mdx'\n\n<A />\n\nend",
      { files },
    );
    expect(content.html).toMatch(/<p>A<\/p><p>B<\/p><div class="d-fault"[\s\S]*<p>end<\/p>/);
    expect(diagnostics).toMatchObject([
      {
        code: 'snippet-cycle',
        message: 'A snippet contains itself: guides/page.mdx → a.mdx → b.mdx → a.mdx.',
      },
    ]);
    expect(failed).toBe(true);
  });

  it('named like a built-in component and imported from a package or a missing file show that component', async () => {
    const page =
      "import { Card } from '@docs/components';\nimport Note from '@theme/Note';\nimport { Tip } from './gone.jsx';\nimport { Boxed } from '/a.jsx';\n\n<Card title=\"One\">a</Card>\n\n<Note>b</Note>\n\n<Tip>c</Tip>\n\n<Boxed />";
    const { content, diagnostics } = await compileText(page, {
      files: {
        'a.jsx':
          'import { Card } from \'lib\';\nexport const Boxed = () => <Card title="Two">d</Card>;',
      },
    });
    expect(content.markdown.match(/One|Two|\b[abcd]\b/g)).toEqual([
      'One',
      'a',
      'b',
      'c',
      'Two',
      'd',
    ]);
    expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
      'foreign-syntax 2',
      'missing-import 3',
    ]);
  });

  it('that are missing, misspelled, or from a package are reported, and lose neither the content of a component nor the page', async () => {
    const page =
      "import Gone from '/snippets/gone.mdx';\nimport x from 'lodash';\nimport { Nope } from '/a.jsx';\nimport { useState } from 'react';\n\n<Gone>kept</Gone>\n\n<Nope />\n\nx {x.y} x";
    const { content, diagnostics, failed } = await compileText(page, {
      files: { 'a.jsx': 'export const A = 1;' },
    });
    expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
      'missing-import 1',
      'npm-import 2',
      'missing-import 3',
      'needs-browser 10',
    ]);
    expect(content.html).toContain('<p>kept</p>');
    expect(failed).toBe(false);
  });

  it('in TypeScript are shown as placeholders', async () => {
    const { content, failed } = await compileText("import { T } from '/t.tsx';\n\n<T />", {
      files: { 't.tsx': 'export const T = (p: { a: string }) => <b>{p.a}</b>;' },
    });
    expect(content.html).toContain('data-component="T"');
    expect(failed).toBe(false);
  });

  it('that multiply reach a limit that keeps the rest of the page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `s${n}.mdx`,
        n === 11 ? 'leaf' : `import N from '/s${n + 1}.mdx'\n\n${'<N />\n\n'.repeat(10)}`,
      ]),
    );
    const { content, diagnostics } = await compileText("import S from '/s0.mdx'\n\n<S />\n\nend", {
      files,
    });
    expect(diagnostics.some(({ code }) => code === 'expression-limit')).toBe(true);
    expect(content.html).toContain('<p>end</p>');
  });
});

describe('site variables', () => {
  it('are replaced in text, attributes, and code, and unknown ones are left unchanged', async () => {
    const page =
      'v{{version}} <Card title="{{version}}">x</Card>\n\n```bash {{version}}\nget {{ version }} {{other}}\n```\n\n`{{version}}` <b style={{ color: "red" }}>{{mark}}</b>';
    const { content } = await compileText(page, { variables: { version: '1.2', mark: '<i>{x}' } });
    expect(content.html).toContain('v1.2 ');
    expect(content.html).toContain('data-title="1.2"');
    expect(content.html).toContain('get 1.2 {{other}}');
    expect(content.html).toContain('<code>1.2</code> <b style="color: red">&lt;i&gt;{x}</b>');
  });
});

describe('links and images', () => {
  const site = {
    pages: {
      '/start': '/start',
      '/guides/next': '/guides/next',
      '/old': '/start#new',
      '/away': 'https://e.com/x',
    },
    files: { 'images/a b.png': '', 'guides/local.svg': '', 'files/x.pdf': '' },
  };
  const link = async (target: string): Promise<string> =>
    (await compileText(`[x](<${target}>)`, site)).content.html.replace(
      /^<p><a href="|">x<\/a><\/p>$/g,
      '',
    );

  it.each([
    ['/start?a=1#b', mark('P', '/start?a=1#b')],
    ['./next', mark('P', '/guides/next')],
    ['next.mdx#x', mark('P', '/guides/next#x')],
    ['../start', mark('P', '/start')],
    ['/start/', mark('P', '/start')],
    ['start', mark('P', '/start')],
    ['/old', mark('P', '/start#new')],
    ['/old#own', mark('P', '/start#own')],
    ['/away', 'https://e.com/x'],
    ['/files/x.pdf', mark('A', '/files/x.pdf')],
    ['//e.com/a', 'https://e.com/a'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['cursor://open?x=1&y=2', 'cursor://open?x=1&amp;y=2'],
  ])('resolve %s to the right URL', async (target, written) =>
    expect(await link(target)).toBe(written),
  );

  it('that are broken are kept and reported, links within the page too', async () => {
    const { content, diagnostics, failed } = await compileText(
      '[a](/gone) [b](#nope) [c](#here)\n\n## Here',
      site,
    );
    expect(content.html).toContain(`href="${mark('P', '/gone')}"`);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'broken-link: There is no page or file at "/gone".',
      'broken-link: The page has no heading or id "#nope".',
    ]);
    expect(failed).toBe(false);
  });

  it('refer to files of the site, and missing images are reported and not requested', async () => {
    const { content, assets, diagnostics } = await compileText(
      '![A](</images/a b.png>) <img src="./local.svg" noZoom /> <img src="/no.png" srcSet="/no2.png 2x" />',
      site,
    );
    expect(content.html).toContain(
      `src="${mark('A', '/images/a b.png')}" alt="A" loading="lazy" decoding="async"`,
    );
    expect(content.html).toContain(`src="${mark('A', '/guides/local.svg')}" data-no-zoom`);
    expect(assets).toEqual(['/guides/local.svg', '/images/a b.png']);
    expect(content.html).toContain('<img src="data:image/svg+xml,');
    expect(content.html).not.toMatch(/src="[^"]*no\.png/);
    expect(content.html).toContain('data-missing="/no.png"');
    expect(diagnostics.map(({ code }) => code)).toEqual(['missing-file', 'missing-file']);
  });

  it('have the dimensions of their image file', async () => {
    const site = { files: { 'a.png': '' }, imageSizes: { 'a.png': { width: 800, height: 400 } } };
    const image = async (attributes: string): Promise<string> =>
      (await compileText(`<img src="/a.png" ${attributes} />`, site)).content.html;
    expect(await image('')).toContain(' width="800" height="400"');
    expect(await image('width="200"')).toContain(' width="200" height="100"');
    expect(await image('width="50%"')).not.toContain('height');
    expect(await image('height="40"')).not.toContain('width');
  });

  it('pass the chosen buttons of an image to the page script', async () => {
    const image = async (attributes: string): Promise<string> =>
      (await compileText(`<img src="https://e.com/a.png" ${attributes} />`)).content.html;
    expect(await image('actions')).toContain(' data-actions="copy download"');
    expect(await image('actions="download,print" actionsPlacement="top-right"')).toContain(
      ' data-actions="download" data-actions-placement="top-right"',
    );
    expect(await image('actions="x" actionsPlacement="here"')).not.toContain('data-actions');
  });

  it('omit the opener when they open a new window', async () => {
    expect((await compileText('<a href="https://e.com" target="_blank">x</a>')).content.html).toBe(
      '<a href="https://e.com" target="_blank" rel="noreferrer noopener">x</a>',
    );
  });
});

describe('headings', () => {
  it('have unique ids, links to themselves, alias ids, and a table of contents of depths 2 to 4', async () => {
    const { content } = await compileText(
      '# One\n\n## A & `b`\n\n### A\n\n## A\n\n##### Deep\n\n<a href="/x"><h3>in a link</h3></a>\n\n<h2 noAnchor>Plain</h2>',
    );
    expect(content.html).toContain(
      '<h2 id="a-&amp;-b">A &amp; <code>b</code><span id="a--b"></span><span id="a-b"></span><a class="d-anchor" href="#a-&amp;-b" aria-label="Link to this section"></a></h2>',
    );
    expect(content.html).toContain('<h3>in a link</h3>');
    expect(content.html).toContain('<h2 id="plain">Plain</h2>');
    expect(content.toc).toEqual([
      { depth: 2, id: 'a-&-b', text: 'A & b' },
      { depth: 3, id: 'a', text: 'A' },
      { depth: 2, id: 'a-2', text: 'A' },
      { depth: 2, id: 'plain', text: 'Plain' },
    ]);
  });

  it('are also reachable by their names without leading and trailing underscores', async () => {
    const { content, diagnostics } = await compileText(
      '### _meta\n\n## `__init__`\n\n[a](#_meta) [b](#meta) [c](#init)',
    );
    expect(content.html).toContain('<h3 id="_meta">');
    for (const alias of ['meta', 'init'])
      expect(content.html).toContain(`<span id="${alias}"></span>`);
    expect(diagnostics).toEqual([]);
  });

  it('with underscores have ids with hyphens too, unless a later heading has that id', async () => {
    const { content } = await compileText(
      '## `max_tokens`\n\n## The top_p field\n\n<Note>\n## Max tokens\n</Note>\n\n## a(b) {#own}',
    );
    const ids = [...content.html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([
      'max_tokens',
      'the-top_p-field',
      'the-top-p-field',
      'max-tokens',
      'own',
      'ab',
    ]);
  });

  it('have ids without the text of components inside them, and aliases with it', async () => {
    const { content, diagnostics } = await compileText(
      'export const Since = ({ version }) => <i>{version}</i>\n\n## Title <Since version="5.5" />\n\n## <Card>Only</Card>\n\n[a](#title) [b](#title-5-5) [c](#only)',
    );
    expect(content.html).toContain('<h2 id="title">Title <i>5.5</i><span id="title-5-5"></span>');
    expect(content.toc.map(({ id, text }) => `${id}: ${text}`)).toEqual([
      'title: Title 5.5',
      'only: Only',
    ]);
    expect(diagnostics).toEqual([]);
  });
});

describe('components', () => {
  it('that fail are replaced by a note and reported', async () => {
    const { content, diagnostics, failed } = await compileText('a\n\n<Broken />\n\nb');
    expect(content.html).toBe(
      '<p>a</p><div class="d-fault" role="note">&lt;Broken&gt; could not be shown</div><p>b</p>',
    );
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'component-failed', file: 'guides/page.mdx', line: 3 },
    ]);
    expect(failed).toBe(true);
  });

  it('receive props as data and JSX as nodes', async () => {
    const { content } = await compileText(
      '<Props a="1" b={2} c d={[1, {e: null}]} f={() => 1} key="k" />',
    );
    expect(content.html).toContain(
      '{&quot;a&quot;:&quot;1&quot;,&quot;b&quot;:2,&quot;c&quot;:true,&quot;d&quot;:[1,{&quot;e&quot;:null}]}',
    );
  });

  it('that a paragraph cannot contain are never inside one', async () => {
    expect((await compileText('text <Card>x</Card> more')).content.html).toMatch(
      /^<div class="d-paragraph">text <section/,
    );
    expect((await compileText('text <Icon icon="rocket" /> more')).content.html).toMatch(
      /^<p>text <svg viewBox="0 0 24 24" class="d-icon"/,
    );
  });

  it('draw icons from names, URLs, and JSX, and report unknown names with their line', async () => {
    const page =
      '<Icon icon="fa-solid fa-rocket" />\n\n<Icon icon="/i.svg" />\n\n<Icon icon={<svg><path d="M1" /></svg>} />\n\n<Icon icon="nope" />';
    const { content, assets, diagnostics } = await compileText(page, { files: { 'i.svg': '' } });
    expect(content.html).toContain('<path d="M0 0"/></svg>');
    expect(content.html).toContain(`<img src="${mark('A', '/i.svg')}" alt="" class="d-icon"`);
    expect(content.html).toContain('<svg><path d="M1"></path></svg>');
    expect(assets).toEqual(['/i.svg']);
    expect(diagnostics).toMatchObject([{ code: 'unknown-icon', line: 7 }]);
  });
});

describe('compilePage', () => {
  it('loads the languages of all code before rendering, including code that components create', async () => {
    const loaded: string[] = [];
    const page = {
      path: 'p',
      href: '/p',
      file: 'p.mdx',
      frontmatter: { custom: {} },
      title: 'P',
      text: '```js\n1\n```\n\n```text\nx\n```\n\n<CodeBlock language="ts">x</CodeBlock>\n\n<Late />\n\n```\nplain\n```',
    };
    const { diagnostics } = await compilePage(
      page,
      fakeContext({ unknownLanguages: ['js'] }, loaded),
      undefined,
      fakeParts,
    );
    expect(loaded).toEqual(['js', 'ts', 'late']);
    expect(diagnostics).toMatchObject([{ code: 'unknown-language', line: 1 }]);
  });

  it('puts the lead before the body in HTML, table of contents, Markdown, and sections', async () => {
    const section = { anchor: 'op', headings: ['Op'], markdown: 'lead', text: 'lead', code: '' };
    const { content, sections } = await compileText(
      '---\ntitle: T\ndescription: D\n---\n\n## Body',
      {},
      (page) => {
        page.addTocEntry(2, page.uniqueId('Body'), 'Body');
        page.need('docent-play');
        page.addAside(html`<i>aside</i>`);
        return {
          html: html`<p>lead ${page.markdown('a **b** <script>x</script><b onclick="x">c</b>')}</p>`,
          markdown: 'lead md',
          sections: [section],
        };
      },
    );
    expect(content.html).toMatch(
      /^<p>lead <p>a <strong>b<\/strong> <b>c<\/b><\/p><\/p><h2 id="body-2">/,
    );
    expect(content.toc.map(({ id }) => id)).toEqual(['body', 'body-2']);
    expect(content.markdown).toBe('# T\n\n> D\n\nlead md\n\n## Body\n');
    expect(content.aside).toBe('<i>aside</i>');
    expect(content.elements).toEqual(['docent-play']);
    expect(sections.map(({ anchor }) => anchor)).toEqual(['op', 'body-2']);
  });

  it('returns a page even when our own code fails', async () => {
    const { content, diagnostics, failed } = await compileText('text', {}, () => {
      throw new Error('lead broke');
    });
    expect(content.html).toContain('This page could not be shown');
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'page-failed' }]);
    expect(failed).toBe(true);
  });

  it('returns the same result for the same input', async () => {
    const text = '## A\n\n<Card title="x">[a](/b)</Card>\n\n{[1,2].map((n) => <b key={n}>{n}</b>)}';
    expect(JSON.stringify(await compileText(text))).toBe(JSON.stringify(await compileText(text)));
  });
});

describe('CSS in a page', () => {
  it('refers to files of the site by marked addresses and never loads a missing file', async () => {
    const page = `<div style={{ backgroundImage: "url('/img/a.png')", maskImage: 'url(/img/gone.png), url(https://example.com/x.png)' }}>x</div>

<style>{\`.x { background: url(/img/a.png) } .y { content: "/img/a.png" }\`}</style>`;
    const { content, assets, diagnostics } = await compileText(page, {
      files: { 'img/a.png': 'x' },
    });
    expect(content.html).toContain(`background-image: url(&quot;${mark('A', '/img/a.png')}&quot;)`);
    expect(content.html).toContain(
      'mask-image: linear-gradient(#0000, #0000), url(https://example.com/x.png)',
    );
    expect(content.html).toContain(
      `.x { background: url("${mark('A', '/img/a.png')}") } .y { content: "/img/a.png" }`,
    );
    expect(assets).toEqual(['/img/a.png']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['missing-file']);
  });
});

it('a frame shows a page of the site', async () => {
  const text =
    '<iframe title="t" src="/guides/other#part" /> <iframe title="t" src="./other" /> <iframe title="t" src="/none" />';
  const { content, diagnostics } = await compileText(text, {
    pages: { '/guides/other': '/guides/other' },
  });
  expect(
    resolveMarks(content.html, (kind, target) => `${kind} ${target}`).match(/<iframe src="[^"]*"/g),
  ).toEqual(['<iframe src="page /guides/other#part"', '<iframe src="page /guides/other"']);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'missing-file There is no file "/none".',
  ]);
});

it('a framed or linked file of a type that sites do not serve is reported with an alternative', async () => {
  const files = { 'demo/a.html': 'x', 'run.py': 'x', 'table.xlsx': 'x' };
  const { content, diagnostics } = await compileText(
    '<iframe title="t" src="/demo/a.html" />\n\n[script](/run.py) [table](/table.xlsx)',
    { files },
  );
  expect(content.html).not.toContain('<iframe');
  expect(
    diagnostics.map(({ code, line, message, remedy }) => [code, line, `${message} ${remedy}`]),
  ).toEqual([
    [
      'unserved-file',
      1,
      expect.stringMatching(/^The file "demo\/a\.html" is not published: HTML .* https URL\.$/),
    ],
    [
      'unserved-file',
      3,
      expect.stringMatching(/^The file "run\.py" is not published, as .* \.zip archive\.$/),
    ],
  ]);
});

it('a heading can set its id in brackets or braces, which are not part of its text', async () => {
  const { content, diagnostics } = await compileText(
    '## The `x` start [#start]\n\n## Next {#next}\n\n## A [link](#start) [#]\n\n[a](#start) [b](#next)',
  );
  expect(content.toc.map(({ id, text }) => `${id} ${text}`).slice(0, 2)).toEqual([
    'start The x start',
    'next Next',
  ]);
  expect(content.toc.at(-1)?.text).toBe('A link [#]');
  expect(diagnostics).toEqual([]);
});

it('form fields have the initial state that their author sets', async () => {
  const { content } = await compileText(
    '<input type="radio" defaultChecked={1 > 0} /> <input defaultValue="a" /> <input type="radio" defaultChecked={false} />',
  );
  expect(content.html.match(/<input[^>]*>/g)).toEqual([
    '<input type="radio" checked>',
    '<input value="a">',
    '<input type="radio">',
  ]);
  const list =
    '<select defaultValue="b"><option>a</option><optgroup label="x"><option value="b">B</option></optgroup></select>';
  const others = await compileText(`<textarea defaultValue={'x < ' + 1} /> ${list}`);
  expect(others.content.html).toContain('<textarea>x &lt; 1</textarea>');
  expect(others.content.html).toContain(
    '<select><option>a</option><optgroup label="x"><option value="b" selected>B</option>',
  );
});

describe('nested links', () => {
  it('are reduced to the outer link, but links in a card remain', async () => {
    const { content } = await compileText(
      '<a href="https://a.com">see <a href="https://b.com">b</a></a>\n\n<Card href="https://c.com">[in](https://d.com)</Card>',
    );
    expect(content.html).toContain('<a href="https://a.com">see <span>b</span></a>');
    expect(content.html).toContain('<a href="https://d.com">in</a>');
    expect(
      (await compileText('<Link href="https://c.com">[in](https://d.com)</Link>')).content.html,
    ).not.toContain('d.com');
  });
});

it('adjacent inline tags are separated by whitespace, and blocks are not', async () => {
  const { content } = await compileText(
    '<b>1</b> <i>2</i> {3}\n\n<b>4</b>\n<b>5</b>\n\n<b>6</b>\n\n| a |\n| - |\n| b |',
  );
  expect(content.html).toContain(
    '<b>1</b>\n<i>2</i>\n3\n<b>4</b>\n<b>5</b>\n<b>6</b><div class="d-wide">',
  );
});
