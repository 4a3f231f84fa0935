import { htmlToHast } from 'satteri';
import { describe, expect, it } from 'vitest';
import { compileText } from '../../../../test/support/fake-site.ts';
import type { SourceNode } from './nodes/source-node.ts';

/** Everything in parsed HTML that could run code, as text; a standard HTML parser decides. */
function dangers(markup: string): string[] {
  const found: string[] = [];
  const visit = (node: SourceNode): void => {
    const tag = node.tagName ?? '';
    if (
      /^(?:script|object|embed|base|meta|link|frame|frameset|applet|template|noscript)$/.test(tag)
    )
      found.push(tag);
    for (const [name, value] of Object.entries(node.properties ?? {})) {
      if (/^on/i.test(name) || /^(?:srcDoc|formAction|action|ping)$/.test(name))
        found.push(`${tag} ${name}`);
      const address = String(value).replace(/[\u0000-\u0020]/g, '');
      if (
        /^(?:javascript|vbscript|data(?!:(?:image|video|audio)\/)):/i.test(address) &&
        name !== 'alt' &&
        name !== 'title'
      )
        found.push(`${tag} ${name}=${value}`);
      if (name === 'style' && /javascript|expression\(/i.test(String(value)))
        found.push(`${tag} style`);
    }
    for (const child of node.children ?? []) visit(child);
  };
  visit(htmlToHast(markup) as SourceNode);
  return found;
}

const attacks = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(1)</ScRiPt>',
  '{<script>alert(1)</script>}',
  '<div dangerouslySetInnerHTML={{ __html: "<img src=x onerror=alert(1)><script>1</script>" }} />',
  '<script dangerouslySetInnerHTML={{ __html: "alert(1)" }} />',
  '<style>{"</style><script>alert(1)</script>"}</style>',
  '<style dangerouslySetInnerHTML={{ __html: "a{}</style><img src=x onerror=alert(1)>" }} />',
  '<style>{`a { background: url(javascript:alert(1)) }`}</style>',
  '<img src="x" onError="alert(1)" onerror="alert(1)" ONERROR="alert(1)" />',
  '<img {...{ onerror: "alert(1)", "on error": "x", "x=y onload": "alert(1)" }} src="x" />',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href={"\\u0001javascript:alert(1)"}>x</a>',
  '<a href={"java\\nscript:alert(1)"}>x</a>',
  '[x](javascript:alert(1))',
  '[x](<java&#x0A;script:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](javascript:alert(1))',
  '<img src="data:text/html,<script>alert(1)</script>" />',
  '<img srcSet="javascript:alert(1) 2x, https://e.com/a.png 1x" />',
  '<video poster="javascript:alert(1)" src="vbscript:x"><source src="javascript:alert(1)" /></video>',
  '<iframe src="javascript:alert(1)" />',
  '<iframe src="data:text/html,x" srcDoc="<script>1</script>" onLoad="x" />',
  '<iframe src="https://e.com/"onload="alert(1)" />',
  '<iframe src="//e.com" allow="x&quot; onload=&quot;y" />',
  '<object data="x.swf" />\n\n<embed src="x" />\n\n<base href="https://evil" />\n\n<meta http-equiv="refresh" content="0" />\n\n<link rel="stylesheet" href="x" />',
  '<object data="javascript:alert(1)" />\n\n<embed src="data:text/html,<script>1</script>" type="image/png" />\n\n<object data="vbscript:x" type="video/mp4" onLoad="x" />',
  '<form action="javascript:alert(1)"><button formAction="javascript:alert(1)">x</button></form>',
  '<svg onload="alert(1)"><script>alert(1)</script><a xlinkHref="javascript:alert(1)"><text>x</text></a><use href="data:image/svg+xml,x" /></svg>',
  '<svg><foreignObject><iframe src="javascript:alert(1)" /></foreignObject></svg>',
  '<svg><a><animate attributeName="href" values="javascript:alert(1)" /><set attributeName="onmouseover" to="alert(1)" /></a></svg>',
  '<math><a xlinkHref="javascript:alert(1)">x</a></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">x</p></noscript>',
  '<textarea>{"</textarea><script>alert(1)</script>"}</textarea>',
  '<title>{"</title><script>alert(1)</script>"}</title>',
  '<xmp>{"</xmp><script>alert(1)</script>"}</xmp>',
  '<div style="background: url(javascript:alert(1)); width: expression(alert(1))">x</div>',
  '<div style={{ background: "url(java\\\\script:alert(1))" }}>x</div>',
  '<div class={"a\\" onclick=\\"alert(1)"} id={"\\"><script>alert(1)</script>"}>x</div>',
  '## Title {#x"onclick="alert(1)}',
  '## <b>"&gt;&lt;script&gt;alert(1)&lt;/script&gt;</b>',
  '```js"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '$</code><script>alert(1)</script>$',
  '<Card title={"<script>alert(1)</script>"}>x</Card>',
  '<Linked href="javascript:alert(1)" title="<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>" />',
  '<Icon icon="javascript:alert(1)" />\n\n<Icon icon="/x.svg&quot; onerror=&quot;alert(1)" />\n\n<Icon icon="<svg onload=alert(1)>" />',
  '<Nope_"><script>alert(1)</script>',
  '{"<script>alert(1)</script>"}',
  '\u0001Pjavascript:alert(1)\u0001 <a href={"\\u0001Px\\u0001 onclick=alert(1)"}>x</a>',
  '| <script>alert(1)</script> |\n|---|\n| `</td><script>` |',
  '<a-b onclick="x"><x-y is="script">z</x-y></a-b>',
  '<button popoverTarget="x" onClick={"alert(1)"}>x</button>',
];

describe('a hostile page', () => {
  it.each(attacks)('with %s publishes nothing that runs', async (attack) => {
    const { content } = await compileText(`${attack}\n\nend`);
    expect(dangers(content.html)).toEqual([]);
    expect(content.html).toContain('end');
  });

  it.each(attacks)('in a .md file with %s publishes nothing that runs', async (attack) => {
    const { content } = await compileText(`${attack}\n\nend`, {}, undefined, 'a.md');
    expect(dangers(content.html)).toEqual([]);
  });

  it('cannot forge link marks', async () => {
    const { content } = await compileText(
      'a \u0001Aevil\u0001 <a href={"/x\\u0001Aevil\\u0001"}>x</a> `\u0001Pq\u0001`\n\n```\n\u0001Pq\u0001\n```',
    );
    expect(content.html.split('\u0001')).toHaveLength(3);
  });

  it('cannot inject markup through variables and titles of the site', async () => {
    const { content } = await compileText(
      '---\ntitle: "<script>alert(1)</script>"\ndescription: "<img src=x onerror=alert(1)>"\n---\n\na {{v}} b',
      { variables: { v: '<img src=x onerror=alert(1)>{1+1}' } },
    );
    expect(dangers(content.html)).toEqual([]);
    expect(content.html).toContain('{1+1}');
  });

  it('keeps the valid CSS of its style element unchanged', async () => {
    const { content } = await compileText(
      '<style>{`a > b { color: red } @media (min-width: 1px) { c::after { content: "<" } }`}</style>',
    );
    expect(content.html).toBe(
      '<style>a > b { color: red } @media (min-width: 1px) { c::after { content: "<" } }</style>',
    );
  });
});
