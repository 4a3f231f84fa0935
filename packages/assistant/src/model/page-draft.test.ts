import { splitFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { parseSource } from '@docent/format/content/mdx/parse-source.ts';
import { nodesIn } from '@docent/format/content/nodes/source-node.ts';
import { expect, it } from 'vitest';
import { pageDraft } from './page-draft.ts';

const passages = ['Keys are rotated with `acme rotate`. An old key works for 12 hours.'];
const draft = (written: string) =>
  pageDraft(written, {
    question: 'How do I rotate a key?',
    passages,
    resolveLink: (address) => (address === 'https://docs.test/keys' ? '/keys' : undefined),
  });
const bodyOf = (written: string) =>
  (draft(written)?.content ?? '').split('</Warning>\n\n')[1] as string;
const isMarked = (sentence: string) =>
  bodyOf(sentence).startsWith(`${sentence} **Question to the author:**`);

it('a draft is hidden, has the title that the model wrote, and says that it is a draft', () => {
  const page = draft('```mdx\n# Rotate `keys`\n\nKeys are rotated with `acme rotate`.\n```');
  expect(page).toMatchObject({
    title: 'Rotate keys',
    fileName: 'rotate-keys.mdx',
    authorQuestions: 0,
  });
  expect(page?.content).toMatch(
    /^---\ntitle: "Rotate keys"\nhidden: true\nnoindex: true\n---\n\n<Warning>/,
  );
  expect(draft('Keys are rotated.')?.title).toBe('How do I rotate a key?');
  expect(draft('\n```md\n\n```\n')).toBeUndefined();
});

it('every sentence, list item and example that no section supports is followed by a question to the author', () => {
  expect(bodyOf('Keys are rotated with `acme rotate`. An old key works\nfor 12 hours.')).toBe(
    'Keys are rotated with `acme rotate`. An old key works for 12 hours.\n',
  );
  expect(isMarked('An old key works for 30 hours.')).toBe(true);
  expect(isMarked('Webhooks retry deliveries automatically.')).toBe(true);
  expect(bodyOf('- Webhooks retry deliveries.\n- Keys are rotated.')).toMatch(
    /^- Webhooks retry deliveries\. \*\*Question to the author:.*\n- Keys are rotated\.\n$/,
  );
  const code = (line: string) => `Run this:\n\n\`\`\`bash\n${line}\n\`\`\``;
  expect(bodyOf(code('acme rotate'))).toBe(`${code('acme rotate')}\n`);
  expect(bodyOf(code('acme destroy'))).toContain('```\n\n**Question to the author:**');
  expect(bodyOf('~~~\nacme destroy')).toContain('```\n\n**Question to the author:**');
  const asking = draft('Question to the author: how long does it take?');
  expect(asking?.authorQuestions).toBe(1);
});

it.each([
  'import x from "y"\n\nText',
  'export const a = 1;\n\nText',
  '> import x from "y"',
  'A {process.env.SECRET} and \\{b} and \\\\{c}',
  '<script>alert(1)</script>',
  '<Foo bar={a}>\n\n{`b`}\n\n</Foo>',
  'An `a{b}` and ``x ` {y}`` and `unclosed {z}',
  '    indented {code}',
  '- item\n\n      {deep}\n\n\t{tab}',
  '```js\nconst a = {b};',
  '~~~\n{a}\n```\n{b}\n~~~\n{c}',
  '---\ntitle: Own\nhidden: false\n---\n\nText {a}',
  '| a | b |\n| - | - |\n| {c} | <d> |',
  'Text\n===\n\n<!-- {a} --> &lbrace;b}',
])(
  'what a model writes has no HTML, expressions and modules, for the parser of pages: %j',
  (written) => {
    const content = draft(written)?.content ?? '';
    const { yaml, body } = splitFrontmatter(content);
    expect(yaml).toContain('hidden: true');
    const text = body.split('</Warning>')[1] as string;
    const options = { math: false, isMarkdown: false, isComponent: () => false };
    const { root, problems } = parseSource(text, options);
    expect(problems).toEqual([]);
    expect(
      nodesIn(root)
        .map(({ type }) => type)
        .filter((type) => /^mdx|raw/.test(type)),
    ).toEqual([]);
  },
);

it('a draft links pages of the site only; other addresses are code', () => {
  const text = bodyOf(
    'See [Keys](https://docs.test/keys), [there](https://evil.test/a), ![](https://evil.test/b.png), [x](javascript:alert(1)), https://evil.test/c and [ref][1].\n\n[1]: https://evil.test/d',
  );
  const options = { math: false, isMarkdown: false, isComponent: () => false };
  const nodes = nodesIn(parseSource(text, options).root);
  expect(nodes.flatMap(({ properties }) => properties?.href ?? properties?.src ?? [])).toEqual([
    '/keys',
  ]);
});
