import { expect, test } from 'vitest';
import { call, code, element, fakePage, text } from '../../../../../test/support/fake-page.ts';
import { compileText } from '../../../../../test/support/fake-site.ts';
import { type ElementNode, NodesValue } from '../nodes/content-node.ts';
import { components } from './registry.ts';

const HOSTILE = '"><script>alert(1)</script>';

/** Renders one call and returns the markup with what the page recorded. */
function render(node: ReturnType<typeof call>) {
  const page = fakePage();
  return { ...page, html: page.render([node]).value };
}

test('no component turns author text into markup, from any prop or child', () => {
  const props =
    'title icon iconType color href img cta type description label tags tip headline caption hint name default query path body header size shape src className id value variant repo actions alt summary width height for level'.split(
      ' ',
    );
  const inputs = Object.fromEntries(props.map((name) => [name, HOSTILE]));
  for (const name of components.keys()) {
    const page = fakePage();
    const markup = page.render([call(name, inputs, text(HOSTILE))]).value + page.asides.join('');
    expect(markup, name).not.toContain('<script');
    expect(markup.replace(/="[^"]*"/g, ''), name).not.toContain('alert(1)</');
  }
});

test('no component fails on props of unexpected types', () => {
  const odd = [
    null,
    undefined,
    true,
    false,
    0,
    -1,
    Number.NaN,
    '',
    [],
    {},
    [{}],
    { nested: [1] },
    new NodesValue([text('x')]),
  ];
  for (const [name, component] of components) {
    for (const value of odd) {
      const props = Object.fromEntries(
        'title cols titleSize icon items tags label value default highlight level size actions defaultOpen href code'
          .split(' ')
          .map((key) => [key, value]),
      );
      expect(
        () => component.html(call(name, props, text('child')), fakePage()),
        `${name} ${String(value)}`,
      ).not.toThrow();
    }
  }
});

test('a callout shows its title and kind, and an unsafe color never reaches its style', () => {
  const { html } = render(call('Warning', { title: 'Mind `this`' }, 'Body'));
  expect(html).toContain('data-kind="warning"');
  expect(html).toContain('Mind <code>this</code>');
  expect(render(call('Callout', { color: '#ff0000' })).html).toContain('--d-tone:#ff0000');
  expect(render(call('Callout', { color: 'red;background:url(//evil)' })).html).not.toContain(
    'style',
  );
  expect(render(call('Callout', { type: 'danger' })).html).toContain('data-kind="danger"');
});

test('a card is one link named by its title, with an arrow only if it links to another site', () => {
  const inside = render(call('Card', { title: 'Start', href: '/start' }, 'Text')).html;
  expect(inside).toContain('<a class="d-box-link" href="link:/start">Start</a>');
  expect(inside).not.toContain('d-box-arrow');
  expect(render(call('Card', { title: 'Out', href: 'https://example.com' })).html).toContain(
    'data-sign="arrow-out"',
  );
  expect(
    render(call('Card', { title: 'Out', href: 'https://example.com', arrow: 'false' })).html,
  ).not.toContain('d-box-arrow');
});

test('a card without a title has an accessible name for its link', () => {
  expect(render(call('Card', { href: '/start' }, 'Read this')).html).toContain(
    'aria-label="Read this"',
  );
});

test('column counts are accepted as numbers or text and kept within limits', () => {
  expect(render(call('CardGroup', { cols: '3' })).html).toContain('data-cols="3"');
  expect(render(call('Columns', { cols: 4 })).html).toContain('data-cols="4"');
  expect(render(call('Columns', { cols: 900 })).html).toContain('data-cols="6"');
  expect(render(call('Columns', {})).html).toContain('data-cols="2"');
});

test('steps are numbered in order, keep explicit numbers, and add their titles to the table of contents', () => {
  const page = render(
    call(
      'Steps',
      { titleSize: 'h2' },
      call('Step', { title: 'One' }),
      call('Step', { title: 'Five', stepNumber: '5' }),
      call('Step', { title: 'Six', noAnchor: true }),
    ),
  );
  expect(
    [...page.html.matchAll(/data-component-part="step-number" aria-hidden="true">(\d)/g)].map(
      (match) => match[1],
    ),
  ).toEqual(['1', '5', '6']);
  expect(page.toc).toEqual(['2 one One', '2 five Five']);
  expect(page.html).toContain(
    '<h2 class="d-stage-title" data-component-part="step-title" id="one"',
  );
});

test('tabs show the first tab, keep the others searchable in the page, and accept titles from items', () => {
  const { html, needed } = render(
    call(
      'Tabs',
      { items: ['npm', 'yarn'] },
      call('Tabs.Tab', {}, 'A'),
      text('\n'),
      element('p', call('Tabs.Tab', {}, 'B')),
    ),
  );
  expect(html).toContain('<span>npm</span>');
  expect(html).toContain('id="npm" data-title="npm" tabindex="0">A<');
  expect(html).toContain('id="yarn" data-title="yarn" tabindex="0" hidden="until-found">B<');
  expect([...needed]).toContain('docent-tabs');
});

test('the default tab is open first, and a number out of range opens the last tab', () => {
  const tabs = [call('Tab', { title: 'a' }), call('Tab', { title: 'b' })];
  expect(render(call('Tabs', { defaultTabIndex: 1 }, ...tabs)).html).toMatch(
    /data-title="a"[^>]*hidden/,
  );
  expect(render(call('Tabs', { defaultTabIndex: 99 }, ...tabs)).html).not.toMatch(
    /data-title="b"[^>]*hidden/,
  );
});

test('a code group makes a tab of each block and moves its title to the tab', () => {
  const { html } = render(
    call('CodeGroup', {}, code('bash', 'npm', 'npm i'), text('\n'), code('python', '', 'pip')),
  );
  expect(html).toContain('<span>npm</span>');
  expect(html).toContain('<span>python</span>');
  expect(html).not.toContain('d-src-title');
});

test('preformatted text in a code group becomes a tab with its language and title', () => {
  const attributes = { 'data-language': 'js', 'data-title': 'a.js' };
  const script = { ...element('pre', 'let a = 1;\nlet b;'), attributes } as ElementNode;
  const inner = {
    ...element('code', 'print("b")'),
    attributes: { class: 'language-python' },
  } as ElementNode;
  const { html } = render(call('CodeGroup', {}, script, element('pre', inner)));
  expect(html).toContain('<span>a.js</span>');
  expect(html).toContain('<span>python</span>');
  expect(html).toContain('class="language-js"');
  expect(html.replace(/<[^>]*>/g, '')).toContain('let a = 1;\nlet b;');
});

test('a code group with one block shows that block and keeps the text beside it', () => {
  const { html } = render(
    call('CodeGroup', {}, code('bash', 'npm', 'npm i'), element('p', 'Note')),
  );
  expect(html).not.toContain('docent-tabs');
  expect(html).toContain('-filename">npm');
  expect(html).toContain('<p>Note</p>');
});

test('a code block component accepts its options as props', () => {
  const { html } = render(
    call(
      'CodeBlock',
      { language: 'js', filename: 'it\'s "a".js', lines: 'true', highlight: '[1]' },
      'let X',
    ),
  );
  expect(html).toContain('data-lines');
  expect(html).toContain('class="line hl"');
  expect(html).toContain('it’s &quot;a&quot;.js');
});

test('an accordion is a details element that can start open, also by a text value', () => {
  expect(render(call('Accordion', { title: 'Why?', defaultOpen: 'true' }, 'x')).html).toContain(
    'id="why" open>',
  );
  expect(
    render(call('Accordion', { title: 'Why?', defaultOpen: 'false' }, 'x')).html,
  ).not.toContain('open>');
});

test('an expandable says what a click does, unless its title already does', () => {
  expect(render(call('Expandable', { title: 'properties' })).html).toContain(
    '<span class="d-when-closed"><!--w:show-->Show<!--/w--></span>',
  );
  expect(render(call('Expandable', { title: 'Show more' })).html).toContain(
    '<span class="d-when-closed"></span>',
  );
});

test('a field shows its name, type, location, default, and state, and has an id', () => {
  const { html } = render(
    call(
      'ParamField',
      { query: 'limit', type: 'integer', default: 0, required: true, deprecated: true },
      'How many',
    ),
  );
  expect(html).toContain('id="param-limit"');
  for (const piece of [
    '<code>limit</code>',
    '>integer<',
    '>query<',
    '<!--w:default-->default<!--/w-->: <code>0</code>',
    '>required<',
    '>deprecated<',
    'How many',
  ])
    expect(html).toContain(piece);
  expect(render(call('ResponseField', { name: 'ok', default: false })).html).toContain(
    '<!--w:default-->default<!--/w-->: <code>false</code>',
  );
  const linked = new NodesValue([element('a', text('User'))]);
  expect(render(call('ResponseField', { name: 'ok', type: linked })).html).toMatch(
    /data-type="User"[\s\S]*data-component-part="field-info-pill"><a>User<\/a><\/span>/,
  );
});

test('the labels of a field can be JSX, alone or in a list', () => {
  const label = new NodesValue([element('span', text('beta'))]);
  for (const post of [label, [label]]) {
    expect(render(call('ResponseField', { name: 'ok', post })).html).toContain(
      '<span class="d-prop-tag">beta</span>',
    );
  }
});

test('a field passes its initial value to the playground, or its default if it has none', () => {
  const { html } = render(call('ParamField', { query: 'limit', default: 10, initialValue: 25 }));
  expect(html).toContain('data-default="25"');
  expect(html).toContain('<!--w:default-->default<!--/w-->: <code>10</code>');
  expect(render(call('ParamField', { query: 'limit', default: 10 })).html).toContain(
    'data-default="10"',
  );
});

test('examples move to the right rail, and examples in a panel stay in place', () => {
  const example = call('RequestExample', {}, code('bash', 'Request', 'curl'));
  const alone = render(example);
  expect(alone.html).toBe('');
  expect(alone.asides).toHaveLength(1);
  const panel = render(call('Panel', {}, element('p', 'Before'), example));
  expect(panel.asides).toHaveLength(1);
  expect(panel.asides[0]).toMatch(/Before.*curl/s);
});

test('only the first view of a page is visible at first', () => {
  const page = fakePage();
  const markup = page.render([
    call('View', { title: 'JS' }, 'one'),
    call('View', { title: 'Py' }, 'two'),
    call('View', { title: 'JS' }, 'three'),
  ]).value;
  expect(markup.match(/hidden="until-found"/g)).toHaveLength(1);
  expect(markup).toMatch(/data-title="Py" hidden/);
});

test('content for agents is not in the page', () => {
  expect(render(call('Visibility', { for: 'agents' }, 'secret')).html).toBe('');
  expect(render(call('Visibility', { for: 'humans' }, 'shown')).html).toBe('shown');
});

test('a tree can be written with components or as a Markdown list', () => {
  const list = element(
    'ul',
    element(
      'li',
      'src',
      element('ul', element('li', element('strong', 'a.ts')), element('li', 'lib/')),
    ),
    element('li', 'b.json'),
  );
  const { html } = render(call('FileTree', {}, list));
  expect(html.match(/<details class="d-node-folder" open>/g)).toHaveLength(2);
  expect(html).toContain('<li class="tree-file" data-highlight>');
  const built = render(
    call(
      'Tree',
      {},
      call(
        'Tree.Folder',
        { name: 'src', openable: false },
        call('Tree.File', { name: '__init__.py' }),
      ),
    ),
  ).html;
  expect(built).not.toContain('<details');
  expect(built).toContain('<span>__init__.py</span>');
});

test('a changelog entry is in the table of contents and carries its tags', () => {
  const page = render(call('Update', { label: 'May', tags: ['API'], description: 'v1' }, 'x'));
  expect(page.toc).toEqual(['2 may May']);
  expect(page.html).toContain('data-tags="[&quot;API&quot;]"');
});

test('an autoplaying video in a frame is muted', () => {
  const video = {
    type: 'element' as const,
    tag: 'video',
    attributes: { autoPlay: true },
    children: [],
  };
  expect(render(call('Frame', {}, element('p', video))).html).toContain('muted="true"');
});

test('a frame shows the image that its own props name, in the page and in Markdown', () => {
  const frame = call('Frame', { src: '/a.png', alt: 'A', caption: 'Seen' });
  expect(render(frame).html).toMatch(
    /<div class="d-figure-content"><img [^>]*src="[^"]*\/a\.png"[^>]*alt="A"|<img [^>]*alt="A"[^>]*src="[^"]*\/a\.png"/,
  );
  expect(components.get('Frame')?.markdown(frame)[0]).toMatchObject({
    tag: 'img',
    attributes: { src: '/a.png', alt: 'A' },
  });
});

test('a parameter that is a credential has its name', () => {
  expect(render(call('ParamField', { auth: 'X-Key', type: 'string' }, 'x')).html).toContain(
    '<code>X-Key</code>',
  );
});

test('a heading component renders like a Markdown heading', () => {
  expect(render(call('Heading', { level: '3', id: 'x' }, 'T')).html).toBe('<h3 id="x">T</h3>');
});

test('aliases that are not part of the format render as the component they stand for, without a warning', () => {
  const link = render(call('Link', { href: '/a' }, 'x'));
  expect(link.html).toBe('<a href="link:/a">x</a>');
  expect(link.warnings).toEqual([]);
  expect(render(call('Important', {}, 'x')).html).toContain('data-kind="warning"');
});

test('a repository card requires a valid repository', () => {
  expect(render(call('GitHub.Repo', { repo: 'owner/name' })).html).toContain(
    'href="https://github.com/owner/name"',
  );
  expect(render(call('GitHub.Repo', { repo: 'javascript:alert(1)' })).warnings).toEqual([
    'bad-repository',
  ]);
});

test('a mention renders as a link to a page or as the name of a person', () => {
  expect(render(call('Mention', { page: 'guides/first-steps' })).html).toBe(
    '<a class="d-mention" href="link:/guides/first-steps">first steps</a>',
  );
  expect(render(call('Mention', { user: 'Ada' })).html).toBe('<span class="d-mention">Ada</span>');
});

test('a variation lists the names that it applies to', () => {
  const { html } = render(call('Variation', { is: ['free', 'pro'] }, 'x'));
  expect(html).toContain('data-variation="free pro"');
  expect(html).toContain('<span>free, pro</span></p>x');
});

test('a diagram or a formula can be written as a component', () => {
  expect(render(call('Mermaid', { chart: '\ngraph TD\n' })).html).toContain(
    '<code class="language-mermaid">graph TD</code>',
  );
  expect(render(call('Latex', {}, '$x^2$')).html).toBe('(math)');
});

test('variants and alignments of components reach the markup', () => {
  expect(
    render(call('GitHub.Repo', { repo: 'a/b', variant: 'flat', className: 'wide' })).html,
  ).toMatch(/class="d-repo wide"[^>]*data-variant="flat"/);
  expect(render(call('Badge', { variant: 'surface-destructive' }, 'x')).html).toContain(
    'data-color="surface-destructive"',
  );
  expect(render(call('Tooltip', { tip: 't', align: 'start' }, 'x')).html).toContain(
    'data-align="start"',
  );
  expect(render(call('Alert', { type: 'danger' }, 'x')).html).toContain('data-kind="danger"');
});

test('a video from YouTube is embedded by its id or URL, and anything else is rejected', () => {
  const source = (props: Record<string, string>) =>
    /src="([^"]*)"/.exec(render(call('YouTube', props)).html)?.[1];
  expect(source({ id: 'abc123XYZ_-' })).toBe('https://www.youtube-nocookie.com/embed/abc123XYZ_-');
  expect(source({ url: 'https://www.youtube.com/watch?v=abc123&t=1' })).toBe(
    'https://www.youtube-nocookie.com/embed/abc123',
  );
  expect(source({ id: '"><script>' })).toBeUndefined();
});

