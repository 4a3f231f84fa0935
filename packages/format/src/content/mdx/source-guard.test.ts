import { expect, it } from 'vitest';
import { compileText } from '../../../../../test/support/fake-site.ts';

const drawing = `M${Array.from({ length: 200 }, (_, n) => `${n}-1.5c-1-2-3-4`).join('')}`;
const card = (n: number): string =>
  `  <Card\n    title="Card ${n}"\n    icon={<svg aria-label="a &amp; b"><path d="${drawing}" /></svg>}\n  >\n    Text {1 + ${n}}\n  </Card>\n`;

it('a page with hundreds of large drawings in one grid is complete and has correct lines', async () => {
  const text = `## Title\n\n<CardGroup cols={3}>\n${Array.from({ length: 150 }, (_, n) => card(n)).join('')}</CardGroup>\n\n<Nope a="b" />\n`;
  const { content, diagnostics, failed } = await compileText(text);
  expect(content.html.match(/data-title="Card/g)).toHaveLength(150);
  expect(content.html).toContain('Text 150');
  expect(diagnostics).toMatchObject([
    { code: 'unknown-component', line: text.split('\n').length - 1 },
  ]);
  expect(failed).toBe(false);
});

it('content that the parser sets aside is restored unchanged in properties, text, and code', async () => {
  const long = `<b>&amp;</b> ${'(-1) '.repeat(1500)}`;
  const text = `<Props text="${long.replaceAll('<', '&lt;')}" list={["${'[-2] '.repeat(30)}", {a: ${'- '.repeat(42)}1}]} />\n\n\`d="${'(-3) '.repeat(20)}"\`\n`;
  const { content } = await compileText(text);
  expect(content.html).toContain('&lt;b&gt;&amp;&lt;/b&gt; (-1) (-1)');
  expect(content.html).toContain('[-2] [-2] ');
  expect(content.html).toContain(`<code>d=&quot;${'(-3) '.repeat(20)}&quot;</code>`);
  expect(content.html).not.toMatch(/[\ue0f0\ue0f1]/);
});

it('long flat markup in one block is shown', async () => {
  const { content, failed } = await compileText(
    `{1}\n\n<div>${'<i class="a-b">x</i>'.repeat(1200)}</div>\n\nend`,
  );
  expect(content.html.match(/<i class="a-b">/g)).toHaveLength(1200);
  expect(failed).toBe(false);
});

const code = (lines: number): string =>
  `\`\`\`json Title {1}\n${Array.from({ length: lines }, (_, n) => `  {"a": [(${n}), {"b<c>": [1, \`x\`]}], "$ref": "#/d"},`).join('\n')}\n\`\`\``;

it('a large number of brackets in code affects neither the page nor its components', async () => {
  const brackets = '[{('.repeat(40_000);
  const text = `# T\n\n<Tabs>\n<Tab title="One">\n\n${code(3000)}\n\n- item\n\n  ${'```js'}\n  ${brackets}\n  ${'```'}\n\n</Tab>\n<Tab title="Two {x}">\n\n[link](https://e.com) \`{[(\` {1 + 1}\n\n</Tab>\n</Tabs>\n\n<Nope />\n`;
  const { content, diagnostics, failed } = await compileText(text);
  expect(content.html.match(/data-name="Tab"/g)).toHaveLength(2);
  expect(content.html).toContain('data-title="Two {x}"');
  expect(content.html).toContain(brackets);
  expect(content.html).toContain(
    '{&quot;a&quot;: [(2999), {&quot;b&lt;c&gt;&quot;: [1, `x`]}], &quot;$ref&quot;: &quot;#/d&quot;},',
  );
  expect(content.html).toContain('<a href="https://e.com">link</a> <code>{[(</code> 2');
  expect(diagnostics).toMatchObject([
    { code: 'unknown-component', line: text.split('\n').length - 1 },
  ]);
  expect(failed).toBe(false);
});

it('content in a component renders the same on a small page and on a large page', async () => {
  const piece = `export const a = {\n\n  b: [1, (2)] };\n\n## Title {#own}\n\nText *a* \`b {c}\` {a.b[1]} {/* no { */}\\{x} <b className="x {y}" title={'}'}>z</b>\n\n| a | b |\n|---|---|\n| [x](https://e.com) | {"}"} |\n\n<Props {...{ q: [1] }} list={[\n  "<a>",\n  {b: 1}]} />\n\n> quote\n> ${'```'}\n> {[\n> ${'```'}\n\n{\`a\n  b\`}\n\n`;
  const small = await compileText(`<Card title="T">\n\n${piece}</Card>\n`);
  const large = await compileText(
    `<Card title="T">\n\n${piece}</Card>\n\n<Card>\n\n${code(1000)}\n\n</Card>\n`,
  );
  expect(large.content.html.slice(0, small.content.html.length)).toBe(small.content.html);
  expect(small.diagnostics).toEqual([]);
  expect(large.diagnostics).toEqual([]);
});

it('a large page with errors keeps all its words and reports each error with its line', async () => {
  const text = `${code(1000)}\n\none <5 {not valid +} two\n\n<Card title={1 +}>three</Card>\n\n<!-- no {[ -->\n\nimport your data\n\nexport const x: string = {\n\n};\n\nfour </Card>\n`;
  const { content, diagnostics } = await compileText(text);
  const plain = content.html.replace(/<[^>]*>/g, '');
  for (const words of ['one &lt;5 {not valid +} two', 'three', 'import your data', 'four'])
    expect(plain).toContain(words);
  expect(diagnostics.map(({ code: name, line }) => `${name} ${(line ?? 0) - 1002}`).sort()).toEqual(
    [
      'mdx-syntax 2',
      'mdx-syntax 2',
      'mdx-syntax 4',
      'mdx-syntax 6',
      'mdx-syntax 10',
      'mdx-syntax 14',
    ].sort(),
  );
});

it('a page that cannot be repaired to MDX is shown as plain Markdown beside the error', async () => {
  const text = Array.from(
    { length: 100 },
    (_, n) => `<Card ${n}="a" <b>\n[text ${n}](https://e.com/${n}) {x\n`,
  ).join('\n\n');
  const { content, failed } = await compileText(text);
  expect(content.html).toContain('shown as plain Markdown');
  for (const n of [0, 50, 99])
    expect(content.html).toContain(`<a href="https://e.com/${n}">text ${n}</a>`);
  expect(failed).toBe(true);
});

it('an endlessly nested list keeps its words', async () => {
  const { content, failed } = await compileText(
    Array.from({ length: 150 }, (_, n) => `${'  '.repeat(n)}- word${n}`).join('\n'),
  );
  for (const n of [0, 70, 149]) expect(content.html).toContain(`word${n}`);
  expect(failed).toBe(false);
});

it('a snippet that cannot be repaired to MDX still exports its values', async () => {
  const broken = Array.from({ length: 100 }, (_, n) => `<Card ${n}="a" <b>\nwords ${n} {x\n`).join(
    '\n\n',
  );
  const files = { 'snippets/s.mdx': `export const y = 1;\n\n${broken}` };
  const page = 'import S, { y } from "/snippets/s.mdx"\n\n<S />\n\n```js\nown()\n```\n\nis {y + 1}';
  const { content, diagnostics } = await compileText(page, { files });
  for (const words of ['words 99', 'own()', 'is 2']) expect(content.html).toContain(words);
  expect(diagnostics.filter(({ code: name }) => name !== 'mdx-syntax')).toEqual([]);
});

it('links between HTML tags of a Markdown file are links, and JSX attributes are attributes', async () => {
  const text =
    '<div className="box">\n[text](/b)\n</div>\n\n<p align="center">\n<img src="https://e.com/a.png"> [more](https://e.com)\n</p>\n';
  const { content, diagnostics } = await compileText(
    text,
    { pages: { '/b': '/b' } },
    undefined,
    'a.md',
  );
  expect(content.html).toMatch(/<div class="box">.*<a [^>]*>text<\/a>/s);
  expect(content.html).toContain('<a href="https://e.com">more</a>');
  expect(diagnostics).toEqual([]);
});
