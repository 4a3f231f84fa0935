import { expect, it } from 'vitest';
import { compileText } from '../../../../../test/support/fake-site.ts';
import { parseSource } from '../mdx/parse-source.ts';
import { nodesIn } from './source-node.ts';

const htmlOf = async (text: string, file?: string) => {
  const { content, diagnostics } = await compileText(text, {}, undefined, file);
  expect(diagnostics).toEqual([]);
  return content.html;
};

it.each([
  ['**「強調」**文字', '<strong>「強調」</strong>文字'],
  ['**强调。**后面**（注意）**后', '<strong>强调。</strong>后面<strong>（注意）</strong>后'],
  [
    '**「A」**と**B**です。**（C）**',
    '<strong>「A」</strong>と<strong>B</strong>です。<strong>（C）</strong>',
  ],
  [
    '한국어**(영어)**입니다. **"인용"**은 **중요!**입니다',
    '한국어<strong>(영어)</strong>입니다. <strong>&quot;인용&quot;</strong>은 <strong>중요!</strong>입니다',
  ],
  [
    '使用**`code`**和**[链接](https://e.com/**「x」**文)**吧',
    '使用<strong><code>code</code></strong>和<strong><a href="https://e.com/**%E3%80%8Cx%E3%80%8D**%E6%96%87"',
  ],
  [
    '*「x」*字 ***「y」***字 ~~「z」~~字',
    '<em>「x」</em>字 <em><strong>「y」</strong></em>字 <del>「z」</del>字',
  ],
  ['字**"x"**字', '字<strong>&quot;x&quot;</strong>字'],
])(
  'emphasis in languages without spaces begins and ends beside signs: %s',
  async (text, expected) => {
    for (const file of ['a.mdx', 'a.md']) expect(await htmlOf(text, file)).toContain(expected);
  },
);

it.each([
  ['`**「x」**文` a', '<code>**「x」**文</code>'],
  ['2 * 3（注）* 4', '2 * 3（注）* 4'],
  ['\\**「x」**文', '**「x」**文'],
  ['a**"b"**c', 'a**&quot;b&quot;**c'],
  ['{`**「x」**文`}', '**「x」**文'],
  ['```text\n**「x」**文\n```', '**「x」**文'],
])('other asterisks stay as they are: %s', async (text, expected) => {
  expect(await htmlOf(text)).toContain(expected);
});

it('positions refer to the text as it is', () => {
  const source = '**「強調」**文字 **「二」**字 <B>x</B>\n\n前**（注）**後 <C>y</C>\n';
  const { root, text } = parseSource(source, {
    math: true,
    isMarkdown: false,
    isComponent: () => true,
  });
  expect(text).toBe(source);
  const tags = nodesIn(root)
    .filter(({ name }) => name)
    .map(({ position }) => position?.start);
  expect(tags.map((start) => source.slice(start?.offset).slice(0, 3))).toEqual(['<B>', '<C>']);
  expect(tags).toMatchObject([
    { line: 1, column: source.indexOf('<B>') + 1 },
    { line: 3, column: '前**（注）**後 '.length + 1 },
  ]);
});