test('list components of other platforms keep their items', () => {
  expect(render(call('CheckboxList', {}, element('ul', element('li', 'a')))).html).toContain(
    '<li>a</li>',
  );
  expect(render(call('CheckboxList', { items: ['a', 'b'] })).html.match(/<li>/g)).toHaveLength(2);
  expect(render(call('TableWrapper', {}, element('p', 'a'))).html).toBe('<p>a</p>');
});

test('titles and types with Markdown syntax keep their meaning in Markdown', async () => {
  const { content } = await compileText(
    [
      '<Card title="Use `npm`, see [the guide](https://example.com/a)" href="https://example.com/b">Text</Card>',
      '<ResponseField name="pages" type="Promise<Page[]>">All.</ResponseField>',
      '<Note title="Mind **this**">Body</Note>',
      '<Steps>\n<Step title="Five" stepNumber={5}>a</Step>\n<Step title="Six">b</Step>\n</Steps>',
      '| A |\n| --- |\n| <Card title="In a cell" href="https://example.com/c">Text</Card> |',
      '<Note>\n<Visibility for="humans">people</Visibility>\n\n<Visibility for="agents">programs</Visibility>\n</Note>',
    ].join('\n\n'),
  );
  expect(content.markdown.replace('# Untitled\n\n', '').trim()).toBe(
    [
      '- [Use `npm`, see the guide](https://example.com/b): Text\n- `pages` (`Promise<Page[]>`): All.',
      '> **Note: Mind this**\n>\n> Body',
      '5. **Five**',
      '   a',
      '6. **Six**',
      '   b',
      '| A |\n| --- |\n| [In a cell](https://example.com/c): Text |',
      '> **Note:**\n>\n> programs',
    ].join('\n\n'),
  );
});

