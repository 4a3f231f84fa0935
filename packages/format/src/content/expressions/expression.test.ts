// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of pages are what is tested.
import { describe, expect, it } from 'vitest';
import { compileText } from '../../../../../test/support/fake-site.ts';

/** The markup that an expression renders in a paragraph. */
async function shown(expression: string, before = ''): Promise<string> {
  const { content } = await compileText(`${before}\n\nx{${expression}}x\n`);
  return content.html.replace(/^<p>x|x<\/p>$/g, '');
}

describe('code that would take the bundler gigabytes', () => {
  const flat = `[${'n,'.repeat(20_000)}n].length`;
  it.each([
    ['a list of expressions', `(${'a,'.repeat(20_000)}a)`],
    ['a sum', `${'a+'.repeat(20_000)}a`],
    ['a chain of conditions', `${'a?b:'.repeat(20_000)}c`],
    ['a chain of members', `a${'.b'.repeat(20_000)}`],
    ['a chain of calls', `a${'()'.repeat(20_000)}`],
    ['statements', `(() => { ${'a();'.repeat(20_000)} })()`],
  ])('is refused with its place: %s', async (_, code) => {
    const inPage = await compileText(`a\n\nx {${code}}`);
    expect(inPage.diagnostics).toMatchObject([{ severity: 'error', line: 3 }]);
    expect(inPage.diagnostics[0]?.code).toMatch(/page-too-complex|expression-limit/);
    const inExport = await compileText(`a\n\nexport const n = 1,\n  m = ${code}\n\nb`);
    expect(inExport.diagnostics).toMatchObject([{ severity: 'error', code: 'page-too-complex' }]);
    expect(inExport.diagnostics[0]?.message).toContain('more than 5,000');
    const inSnippet = await compileText("import { m } from '/m.jsx'\n\n{m}", {
      files: { 'm.jsx': `\n\nexport const m = ${code}` },
    });
    const ofSnippet = { severity: 'error', code: 'page-too-complex', file: 'm.jsx' };
    expect(inSnippet.diagnostics).toContainEqual(expect.objectContaining(ofSnippet));
  });

  it('is not a long list of data', async () => {
    const { content } = await compileText(`export const n = 1\n\n{${flat}}`);
    expect(content.html).toContain('20001');
  });
});

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['"a" + 1', 'a1'],
    ['`n ${1 + 1}`', 'n 2'],
    ['[1, 2, 3].map(n => n * 2).join("-")', '2-4-6'],
    ['["b","a"].sort().concat(["c"]).includes("c") ? "yes" : "no"', 'yes'],
    ['Object.entries({a: 1, b: 2}).map(([k, v]) => `${k}=${v}`).join()', 'a=1,b=2'],
    ['[{n: "x", d: 1}].map(({n, ...rest}) => n + rest.d)', 'x1'],
    ['null?.a.b.c', ''],
    ['undefined ?? "default"', 'default'],
    ['"Hello World".replace(/o/g, "0").toUpperCase()', 'HELL0 W0RLD'],
    ['"a_b".replace(/_(\\w)/, (all, c) => c.toUpperCase())', 'aB'],
    ['Math.max(1, 5, 3).toFixed(1)', '5.0'],
    ["['Gamma', 'alpha', 'Beta'].sort((a, b) => a.localeCompare(b))", 'alphaBetaGamma'],
    [
      "['item10', 'item9'].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))",
      'item9item10',
    ],
    [
      '(() => { const a = { x: 1 }; Object.assign(a, { y: [2] }, null); return a.x + a.y[0] })()',
      '3',
    ],
    ["Object.keys({ 10: 'c', b: 1, 2: 'a' }).join()", '2,10,b'],
    ["JSON.stringify([1], null, '--').replaceAll('\\n', '/')", '[/--1/]'],
    ['Number.MAX_SAFE_INTEGER + String(undefined) + isFinite(1)', '9007199254740991undefinedtrue'],
    ['JSON.stringify({a: [1, "x"]})', '{&quot;a&quot;:[1,&quot;x&quot;]}'],
    ['((n) => { if (n > 2) { return "big"; } const m = n * 2; return m; })(1)', '2'],
    [
      '(() => { let t = 0; for (const n of [1,2,3]) { if (n === 2) continue; t += n; } return t; })()',
      '4',
    ],
    ['(() => { let s = ""; for (let i = 0; i < 3; i++) s += i; return s; })()', '012'],
    ['[..."ab", ...[1]].length', '3'],
    ['typeof window === "undefined" ? "server" : "browser"', 'server'],
    ['(1234567.891).toLocaleString()', '1,234,567.891'],
    ["(1234.5).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })", '1.234,50\u00a0€'],
    ["(0.256).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })", '25.6%'],
    ['true && false', ''],
    ['/* a comment */', ''],
    ['[<b key="1">x</b>, [" y", 2]]', '<b>x</b> y2'],
  ])('{%s} shows %s', async (source, result) => expect(await shown(source)).toBe(result));

  it('with an unknown name is shown as written, with a warning', async () => {
    const { content, diagnostics, failed } = await compileText('GET /users/{id}/posts');
    expect(content.html).toBe('<p>GET /users/{id}/posts</p>');
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-variable', line: 1 }]);
    expect(failed).toBe(false);
  });

  it('supports sized arrays, shifts, and logical assignment', async () => {
    const page =
      'x {Array(2).fill("a").join()} {new Array(3).fill(0).length} {7 >> 1} {[1, 2, 3].findLast((n) => n < 3)} {((a, b) => { a ??= 5; b ||= 6; return a + b; })(undefined, 1)}';
    expect((await compileText(page)).content.html).toBe('<p>x a,a 3 3 2 6</p>');
  });

  it('can name a tag by a variable, but never an unsafe tag', async () => {
    const page =
      'export const Box = ({ as: Tag = "b", children }) => <Tag>{children}</Tag>;\n\nx <Box>a</Box> <Box as="i">b</Box>';
    expect((await compileText(page)).content.html).toBe('<p>x <b>a</b> <i>b</i></p>');
    const { html } = (await compileText('export const Tag = "script";\n\nx <Tag>alert(1)</Tag>'))
      .content;
    expect(html).not.toContain('<script');
  });

  it('that fails is shown as written, with a warning', async () => {
    const { content, diagnostics, failed } = await compileText('a {null.x} b\n\nc');
    expect(content.html).toBe('<p>a {null.x} b</p><p>c</p>');
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'expression-failed', line: 1 },
    ]);
    expect(failed).toBe(false);
  });

  it('can use exported constants and functions in any order', async () => {
    const page =
      'export const total = price * 2;\nexport const price = 21;\nexport function twice(n) { return n * 2; }\nexport const { a, b: [c] } = { a: 1, b: [2] };\n\nx {total} {twice(4)} {a} {c}\n';
    expect((await compileText(page)).content.html).toBe('<p>x 42 8 1 2</p>');
  });

  it('keeps the lines of a template literal, also in a prop', async () => {
    const page =
      'export const Box = ({ value }) => <pre>{value}</pre>;\n\n<Box value={`a\nb`} />\n\n<pre>\n{`one\n    two`}\n</pre>';
    expect((await compileText(page)).content.html).toBe('<pre>a\nb</pre>\n<pre>one\n    two</pre>');
  });

  it('keeps the indentation within a template literal after a tag or a list marker on its line', async () => {
    expect((await compileText('<pre>{`a\n  b\n    c`}</pre>')).content.html).toBe(
      '<pre>a\n  b\n    c</pre>',
    );
    const inList = await compileText('- <pre>{`a\n    b\n  c`}</pre>');
    expect(inList.content.html).toContain('<pre>a\n  b\nc</pre>');
  });
});

