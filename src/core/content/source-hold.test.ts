import { expect, it } from 'vitest';
import { compileText } from './fake-site.ts';

const drawing = `M${Array.from({ length: 200 }, (_, n) => `${n}-1.5c-1-2-3-4`).join('')}`;
const card = (n: number): string =>
  `  <Card\n    title="Card ${n}"\n    icon={<svg aria-label="a &amp; b"><path d="${drawing}" /></svg>}\n  >\n    Text {1 + ${n}}\n  </Card>\n`;

it('a page of hundreds of large drawings in one grid is shown whole, at the right lines', async () => {
  const text = `## Title\n\n<CardGroup cols={3}>\n${Array.from({ length: 150 }, (_, n) => card(n)).join('')}</CardGroup>\n\n<Nope a="b" />\n`;
  const { content, diagnostics, failed } = await compileText(text);
  expect(content.html.match(/data-title="Card/g)).toHaveLength(150);
  expect(content.html).toContain('Text 150');
  expect(diagnostics).toMatchObject([{ code: 'unknown-component', line: text.split('\n').length - 1 }]);
  expect(failed).toBe(false);
});

it('what was taken out of a page comes back as it was written, in properties, text and code', async () => {
  const long = `<b>&amp;</b> ${'(-1) '.repeat(1500)}`;
  const text = `<Props text="${long.replaceAll('<', '&lt;')}" list={["${'[-2] '.repeat(30)}", {a: ${'- '.repeat(42)}1}]} />\n\n\`d="${'(-3) '.repeat(20)}"\`\n`;
  const { content } = await compileText(text);
  expect(content.html).toContain('&lt;b&gt;&amp;&lt;/b&gt; (-1) (-1)');
  expect(content.html).toContain('[-2] [-2] ');
  expect(content.html).toContain(`<code>d=&quot;${'(-3) '.repeat(20)}&quot;</code>`);
  expect(content.html).not.toMatch(/[\ue0f0\ue0f1]/);
});

it('long flat markup of one block is shown, not refused', async () => {
  const { content, failed } = await compileText(`{1}\n\n<div>${'<i class="a-b">x</i>'.repeat(1200)}</div>\n\nend`);
  expect(content.html.match(/<i class="a-b">/g)).toHaveLength(1200);
  expect(failed).toBe(false);
});