test('component parts have the names that CSS and scripts for the hosted service select', () => {
  const parts: [string, Parameters<typeof call>[1], string[]][] = [
    [
      'Card',
      { title: 'T', icon: 'star', img: '/a.png', href: '/b', cta: 'Go' },
      ['card-image', 'card-icon', 'card-title', 'card-cta'],
    ],
    [
      'Accordion',
      { title: 'T', icon: 'star', description: 'D' },
      ['accordion-button', 'accordion-icon', 'accordion-title'],
    ],
    [
      'Update',
      { label: 'v1', description: 'D', tags: ['a'] },
      ['update-label', 'update-description', 'update-content'],
    ],
    [
      'ParamField',
      { body: 'x', type: 'string', required: true },
      ['field-name', 'field-info-pill', 'field-required-pill'],
    ],
    ['Step', { title: 'T' }, ['step-number', 'step-title', 'step-content']],
    ['Note', {}, ['callout-icon', 'callout-content']],
  ];
  for (const [name, props, names] of parts) {
    const { html } = render(call(name, props));
    for (const part of names) expect(html).toContain(`data-component-part="${part}"`);
  }
  expect(render(call('Badge', { color: 'blue' })).html).toMatch(/data-badge data-color="blue"/);
});

test('a prompt brings its own marker, so its details are not those to which the theme adds one', () => {
  const { html } = render(call('Prompt', { description: 'Write' }, text('Write a note.')));
  expect(html).toContain('data-sign="chevron"');
  expect(html).not.toContain('<details>');
});
