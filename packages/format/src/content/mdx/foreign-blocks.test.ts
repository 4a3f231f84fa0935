import { describe, expect, it } from 'vitest';
import { convertBlocks } from './foreign-blocks.ts';
import { markdownAsMdx } from './source-text.ts';

const lines = (...text: string[]) => text.join('\n');
const converted = (...text: string[]) => convertBlocks(lines(...text))?.text;

describe('blocks of other platforms', () => {
  it('of Docusaurus and VitePress become callouts, with the title in brackets or as plain text', () => {
    expect(
      converted(':::tip[Do "this"]', 'x', ':::', '', '::: details More {open}', 'y', ':::'),
    ).toBe(
      lines(
        '<Tip title="Do &quot;this&quot;">',
        'x',
        '</Tip>',
        '',
        '<Accordion title="More" defaultOpen>',
        'y',
        '</Accordion>',
      ),
    );
  });

  it('of code become groups whose tabs have the names in brackets', () => {
    expect(
      converted('::: code-group', '```sh [npm]', 'a', '```', '```sh {1} [pnpm]', 'b', '```', ':::'),
    ).toBe(
      lines(
        '<CodeGroup>',
        '```sh title="npm"',
        'a',
        '```',
        '```sh {1} title="pnpm"',
        'b',
        '```',
        '</CodeGroup>',
      ),
    );
  });

  it('inside each other end as Docusaurus ends them if each has an end, else as VitePress does', () => {
    const tags = (...text: string[]) => converted(...text)?.replaceAll('\n', '');
    expect(tags('::::note', ':::tip', 'a', ':::', 'b', '::::')).toBe('<Note><Tip>a</Tip>b</Note>');
    expect(tags(':::note', ':::tip', 'a', ':::', 'b', ':::')).toBe('<Note><Tip>a</Tip>b</Note>');
    expect(tags(':::note', ':::tip', 'a', ':::', 'b')).toBe('<Note><Tip>a</Tip></Note>b');
  });

  it('of MkDocs lose their indentation and end before the line that has less', () => {
    expect(
      converted(
        '- item',
        '',
        '    !!! warning "Careful"',
        '        a',
        '',
        '        ```',
        '        !!! note',
        '        ```',
        '',
        '  b',
      ),
    ).toBe(
      lines(
        '- item',
        '',
        '    <Warning title="Careful">',
        '    a',
        '',
        '    ```',
        '    !!! note',
        '    ```',
        '    </Warning>',
        '  b',
      ),
    );
    expect(converted('??? example', '    a', 'b')).toBe(
      lines('<Accordion title="Example">', 'a', '</Accordion>', 'b'),
    );
  });

  it('of adjacent tabs become one group', () => {
    expect(converted('=== "pip"', '', '    a', '', '=== "uv"', '', '    b', '', 'c')).toBe(
      lines(
        '<Tabs><Tab title="pip">',
        '',
        'a',
        '</Tab>',
        '<Tab title="uv">',
        '',
        'b',
        '</Tab></Tabs>',
        'c',
      ),
    );
    expect(converted('::: tabs', '== One', 'a', '== Two', 'b', ':::')).toBe(
      lines('<Tabs>', '<Tab title="One">', 'a', '</Tab><Tab title="Two">', 'b', '</Tab></Tabs>'),
    );
  });

  it('of GitBook become components, and the name of a file the title of its code', () => {
    expect(
      converted(
        '{% hint style="danger" %}',
        'a',
        '{% endhint %}',
        '{% code title="x.js" %}',
        '```js',
        'b',
        '```',
        '{% endcode %}',
      ),
    ).toBe(lines('<Danger>', 'a', '</Danger>', '', '```js title="x.js"', 'b', '```', ''));
  });

  it('keep their line, also where the block is not closed', () => {
    const blocks = convertBlocks(lines('a', '', ':::note', 'x'));
    expect(blocks?.text).toBe(lines('a', '', '<Note>', 'x', '</Note>'));
    expect(blocks?.problems).toMatchObject([
      { line: 3, message: expect.stringContaining(':::note') },
    ]);
  });

  it.each([
    ['code', '```\n:::note\n!!! note "x"\n```\n\nx'],
    ['a name without a component', '::: package.module'],
    ['prose', '!!! Important people\n\nx'],
    ['an end without a beginning', 'x\n\n:::\n\n{% endhint %}'],
    ['a heading', 'Title\n===\n\n=== "x" ==='],
  ])('are not seen in %s', (_, text) => {
    expect(convertBlocks(text)).toBeUndefined();
  });

  it('that are nested without an end become text after a bounded depth', () => {
    const deep = converted(...Array.from({ length: 100 }, () => ':::note'));
    expect(deep?.match(/<Note>/g)).toHaveLength(20);
  });
});

describe('Markdown as MDX', () => {
  it('shows braces and signs, drops what is not shown line for line, and leaves code and heading ids', () => {
    expect(
      markdownAsMdx(
        lines(
          '# A {#a}',
          '`{b}` {b} ``` ` {` ```',
          '<!-- c',
          '{c} -->d',
          '<script setup>',
          'e',
          '</script>',
          'f < g <b>',
          '```',
          '{h}',
          '```',
          '<!-- i',
        ),
      ),
    ).toBe(
      lines(
        '# A {#a}',
        '`{b}` &#123;b} ``` ` {` ```',
        '',
        'd',
        '',
        '',
        '',
        'f &lt; g <b>',
        '```',
        '{h}',
        '```',
        '<!-- i',
      ),
    );
  });
});
