import { afterAll, describe, expect, it, vi } from 'vitest';
import { compileIslandPage, innerHtml } from '../../../../test/support/fake-island-page.ts';
import { createIslandRenderer } from './island-renderer.ts';

// The first island of a process loads the bundler and the engine.
vi.setConfig({ testTimeout: 180_000 });

const islands = createIslandRenderer();
afterAll(() => islands.close());
const compile = (text: string, files?: Record<string, string>) =>
  compileIslandPage(islands, text, files);
const htmlOf = async (text: string, files?: Record<string, string>) =>
  innerHtml(await compile(text, files));

/** A component that must be an island, around an expression. */
const component = (name: string, body: string) =>
  `export const ${name} = (props) => { useState(0); return ${body} }\n\n`;

describe('author components', () => {
  it('that are pure are rendered without any JavaScript in the browser', async () => {
    const { content, files } = await compile(
      'export const A = ({ x }) => <b>{x.toUpperCase()}</b>\n\n<A x="hi" />',
    );
    expect(content.html).toBe('<b>HI</b>');
    expect(content.scripts).toBeUndefined();
    expect(content.elements).not.toContain('docent-island');
    expect(files).toBeUndefined();
  });

  it('with state have their initial HTML in the page and share one script', async () => {
    const { content, files, failed, diagnostics } = await compile(
      `${component('A', '<b className="x">{props.n + 1}</b>')}<A n={1} />\n\n<A n={2} />`,
    );
    expect(content.html).toContain(
      'data-props="{&quot;n&quot;:1}" data-rendered><b class="x">2</b></docent-island>',
    );
    expect(content.html).toContain('<b class="x">3</b>');
    expect(content.elements).toContain('docent-island');
    expect(content.scripts).toEqual([files?.[0]?.path]);
    expect(content.scripts?.[0]).toMatch(/^_docent\/islands-[0-9a-f]{16}\.js$/);
    expect(files?.[0]?.text).not.toMatch(/\beval\(|new Function|import\(/);
    expect({ failed, diagnostics }).toEqual({ failed: false, diagnostics: [] });
  });

  it('support every hook, injected or imported, by name or through React', async () => {
    const body = `export const All = () => {
  const [state, setState] = useState(() => 'state')
  const [reduced, dispatch] = React.useReducer((s, a) => s + a, 1)
  const ref = useRef('ref')
  const memo = useMemo(() => 'memo', [])
  const call = useCallback(() => 'call', [])
  const id = React.useId()
  useEffect(() => { setState('never') }, [])
  React.useLayoutEffect(() => { dispatch(1) })
  return <p>{state} {reduced} {ref.current} {memo} {call()} {typeof id}</p>
}

<All />`;
    expect(await htmlOf(body)).toBe('<p>state 1 ref memo call string</p>');
    expect(
      await htmlOf("import { A } from '/a.jsx'\n\n<A />", {
        'a.jsx':
          "import React, { useState as state } from 'react'; export const A = () => { const [n] = state(7); return <i>{n}{React.version}</i> }",
      }),
    ).toMatch(/^<i>7/);
    const named = `const { useState } = React
const { Card } = MintlifyComponents
export const A = () => <Card title={useState('t')[0]} />`;
    expect(await htmlOf("import { A } from '/a.jsx'\n\n<A />", { 'a.jsx': named })).toContain(
      'data-title="t"',
    );
    const global =
      'const { useState } = globalThis.React; export const A = () => <i>{useState(7)[0]}{typeof window.React}</i>';
    expect(await htmlOf("import { A } from '/a.jsx'\n\n<A />", { 'a.jsx': global })).toContain(
      '<i>7object</i>',
    );
  });

  it('import each other, by name and default, from .jsx, .tsx, .js, .json and the exports of MDX', async () => {
    const files = {
      'snippets/a.jsx':
        "import B, { C } from './b.tsx'; import data from '../data.json'; export function A() { useState(); return <p><B x={1} /><C />{data.words.join('-')}</p> }",
      'snippets/b.tsx':
        "import { D } from '/snippets/d'; interface P { x: number } export default ({ x }: P) => <b>{x as number}</b>; export const C = () => <D />;",
      'snippets/d.js': "import { E } from './e.mdx'; export const D = () => <i>d<E /></i>",
      'snippets/e.mdx': 'Text.\n\nexport const E = () => <u>e</u>\n\nMore.',
      'data.json': '{"words":["x","y"]}',
    };
    expect(await htmlOf("import { A } from '/snippets/a.jsx'\n\n<A />", files)).toBe(
      '<p><b>1</b><i>d<u>e</u></i>x-y</p>',
    );
  });

  it('can use the imports and definitions of the page, without duplicate code', async () => {
    const files = {
      'hero.jsx':
        'export const Hero = () => { const [n] = useState(colors.dark); return <div><H1>{n}</H1><Note>ours</Note></div> }',
      'h.jsx': 'export const H1 = ({ children }) => <h1>{children}</h1>',
      'part.mdx': 'export const unused = 1\n\nText.',
    };
    const imports =
      "import { Hero } from '/hero.jsx'\nimport { H1 } from '/h.jsx'\nimport Part from '/part.mdx'\n\n";
    const text = `${imports}export const colors = { dark: 'black' }, Note = () => 'not this one'\n\n<Hero />\n\n<Part />`;
    const { content, diagnostics } = await compile(text, files);
    expect(content.html).toContain('<div><h1>black</h1><docent-part');
    expect(content.html).toContain('data-name="Note" data-title=""><docent-slot data-content>ours');
    expect(diagnostics).toEqual([]);
    const alone = await compile(`import { A } from '/a.jsx'\n\n<A />`, {
      'a.jsx': component('A', '1'),
    });
    const beside = await compile(
      `import { A } from '/a.jsx'\n\nexport const other = [1, 2, 3]\n\n<A />`,
      {
        'a.jsx': component('A', '1'),
      },
    );
    expect(beside.files?.[0]?.text.length).toBe(alone.files?.[0]?.text.length);
  });

  it('receive functions inside the objects and lists of their props', async () => {
    const files = {
      'list.jsx': component('List', '<ul>{props.rows.map((row) => <li>{row.text()}</li>)}</ul>'),
      'rows.jsx': 'export const rows = [{ text: () => <b>one</b> }, { text: () => "two" }]',
    };
    const imports = "import { List } from '/list.jsx'\nimport { rows } from '/rows.jsx'\n\n";
    for (const call of ['<List rows={rows} />', '{[rows].map((some) => <List rows={some} />)}']) {
      const html = await htmlOf(`${imports}${call}`, files);
      expect(html).toContain('<ul><li><b>one</b></li><li>two</li></ul>');
    }
  });

  it('that check for a browser are rendered again in the browser', async () => {
    const { content, files } = await compile(
      "export const Path = () => typeof window === 'undefined' ? null : <b>{window.location.pathname}</b>\n\n<Path />\n\n{typeof document}",
    );
    expect(content.html.match(/<docent-island[^>]* data-rendered>/g)).toHaveLength(2);
    expect(files?.[0]?.text).toContain('.pathname');
  });

  it('that use browser APIs while they render have initial HTML, and only those are rendered again', async () => {
    const files = {
      'a.jsx':
        "export const A = () => { useState(); const wide = window.matchMedia('(min-width: 1px)').matches; const dark = localStorage.getItem('t') === 'dark' || document.documentElement.classList.contains('dark'); return <b>{dark ? 'dark' : 'light'} {String(wide)} {window.location.pathname}</b> }",
      'b.jsx': 'export const B = () => { useState(); return <i>{typeof window}</i> }',
      'c.jsx':
        'export const C = () => { useState(); return <u>{document.body.offsetParent.id}</u> }',
    };
    const imports = Object.keys(files).map(
      (file, index) => `import { ${'ABC'[index]} } from '/${file}'`,
    );
    const { content, diagnostics } = await compile(
      `${imports.join('\n')}\n\n<A />\n\n<B />\n\n<C />`,
      files,
    );
    expect(content.html).toMatch(/data-name="A"[^>]*data-props="\{\}"><b>light false \/<\/b>/);
    expect(content.html).toMatch(/data-name="B"[^>]* data-rendered><i>undefined<\/i>/);
    expect(content.html).toContain('Interactive component: C');
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "<C> could not be rendered on the server: 'document' is not defined. It is rendered in the browser only.",
    ]);
  });

  it('are rendered on a page that also imports a missing name', async () => {
    const text = `import { Gone } from '/a.jsx'\nimport { A } from '/a.jsx'\n\n<A />`;
    expect(await htmlOf(text, { 'a.jsx': component('A', '<b>shown</b>') })).toBe('<b>shown</b>');
  });

  it('support context, memo, forwardRef, classes, fragments, Children and cloneElement', async () => {
    const text = `export const Theme = createContext('none')
export const Name = React.memo(() => <em>{useContext(Theme)}</em>)
export const Input = React.forwardRef((props, ref) => <input {...props} ref={ref} />)
export class Old extends React.Component {
  constructor(props) { super(props); this.state = { n: 1 } }
  render() { return <Theme.Consumer>{(name) => <s>{name}{this.state.n}{this.props.x}</s>}</Theme.Consumer> }
}
export const List = ({ children }) => <ul>{React.Children.map(children, (child, i) => <li key={i}>{React.cloneElement(child, { title: 't' })}</li>)}</ul>
export const App = () => {
  const [name] = useState('dark')
  return <Theme.Provider value={name}><Name /><Old x="y" /><><Input defaultValue="v" disabled /></><List><b>1</b><b>2</b></List></Theme.Provider>
}

<App />

<Name />`;
    const html = await htmlOf(text);
    expect(html).toContain(
      '<em>dark</em><s>dark1y</s><input disabled value="v"><ul><li><b title="t">1</b></li>',
    );
    expect(html).toMatch(/<em>none<\/em>$/);
  });

  it('receive the context of surrounding components, also across built-in components and each other', async () => {
    const text = `export const Lang = createContext('none')
export const Provide = ({ lang, children }) => { useState(0); return <Lang.Provider value={lang}>{children}</Lang.Provider> }
export const Name = () => <b>{useContext(Lang)}</b>
export const Only = ({ lang, children }) => (useContext(Lang) === lang ? <i>{children}</i> : null)
export const Needs = () => { const lang = useContext(Lang); if (lang === 'none') throw new Error('only in <Provide>'); return <u>{lang}</u> }

<Provide lang="go">

Text <Name />

<Note>**in** <Needs /></Note>

<Only lang="go">x <Name /></Only>

<Only lang="js">y <Name /></Only>

</Provide>

<Name />`;
    const { content, diagnostics } = await compile(text);
    const shown = content.html
      .replace(/<[^<>]*hidden[^<>]*>[\s\S]*?<\/docent-slot>/g, '')
      .replace(/<\/?docent-[^<>]*>/g, '');
    expect(shown.match(/<[bui]>(?:x )?[a-z]*/g)).toEqual([
      '<b>go',
      '<u>go',
      '<i>x ',
      '<b>go',
      '<b>none',
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('receive props of every type, including functions', async () => {
    const show = component(
      'Show',
      '<p>{[props.s, props.n, props.t, String(props.z), props.u === undefined, Number.isNaN(props.x), props.list[1].deep, props.f(2)].join("|")}{props.icon}</p>',
    );
    const call = `<Show s="a" n={-1.5} t={\`b\${1}\`} z={null} u={undefined} x={NaN} list={[1, { deep: true }]} f={(n) => n * 21} icon={<svg><path d="M0" /></svg>} />`;
    const html = await htmlOf(show + call);
    expect(html).toContain('<p>a|-1.5|b1|null|true|true|true|42');
    expect(html).toContain('<svg><path d="M0"></path></svg>');
  });

  it('can call a function that is their child', async () => {
    const calls = `${component('Live', '<p>{props.children(2)}</p>')}export const Pure = ({ children }) => <p>{children('x')}</p>

<Live>{(n) => <b>{n + 1}</b>}</Live>

<Pure>
  {(name) => <i>{name}</i>}
</Pure>`;
    expect(await htmlOf(calls)).toBe('<p><b>3</b></p>\n<p><i>x</i></p>');
  });

  it('show the children of the page once and in place, and keep hidden children', async () => {
    const text = `${component('Box', '<div>{props.open ? props.children : null}</div>')}<Box open>\n\nHidden **words** [up](#top)\n\n</Box>\n\n<Box>\n\n## Later\n\n</Box>`;
    const { content } = await compile(text);
    expect(content.html).toContain(
      '<div><docent-slot data-slot="0"><p>Hidden <strong>words</strong> <a href="#top">up</a></p></docent-slot></div>',
    );
    expect(content.html).toMatch(/<div><\/div><docent-slot data-slot="0" hidden>.*<h2 id="later">/);
    expect(content.markdown).toContain('Hidden **words**');
    expect(content.toc.map(({ id }) => id)).toEqual(['later']);
  });

  it('can hide text-only or mixed children without losing them', async () => {
    const text = `${component('Box', '<div>{props.open ? props.children : null}</div>')}<Box>Only words</Box>\n\n<Box>First **bold** last</Box>\n\n<Box label={<>In a prop</>} />`;
    const { content, sections } = await compile(text);
    expect(content.html).toContain('<docent-slot data-slot="-1" hidden>Only words</docent-slot>');
    for (const words of ['Only words', 'First', 'bold', 'last', 'In a prop'])
      expect([words, content.markdown, sections.map(({ text }) => text).join(' ')]).toEqual([
        words,
        expect.stringContaining(words),
        expect.stringContaining(words),
      ]);
    const shout = `${component('Shout', '<b onClick={() => {}}>{props.children.toUpperCase()}</b>')}<Shout>some words</Shout>`;
    expect((await compile(shout)).content.html).not.toContain('docent-slot');
  });

  it('can be items of a list and rows of a table, also in the Markdown', async () => {
    const parts =
      component('Item', '<li>{props.children}</li>') +
      component('Row', '<tr><td>{props.a}</td><td>{props.b}</td></tr>');
    const text = `${parts}<ul>\n  <li>First</li>\n  <Item>Second **one**</Item>\n</ul>\n\n<table><tbody><tr><th>A</th><th>B</th></tr><Row a="1" b="2" /></tbody></table>`;
    const { content } = await compile(text);
    expect(content.markdown).toContain('- First\n- Second **one**');
    expect(content.markdown).toContain('| A | B |\n| --- | --- |\n| 1 | 2 |');
  });

  it('can contain built-in components, which the build renders', async () => {
    const html = await htmlOf(
      `${component('A', '<div><Card title="T"><i>in</i></Card><Icon icon="rocket" /></div>')}<A />`,
    );
    expect(html).toContain(
      '<section data-name="Card" data-title="T"><docent-slot data-content><i>in</i></docent-slot></section>',
    );
    expect(html).toContain('<path d="M0 0"/>');
  });

  it('mark built-in components for the browser, unless their parent arranges them', async () => {
    const rows = '{[1, 2].map((n) => <Row key={n} n={n} />)}';
    const text = `export const Row = ({ n }) => <a href="#x"><Card title={'C' + n}>in {n}</Card></a>

${component('A', `<div><Columns cols={2}>${rows}</Columns><Columns cols={3}><Card title="Direct">d</Card></Columns><Tabs><div><Tab title="One">tab</Tab></div></Tabs></div>`)}<A />`;
    const { html } = (await compile(text)).content;
    for (const key of [
      'Columns {"cols":2}',
      'Card {"title":"C1"}',
      'Card {"title":"C2"}',
      'Card {"title":"Direct"}',
      'Tabs {}',
    ])
      expect(html).toContain(`data-part="${key.replaceAll('"', '&quot;')}"`);
    expect(html).not.toContain('data-part="Tab ');
    expect(html).toMatch(/<docent-slot data-content>.*C1.*C2.*Direct/s);
  });

  it('that inspect their children find text, elements and props, as in React', async () => {
    const copy = `export const Copy = ({ children }) => {
  const textOf = (node) => {
    if (node == null || typeof node === 'boolean') return '';
    if (typeof node === 'string') return node;
    if (Array.isArray(node)) return node.map(textOf).join('');
    return node.type === 'code' ? '[' + textOf(node.props.children) + ']' : textOf(node.props.children);
  };
  return <p>{textOf(children).replace(/\\s+/g, ' ').trim()}</p>;
};`;
    const call =
      '<Copy>\nRun `npm i` and **go**.\n\nThen [stop](/x).\n\n```js\nlet a;\n```\n</Copy>';
    expect(await htmlOf(`${copy}\n\n${call}`)).toContain('Run [npm i] and go.Then stop.[let a;]');
    const picker = component(
      'Picker',
      '<div>{React.Children.map(props.children, (child) => <b>{child.props.label ?? child.props.title}</b>)}{props.children}</div>',
    );
    const html = await htmlOf(
      `${picker}<Picker>\n<div label="one">First</div>\n\n<Card title="two">Second</Card>\n</Picker>`,
    );
    expect(html).toContain('<b>one</b><b>two</b><docent-slot data-slot="0">');
    expect(html).toMatch(/First.*<docent-slot data-slot="1">.*Second/s);
  });

  it('receive the props of child components, even of those that render nothing', async () => {
    const list = component(
      'List',
      '<ul>{React.Children.toArray(props.children).filter(React.isValidElement).map((one) => <li key={one.props.name}>{one.props.name} {one.props.n + 1}{one}</li>)}</ul>',
    );
    const parts = `export const Part = ({ children }) => <><b>{children}</b><i>!</i></>\n\nexport const Data = () => null\n\n${component('Live', '<u>{props.name}</u>')}`;
    const calls =
      '<Part name="a" n={1}>x</Part>\n  <Data name="b" n={2}>kept **words**</Data>\n  <Live name="c" n={3} />';
    const { content } = await compile(`${list}${parts}<List>\n  ${calls}\n</List>`);
    const items = content.html.replace(
      /<docent-slot[^>]*>|<\/docent-slot>|<docent-island[^>]*>|<\/docent-island>/g,
      '',
    );
    expect(items).toMatch(/^<ul><li>a 2.*<b>x<\/b><i>!<\/i>.*<li>b 3<\/li><li>c 4.*<u>c<\/u>/s);
    expect(content.markdown).toContain('kept words');
  });

  it('find child components at any depth, and distinguish them from built-in ones', async () => {
    const text = `export const Done = createContext([])
export const Task = ({ id, children }) => <li>{useContext(Done).includes(id) ? 'x' : 'o'} {children}</li>
export const List = ({ children }) => {
  const [done] = useState(['a'])
  const count = (nodes) => React.Children.toArray(nodes).reduce((sum, node) => {
    if (!React.isValidElement(node)) return sum
    return node.type === Task ? sum + (done.includes(node.props.id) ? 10 : 1) : sum + count(node.props.children)
  }, 0)
  const names = React.Children.map(children, ({ type }) => (type === Card ? 'card' : type === Steps ? 'steps' : (type.displayName ?? type.name)))
  return <Done.Provider value={done}><b>{count(children)} {names.join()}</b><ul>{children}</ul></Done.Provider>
}

<List>
<Task id="a">Read **this**</Task>
<Task id="b">Then that</Task>
<div><Task id="c">Deeper</Task></div>
<Card title="Ours">in it</Card>
<Note>well</Note>
</List>`;
    const { content, diagnostics } = await compile(text);
    const shown = content.html.replace(/<\/?docent-[^<>]*>/g, '');
    expect(shown).toContain('<b>12 Task,Task,');
    expect(shown).toMatch(/<b>12 [^<]*,card,Note<\/b>/);
    expect(shown).toContain('<li>x Read <strong>this</strong></li><li>o Then that</li>');
    expect(shown).toContain('<div><li>o Deeper</li></div>');
    expect(shown.match(/data-title="Ours"|well/g)).toHaveLength(2);
    expect(content.markdown).toContain('Read **this**');
    expect(diagnostics).toEqual([]);
  });

  it('can change children with cloneElement, and render the children of one', async () => {
    const text = `export const Pane = ({ title, isOpen, level = 0, onPick, children }) => <section className={isOpen ? 'open' : ''}><i>{level}{onPick ? onPick() : ''}{title}</i>{isOpen && children}</section>
export const Panes = ({ children }) => {
  const [open] = useState(0)
  return <div>{React.Children.map(children, (child, at) => React.cloneElement(child, { isOpen: at === open, level: 2 }))}</div>
}
export const First = ({ children }) => { const [at] = useState(0); return <p>{children[at].props.children}</p> }

<Panes>
<Pane title="One" onPick={() => 'p'}>The **first**</Pane>
<Pane title={<em>Two</em>}>The **second** [link](https://example.com/x)</Pane>
</Panes>

<First>
<Tab title="A">In **A**</Tab>
<Tab title="B">In **B**</Tab>
</First>`;
    const { content, diagnostics } = await compile(text);
    const shown = content.html.replace(
      /<docent-slot[^<>]* hidden>(?:(?!<\/docent-slot>).)*<\/docent-slot>/gs,
      '(later)',
    );
    const html = shown.replace(/<\/?docent-[^<>]*>/g, '');
    expect(html).toContain(
      '<section class="open"><i>2pOne</i>The <strong>first</strong></section>',
    );
    expect(html).toMatch(/<section class=""><i>2<em>Two<\/em><\/i><\/section><\/div>\(later\)/);
    expect(html).toMatch(/<p>In <strong>A<\/strong><\/p>\(later\)/);
    for (const words of ['The **second** [link](https://example.com/x)', 'In **B**'])
      expect(content.markdown.split(words)).toHaveLength(2);
    expect(diagnostics).toEqual([]);
  });

  it('can use slow regular expressions within the time limit', async () => {
    const link = `export const Link = ({ to }) => /^https:\\/\\/[^/]+\\/[^/]+\\/reports\\/.*-{2,3}x[a-z0-9]+/.test(to) ? <a href={to}>Report</a> : <b>None</b>`;
    const { content, diagnostics } = await compile(
      `${link}\n\n<Link to="https://a.example.com/team/reports/some-long-name--x1" />`,
    );
    expect(content.html).toContain('>Report</a>');
    expect(diagnostics).toEqual([]);
  });

  it('are all rendered, even hundreds on one page', async () => {
    const branch = component('Branch', '<div>{props.of === "s1" ? props.children : null}</div>');
    const calls = Array.from(
      { length: 360 },
      (_, at) => `<Branch of="s${at}">\n\nText of **s${at}**\n\n</Branch>`,
    );
    const { content, diagnostics } = await compile(branch + calls.join('\n\n'));
    expect(diagnostics).toEqual([]);
    expect(content.html.match(/data-rendered/g)).toHaveLength(360);
    expect(content.markdown.match(/Text of/g)).toHaveLength(360);
  });

  it('can use language globals that share a name with built-in components', async () => {
    const html = await htmlOf(
      `${component('A', '<p>{new Error("e").message}{new Map([[1, 2]]).get(1)}</p>')}<A />`,
    );
    expect(html).toBe('<p>e2</p>');
  });

  it('are rendered in expressions, under local names, and in interactive elements', async () => {
    const { content } = await compile(
      `${component('A', '<b>{props.n}</b>')}{[1, 2].map((n) => <A key={n} n={n} />)}\n\n{[A].map((Local) => <Local n={9} />)}\n\n<button onClick={() => alert(1)} className="c">Go **on**</button>\n\n{window.x}`,
    );
    const html = content.html.replace(/<\/?docent-island[^>]*>/g, '');
    expect(html).toContain('<b>1</b><b>2</b>');
    expect(html).toContain('<b>9</b>');
    expect(html).toContain(
      '<button class="c"><docent-slot data-slot="0">Go <strong>on</strong></docent-slot></button>',
    );
    expect(content.html.match(/<docent-island/g)).toHaveLength(5);
  });

  it('within a line keep the line intact, also in the Markdown', async () => {
    const { content } = await compile(
      `${component('N', '<b>{props.n}</b>')}Exactly <N n={3} /> times.`,
    );
    expect(content.html).toMatch(
      /^<p>Exactly <docent-island.*<b>3<\/b><\/docent-island> times\.<\/p>$/,
    );
    expect(content.markdown).toContain('Exactly **3** times.');
  });

  it('for forms have their initial values', async () => {
    const html = await htmlOf(
      `${component(
        'F',
        '<form><textarea defaultValue="a<b" /><select value="2"><option value="1">x</option><option value="2">y</option></select><input type="checkbox" defaultChecked /></form>',
      )}<F />`,
    );
    expect(html).toContain('<textarea>a&lt;b</textarea>');
    expect(html).toContain('<option value="1">x</option><option value="2" selected>y</option>');
    expect(html).toContain('<input type="checkbox" checked>');
  });

  it.each([
    ["new URL('../z?b=1#h', 'https://x.dev:8080/a/b/c').href", 'https://x.dev:8080/a/z?b=1#h'],
    [
      "(() => { const u = new URL('https://x.dev/a?z=1'); u.searchParams.set('q', 'a b'); u.hash = 'h'; return u + ' ' + u.host })()",
      'https://x.dev/a?z=1&amp;q=a+b#h x.dev',
    ],
    [
      "(() => { try { return new URL('nope').href } catch (error) { return error instanceof TypeError } })() + String(URL.canParse('a'))",
      'truefalse',
    ],
    [
      "(() => { const p = new URLSearchParams('?b=1&a=2&b=3'); p.sort(); return [...p].join(';') + p.getAll('b') + p.has('c') + new URLSearchParams({ x: 'ü&' }) })()",
      'a,2;b,1;b,31,3falsex=%C3%BC%26',
    ],
    [
      "['', 'a', 'ab', 'abc', '\\xff\\x00~'].map((text) => btoa(text) + ':' + (atob(btoa(text)) === text)).join()",
      ':true,YQ==:true,YWI=:true,YWJj:true,/wB+:true',
    ],
    [
      "atob(' aG k') + (() => { try { return btoa('€') } catch { return '!' } })() + (() => { try { return atob('a') } catch { return '!' } })()",
      'hi!!',
    ],
    [
      "[...new TextEncoder().encode('aé€😀')].join() + new TextDecoder().decode(new TextEncoder().encode('é😀'))",
      '97,195,169,226,130,172,240,159,152,128é😀',
    ],
    [
      "(() => { const a = { list: [1, { b: 2 }], at: new Date(0), map: new Map([['k', new Set([3])]]) }; a.self = a; const c = structuredClone(a); return [c.self === c, c !== a, c.list[1].b, +c.at, c.map.get('k').has(3)].join() })()",
      'true,true,2,0,true',
    ],
    [
      "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()) + ' ' + performance.now()",
      'true 0',
    ],
    [
      "new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(1234.5)",
      '$1,234.50',
    ],
    ["Intl.NumberFormat('de').format(1e6)", '1.000.000'],
    ["[0.25, 1].map(new Intl.NumberFormat('en', { style: 'percent' }).format).join()", '25%,100%'],
    ['(1234567.891).toLocaleString()', '1,234,567.891'],
    ['Infinity.toLocaleString()', '∞'],
    [
      "new Date('2024-03-05').toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric' })",
      'March 5, 2024',
    ],
    [
      "new Date('2024-03-05T12:30:00Z').toLocaleTimeString('en-GB', { timeStyle: 'short' })",
      '12:30',
    ],
    [
      "new Intl.DateTimeFormat('fr', { dateStyle: 'long' }).format(new Date(2024, 2, 5))",
      '5 mars 2024',
    ],
    ["new Intl.PluralRules('en', { type: 'ordinal' }).select(2)", 'two'],
    ["new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')", 'yesterday'],
    ["new Intl.ListFormat('en').format(['a', 'b', 'c'])", 'a, b, and c'],
    ["new Intl.DisplayNames('en', { type: 'region' }).of('CH')", 'Switzerland'],
    ["['ö', 'z', 'a'].sort((a, b) => a.localeCompare(b, 'de')).join('')", 'aöz'],
    [
      "(() => { try { (1).toLocaleString('en', { style: 'currency' }) } catch (e) { return e.message } })()",
      'Currency code is required with currency style.',
    ],
  ])('compute %s as a browser does', async (expression, expected) => {
    expect(await htmlOf(`${component('A', `<p>{${expression}}</p>`)}<A />`)).toBe(
      `<p>${expected}</p>`,
    );
  });

  it.each(['process.env.REGION', 'location', 'history'])(
    'leave {%s} in the text of a page as written, because no browser can show it, with a warning',
    async (expression) => {
      const { content, diagnostics } = await compile(`/regions/{${expression}}/servers`);
      expect(content.html).toBe(`<p>/regions/{${expression}}/servers</p>`);
      const [name] = expression.split('.');
      expect(diagnostics).toEqual([
        expect.objectContaining({
          message: expect.stringContaining(`The expression is shown as written: "${name}"`),
          line: 1,
        }),
      ]);
    },
  );

  it('render the same output on every machine, on the day of the content', async () => {
    const text = `${component('R', '<p>{Math.random()} {Date.now()} {new Date().getFullYear()} {new Date(2020, 0, 1).getHours()}</p>')}<R />`;
    const [one, two] = [await compile(text), await compile(text)];
    expect(one.content).toEqual(two.content);
    expect(one.content.html).toContain('1793577600000 2026 0</p>');
  });
});
