import { describe, expect, it } from 'vitest';
import { compileText } from '../../../../../test/support/fake-site.ts';

const markdown = async (text: string, site = {}) =>
  (await compileText(text, site)).content.markdown.replace(/^# Untitled\n\n|\n$/g, '');

describe('the Markdown of a page', () => {
  it('preserves Markdown constructs unchanged', async () => {
    const text =
      'A **b** *c* ~~d~~ `e` [f](https://e.com) ![g](https://e.com/a.png)\n\n- one\n- two\n  - three\n\n1. x\n\n   y\n\n> quote\n\n---\n\n```js title.js\nf()\n```\n\n| a | b |\n| --- | --- |\n| 1 \\| 2 | `x` |\n\n$$\nE\n$$';
    expect(await markdown(text)).toBe(text);
  });

  it('keeps all of a list or table, even if its parts are components or misplaced in HTML', async () => {
    const parts = [
      'export const Item = ({ children }) => <li>{children}</li>',
      'export const Row = ({ name }) => <tr><Cell>{name}</Cell><td>2</td></tr>',
      'export const Cell = ({ children }) => <td>{children}</td>',
    ].join('\n');
    const list =
      '<ul>\n<li>one</li>\n<Item>two</Item>\n<div><li>three</li></div>\n<ul><li>inner</li></ul>\n<b>four</b>\n</ul>';
    expect(await markdown(`${parts}\n\n${list}`)).toBe(
      '- one\n- two\n- three\n  - inner\n- **four**',
    );
    const table =
      '<table><caption>Sizes</caption><tbody><tr><th>A</th><th>B</th></tr><Row name="x" /></tbody></table>';
    expect(await markdown(`${parts}\n\n${table}`)).toBe(
      'Sizes\n\n| A | B |\n| --- | --- |\n| x | 2 |',
    );
    const note = '<ul><li>one</li><Note>Mind</Note></ul>';
    expect(await markdown(note)).toBe('- one\n- > **Note:** Mind');
  });

  it('never doubles the emphasis of a summary or the link of a type', async () => {
    const text = '<details>\n<summary>**All** of `it`</summary>\n\nInside\n\n</details>';
    expect(await markdown(text)).toBe('**All of `it`**\n\nInside');
    const field = '<ResponseField name="owner" type={<a href="https://e.com/user">User</a>} />';
    expect(await markdown(field)).toBe('- `owner` ([User](https://e.com/user))');
  });

  it('keeps footnotes as definitions, so that the references in the text lead somewhere', async () => {
    const page = 'One[^b] and two[^a].\n\n[^a]: the **note**\n\n    more of it\n[^b]: other';
    expect(await markdown(page)).toBe(
      'One[^1] and two[^2].\n\n[^1]: other\n[^2]: the **note**\n\n    more of it',
    );
  });

  it('keeps adjacent buttons apart, and the language and title of code that is HTML', async () => {
    expect(await markdown('<p><button>all (2)</button><button>cheap (1)</button></p>')).toBe(
      'all (2) cheap (1)',
    );
    const one = '<pre data-language="js" data-title="a.js"><code>x()</code></pre>';
    const two = '<pre><code className="language-py">y()</code></pre>';
    expect(await markdown(`<CodeGroup>\n${one}\n${two}\n</CodeGroup>`)).toBe(
      '```js a.js\nx()\n```\n\n```py\ny()\n```',
    );
  });

  it('replaces components with equivalent Markdown', async () => {
    const page = [
      '<Note>Mind **this**</Note>',
      '<CardGroup>\n<Card title="One" href="/start">First</Card>\n<Card title="Two">Second</Card>\n</CardGroup>',
      '<Steps>\n<Step title="Install">\nRun:\n\n```bash\nx\n```\n</Step>\n<Step title="Go">Now</Step>\n</Steps>',
      '<Tabs>\n<Tab title="npm">a</Tab>\n</Tabs>',
      '<Accordion title="Why">Because</Accordion>',
      '<ParamField path="id" type="string" required>The id</ParamField>\n\n<ResponseField name="n" type="number" default={3} />',
      '<Visibility for="humans">web</Visibility>\n\n<Visibility for="agents">machines</Visibility>',
      '<Nope>kept</Nope>',
      '<Frame caption="Seen"><img src="/a.png" alt="A" /></Frame>',
      '<Tree>\n<Tree.File name="a.ts" />\n</Tree>',
    ].join('\n\n');
    expect(await markdown(page, { pages: { '/start': '/start' } })).toBe(
      [
        '> **Note:** Mind **this**',
        '- [One](/start): First\n- **Two**: Second',
        '1. **Install**',
        '   Run:',
        '   ```bash\n   x\n   ```',
        '2. **Go**',
        '   Now',
        '**npm**',
        'a',
        '**Why**',
        'Because',
        '- `id` (string, path, required): The id\n- `n` (number, default: `3`)',
        'machines',
        'kept',
        '![A](/a.png)',
        '*Seen*',
        '- a.ts',
      ].join('\n\n'),
    );
  });

  it('escapes text that would become markup', async () => {
    expect(await markdown('a \\*b\\* \\<i> snake_case \\_x\\_ \\`c\\`')).toBe(
      'a \\*b\\* \\<i> snake_case \\_x\\_ \\`c\\`',
    );
  });
});

describe('sections', () => {
  it('are split at headings, also inside components, and have headings, text, and code', async () => {
    const page =
      'Intro\n\n## A\n\nText **bold**\n\n```js\ncode()\n```\n\n<Tabs>\n<Tab title="T">\n\n### B\n\nin tab\n</Tab>\n</Tabs>\n\n##### E\n\nsmall\n\n## C\n\n<Accordion title="Q">answer</Accordion>\n\n<Update label="v1">\n- news\n</Update>';
    const { sections, content } = await compileText(page);
    expect(sections).toEqual([
      { anchor: '', headings: [], markdown: 'Intro', text: 'Intro', code: '' },
      {
        anchor: 'a',
        headings: ['A'],
        markdown: 'Text **bold**\n\n```js\ncode()\n```\n\n**T**',
        text: 'Text bold T',
        code: 'code()',
      },
      {
        anchor: 'b',
        headings: ['A', 'B'],
        markdown: 'in tab\n\n##### E\n\nsmall',
        text: 'in tab E small',
        code: '',
      },
      {
        anchor: 'c',
        headings: ['C'],
        markdown: '**Q**\n\nanswer\n\n## v1\n\n- news',
        text: 'Q answer v1 news',
        code: '',
      },
    ]);
    for (const { anchor } of sections)
      if (anchor !== '') expect(content.html).toContain(`id="${anchor}"`);
  });
});