describe('components of a page', () => {
  it('render with props, children, defaults, and spreads', async () => {
    const page = [
      'export const Hero = ({ title, size = "m", children, ...rest }) => (',
      '  <a className={`hero ${size}`} {...rest} style={{ fontSize: 12, "--x": 1, WebkitLineClamp: 2 }}>',
      '    <b>{title}</b> {children}',
      '  </a>',
      ');',
      '',
      '<Hero title="T" href="https://e.com">**inside**</Hero>',
    ].join('\n');
    const { content, diagnostics } = await compileText(page);
    expect(content.html).toContain(
      '<a class="hero m" href="https://e.com" style="font-size: 12px; --x: 1; -webkit-line-clamp: 2"><b>T</b> <strong>inside</strong></a>',
    );
    expect(diagnostics).toEqual([]);
  });

  it('that need a browser become placeholders and do not fail the page', async () => {
    const page =
      'export const Counter = () => {\n  const [n, setN] = useState(0);\n  return <button onClick={() => setN(n + 1)}>{n}</button>;\n};\n\n<Counter>kept</Counter>\n';
    const { content, diagnostics, failed } = await compileText(page);
    expect(content.html).toContain(
      '<div class="d-placeholder" data-component="Counter">Interactive component: Counter</div>',
    );
    expect(content.html).toContain('kept');
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'needs-browser', line: 6 }]);
    expect(failed).toBe(false);
  });

  it('lose their event handlers with a warning', async () => {
    const { content, diagnostics } = await compileText(
      '<button onClick={() => alert(1)}>x</button>',
    );
    expect(content.html).toBe('<button>x</button>');
    expect(diagnostics).toMatchObject([{ code: 'needs-browser' }]);
  });

  it('take precedence over built-in components of the same name', async () => {
    expect(
      (await compileText('export const Note = () => <i>mine</i>;\n\n<Note />')).content.html,
    ).toBe('<i>mine</i>');
  });
});
