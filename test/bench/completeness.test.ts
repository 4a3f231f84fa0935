import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../../bench/completeness/broken-links.ts';
import { missingItems } from '../../bench/completeness/missing-items.ts';
import { readShownPage } from '../../bench/completeness/shown-page.ts';
import { readSourceItems } from '../../bench/completeness/source-items.ts';

const source = `---
title: T
---

import Part from '/snippets/part.mdx';

## Set *up* {#own}

Some words with \`code\` and [a link](/next "t") and {props.x} more.

- one
  - two

| A | B |
|---|---|
| c | d &amp; e |

<Card title="Card title" href="https://e.com/a?b=1&c=2">

\`\`\`js title
const a = 1;
\`\`\`

</Card>

![Alt](/images/pic.png)

<Part name="x" />

<Visibility for="agents">hidden words</Visibility>
`;

const files = {
  readText: (path: string) =>
    ({
      'a.mdx': source,
      'snippets/part.mdx': '### From the snippet {name}\n\n```\ncurl {name} end\n```\n',
    })[path],
  variables: {},
  latex: true,
};

const shown = `<h2 id="own">Set <em>up</em><a href="#own"></a></h2><p>Some words with <code>code</code> and <a href="\u0001P/next\u0001">a link</a> and 7 more.</p>
<ul><li>one<ul><li>two</li></ul></li></ul><table><tr><th>A</th><th>B</th></tr><tr><td>c</td><td>d &amp; e</td></tr></table>
<div class="card"><a href="https://e.com/a?b=1&amp;c=2">Card title</a><pre><code><span>const</span> a = <b>1</b>;</code></pre></div>
<img src="\u0001A/images/pic.png\u0001" alt="Alt"><h3 id="s">From the snippet x</h3><pre>curl x end</pre>`;

const missing = (html: string) =>
  missingItems(readSourceItems('a.mdx', files), readShownPage(html)).map(
    ({ kind, line }) => `${kind} ${line}`,
  );

describe('the completeness check', () => {
  test('reports nothing for a page that shows everything in its source', () => {
    expect(missing(shown)).toEqual([]);
  });

  test.each([
    ['a heading', /<h2.*?<\/h2>/, 'heading 7'],
    ['a heading of a snippet', /<h3.*?<\/h3>/, 'heading 1'],
    ['words of a paragraph', 'Some words', 'text 9'],
    ['a link', /<a href="[^"]*next[^"]*">a link<\/a>/, 'link 9'],
    ['a list item', '<li>two</li>', 'list item 12'],
    ['a cell', '<td>d &amp; e</td>', 'table cell 16'],
    ['a title', 'Card title', 'title 18'],
    ['code', /<pre><code>.*?<\/pre>/, 'code 20'],
    ['an image', /<img[^>]*>/, 'image 26'],
  ])('reports %s that is removed, with its line in the source', (_, taken, item) => {
    expect(missing(shown.replace(taken, ''))).toContain(item);
  });

  test('distinguishes links that are broken in the source from links that are broken only on the page', () => {
    const page = readShownPage(
      '<a href="\u0001P/gone\u0001">x</a><a href="\u0001P/there\u0001">y</a><a href="#no">z</a><a href="#">t</a>',
    );
    const found = brokenLinks(
      [{ href: '/a', file: 'a.mdx', shown: page }],
      (path) => path === 'there.mdx',
    );
    expect(found.map(({ target, isInSource }) => `${target} ${isInSource}`)).toEqual([
      '/gone true',
      '/there false',
      '/a#no true',
    ]);
  });
});
