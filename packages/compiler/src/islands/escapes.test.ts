import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { childProcesses, readProc } from '../../../../test/support/child-processes.ts';
import { compileIslandPage, innerHtml } from '../../../../test/support/fake-island-page.ts';
import { openSourceFolder } from '../source/source-tree.ts';
import { createIslandRenderer } from './island-renderer.ts';

/*
 * Attempts of a component to escape the sandbox, to stop the build, or to add something to a page
 * that the author of the page could not add. Components run at build time on the server that
 * publishes them.
 */
vi.setConfig({ testTimeout: 180_000 });

interface FakeElement {
  type: string | ((props: object) => FakeElement);
  children: unknown[];
}

const islands = createIslandRenderer();
afterAll(() => islands.close());

/** A page with one component that computes an expression and shows the result as text. */
const page = (expression: string, before = ''): string =>
  `export const Evil = () => {\n  useState(0)\n  ${before}\n  return <p>{String(${expression})}</p>\n}\n\nbefore\n\n<Evil />\n\nafter`;

const compile = (text: string, files?: Record<string, string>) =>
  compileIslandPage(islands, text, files);
const shown = async (expression: string, before?: string): Promise<string> =>
  /<p>([\s\S]*)<\/p>/.exec(
    /<\/p>(.*)<p>after/s.exec(innerHtml(await compile(page(expression, before))))?.[1] ?? '',
  )?.[1] ?? 'no HTML';

/** Expects the page without the component, a placeholder, and the reason in the report. */
async function expectRefused(
  text: string,
  reason: RegExp,
  files?: Record<string, string>,
): Promise<void> {
  const { content, diagnostics, failed } = await compile(text, files);
  expect(content.html).toContain('<p>before</p>');
  expect(content.html).toContain('<p>after</p>');
  expect(content.html).toContain('Interactive component: Evil');
  expect(diagnostics.find(({ code }) => code === 'island-failed')?.message ?? '').toMatch(reason);
  expect(failed).toBe(false);
}

describe('access to the host from a component', () => {
  it.each([
    [
      'process, require, module and other globals',
      '[typeof process, typeof require, typeof module, typeof global, typeof Buffer, typeof __dirname].join()',
      'undefined,undefined,undefined,undefined,undefined,undefined',
    ],
    [
      'network and file system APIs',
      '[typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof WebAssembly, typeof Deno, typeof Bun, typeof std, typeof os].join()',
      'undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined',
    ],
    [
      'browser globals',
      '[typeof window, typeof document, typeof navigator, typeof localStorage].join()',
      'undefined,undefined,undefined,undefined',
    ],
    [
      'constructors',
      "(() => {}).constructor.constructor('return typeof process + typeof require')()",
      'undefinedundefined',
    ],
    [
      'eval',
      "(0, eval)('typeof process') + globalThis['ev' + 'al']('typeof require')",
      'undefinedundefined',
    ],
    [
      'generators and async functions',
      "[function*(){}, async () => {}].map((f) => typeof f.constructor('return process')).join()",
      'function,function',
    ],
    [
      'React',
      "Object.keys(React).map((key) => { try { return React[key].constructor.constructor('return typeof process')() } catch { return 'undefined' } }).filter((one) => one !== 'undefined').length",
      '0',
    ],
    [
      'errors',
      "(() => { try { null.x } catch (e) { return e.constructor.constructor('return typeof process')() + typeof e.stack } })()",
      'undefinedstring',
    ],
    ['the clock, which is frozen', 'Date.now() - new Date().getTime()', '0'],
    [
      'the URL API',
      "[typeof docentUrl, URL.constructor('return typeof process')(), new URLSearchParams('a').get.constructor('return typeof require')()].join()",
      'undefined,undefined,undefined',
    ],
    [
      'the Intl API',
      "[typeof docentFormat, Intl.NumberFormat.constructor('return typeof process')(), new Intl.NumberFormat().format.constructor('return typeof require')()].join()",
      'undefined,undefined,undefined',
    ],
  ])('is blocked through %s', async (_, expression, expected) => {
    expect(await shown(expression)).toBe(expected);
  });

  it('is blocked through import(), which finds no module', async () => {
    expect(await shown("typeof import('f' + 's').then", '')).toMatch(
      /^(?:function|object|no HTML)$/,
    );
    expect(
      await shown(
        "(() => { import('f' + 's').then(() => { globalThis.found = 1 }); return typeof globalThis.found })()",
      ),
    ).toMatch(/^(?:undefined|no HTML)$/);
  });

  it('is blocked through timers, which never run', async () => {
    expect(
      await shown(
        '(() => { let ran = 0; setTimeout(() => { ran = 1 }, 0); setInterval(() => { ran = 1 }); return ran })()',
      ),
    ).toBe('0');
  });

  it.each([
    'fs',
    'node:fs',
    'child_process',
    'esbuild',
    'preact/../../package.json',
    'react/../../../package.json',
    'react-dom/server',
  ])('is blocked through an import of the package %s', async (name) => {
    const text = `import thing from '${name}'\n\n${page("Object.keys(thing.readFileSync ? thing : {}).length + (thing.version ?? '') + (thing.name ?? '')")}`;
    const { content, files } = await compile(text);
    expect(content.html).not.toMatch(/readFile|docent"|preact"/);
    for (const file of files ?? [])
      expect(file.text).not.toMatch(/renderToString|spawnSync|"devDependencies"/);
  });

  it.each([
    '/etc/passwd',
    '../../../../../../etc/passwd',
    'file:///etc/passwd',
    'data:text/javascript,export default 42',
    'http://127.0.0.1:1/x.js',
    'https://example.com/x.js',
    'docent:calls',
    './page.mdx/../../../etc/passwd',
    '\\\\etc\\\\passwd',
  ])('is blocked through an import of %s', async (name) => {
    const text = `import thing from '${name}'\n\n${page('thing')}`;
    await expectRefused(text, /cannot be imported here|could not be rendered/);
    const { files } = await compile(text);
    for (const file of files ?? []) expect(file.text).not.toContain('root:');
  });

  it('is blocked through symbolic links out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'docent-outside-'));
    const folder = mkdtempSync(join(tmpdir(), 'docent-islands-'));
    try {
      writeFileSync(join(outside, 'secret.json'), '{"secret":"TOPSECRET"}');
      writeFileSync(join(outside, 'secret.js'), 'export default "TOPSECRET"');
      symlinkSync(join(outside, 'secret.json'), join(folder, 'secret.json'));
      symlinkSync(outside, join(folder, 'linked'));
      const tree = openSourceFolder(folder);
      const text = `import one from '/secret.json'\nimport two from './linked/secret.js'\nimport three from '${outside}/secret.js'\n\n${page('[one, two, three]')}`;
      const modules = {
        page: { file: 'page.mdx', names: [] },
        day: '2026-11-02',
        resolve: (specifier: string) =>
          [specifier.replace(/^[./]+/, '')].find((path) => tree.has(path)),
        read: (file: string) =>
          file === 'page.mdx'
            ? { text: text.replace(/\n\nbefore[\s\S]*/, ''), loader: 'jsx' as const }
            : { text: tree.readText(file) ?? '', loader: 'jsx' as const },
      };
      const { outcomes, files } = await islands.render(
        [
          {
            file: 'page.mdx',
            code: '() => <Evil />',
            types: '[]',
            forms: [{ json: '{}', inside: [], own: [] }],
          },
        ],
        modules,
      );
      expect(outcomes[0]?.kind).toBe('failed');
      expect(JSON.stringify(files)).not.toContain('TOPSECRET');
    } finally {
      rmSync(outside, { recursive: true });
      rmSync(folder, { recursive: true });
    }
  });

  it('is blocked through globals of another page', async () => {
    await compile(page('(globalThis.left = Object.prototype.left = Array.prototype.left = 1)'));
    expect(await shown('[globalThis.left, {}.left, [].left].join()')).toBe(',,');
    expect(({} as { left?: number }).left).toBeUndefined();
  });
});

describe('the build', () => {
  it.each([
    ['an endless loop', '(() => { while (true) {} })()'],
    ['a loop in catch', '(() => { for (;;) { try { while (true) {} } catch {} } })()'],
    ['a loop in finally', '(() => { try { while (true) {} } finally { while (true) {} } })()'],
    ['catastrophic regex backtracking', "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
    [
      'endless promises',
      '(() => { const f = () => Promise.resolve().then(f); f(); while (true) {} })()',
    ],
    [
      'a slow sort',
      'Array.from({ length: 1e6 }, (_, i) => i).sort(() => { for (let i = 0; i < 1000; i++); return 0 })',
    ],
    ['a loop in a getter', '({ get x() { while (true) {} } }).x'],
    [
      'a loop in toString of a thrown value',
      '(() => { throw { get message() { while (true) {} }, toString() { while (true) {} } } })()',
    ],
  ])('survives a component with %s', async (_, expression) => {
    await expectRefused(page(expression), /it takes more than 50 ms|an error/);
  });

  it.each([
    ['arrays', "(() => { const a = []; while (true) a.push(new Array(1000).fill('x')) })()"],
    ['a growing string', "(() => { let s = 'x'; while (true) s += s })()"],
    ['a typed array', 'new Uint8Array(1 << 30).length'],
    ['a repeated string', "'x'.repeat(2 ** 29).length"],
    ['a huge BigInt', '(2n ** (2n ** 24n)).toString().length'],
    ['replacement patterns', "'a'.repeat(50000).replace(/a/g, '$`').length"],
  ])('survives a component that exhausts memory: %s', async (_, expression) => {
    await expectRefused(page(expression), /memory|50 ms|invalid|too large|too long|length/i);
  });

  it('survives an uninterruptible loop, and renders the other components of the page', async () => {
    const text = `${page("new Array(2 ** 31 - 1).join('abc').length")}\n\nexport const Fine = () => { useState(0); return <p>fine</p> }\n\n<Fine />`;
    const { content, diagnostics } = await compile(text);
    expect(content.html).toContain('Interactive component: Evil');
    expect(content.html).toContain('<p>fine</p>');
    expect(diagnostics.map(({ message }) => message).join()).toMatch(
      /<Evil> could not be rendered on the server: it (?:does not terminate|takes more)/,
    );
  });

  it.each([
    ['a function', '(function f() { return f() })()'],
    ['parsed JSON', "JSON.parse('['.repeat(1e6))"],
    [
      'serialized JSON',
      '(() => { const all = []; let at = all; for (let i = 0; i < 1e5; i++) { at[0] = []; at = at[0] } return JSON.stringify(all) })()',
    ],
    ['a regular expression', "new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('x')"],
    [
      'a component',
      "React.createElement(function Deep() { return React.createElement(Deep) }) && (() => { throw new Error('stack overflow') })()",
    ],
  ])('survives deep recursion: %s', async (_, expression) => {
    await expectRefused(page(expression), /could not be rendered/);
  });

  it('survives a component that contains itself', async () => {
    const text =
      'export const Evil = () => { useState(0); return <div><Evil /></div> }\n\nbefore\n\n<Evil />\n\nafter';
    await expectRefused(text, /too deeply|stack/);
  });

  it('survives a component that updates its state endlessly', async () => {
    await expectRefused(
      page('n', 'const [n, set] = useState(0); set(n + 1)'),
      /Too many re-renders/,
    );
  });

  it('survives a component with excessive output', async () => {
    const wide =
      'export const Evil = () => { useState(0); return <div>{Array.from({ length: 1e6 }, (_, i) => <b key={i}>x</b>)}</div> }';
    await expectRefused(`${wide}\n\nbefore\n\n<Evil />\n\nafter`, /too many elements|50 ms|memory/);
    const long = "export const Evil = () => { useState(0); return <div>{'x'.repeat(5e6)}</div> }";
    await expectRefused(`${long}\n\nbefore\n\n<Evil />\n\nafter`, /output is too large|50 ms/);
  });

  it('survives an endless loop outside a component', async () => {
    const text =
      'export const trap = (() => { while (true) {} })()\n\nexport const Evil = () => { useState(trap); return <p>x</p> }\n\nbefore\n\n<Evil />\n\nafter';
    await expectRefused(text, /50 ms/);
  });

  it.each([
    ['brackets', (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`],
    ['operators', (count: number) => `${'!'.repeat(count)}1`],
    ['elements', (count: number) => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`],
    ['functions', (count: number) => `${'a=>{return '.repeat(count)}1${'}'.repeat(count)}`],
  ])('survives endlessly nested code: %s', async (_, make) => {
    for (const file of ['deep.jsx', 'deep.tsx']) {
      const text = `import { deep } from '/${file}'\n\n${page('deep')}`;
      const { content } = await compile(text, { [file]: `export const deep = ${make(20_000)}` });
      expect(content.html).toContain('<p>after</p>');
      expect(content.html).toContain('Evil');
    }
    // The bundler still works.
    expect(await shown('1 + 1')).toBe('2');
  });

  it.skipIf(process.platform !== 'linux')(
    'bundles with a limit of memory, and goes on when the bundler was killed',
    async () => {
      expect(await shown('1 + 1')).toBe('2');
      const [bundler = 0] = childProcesses(process.pid, '--service=');
      expect(readProc(bundler, 'limits')).toMatch(/Max data size +536870912 /);
      process.kill(bundler, 'SIGKILL');
      await expect.poll(() => shown('3 + 3')).toBe('6');
      expect(childProcesses(process.pid, '--service=')).not.toContain(bundler);
    },
  );

  it('survives circular imports and too much code', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `m${n}.jsx`,
        `export * from './m${(n + 1) % 60}.jsx'; export const v${n} = ${n}; // ${'x'.repeat(30_000)}`,
      ]),
    );
    await expectRefused(`import { v59 } from '/m0.jsx'\n\n${page('v59')}`, /too much code/, files);
  });
});

describe('the HTML of a component', () => {
  it.each([
    ['<div dangerouslySetInnerHTML={{ __html: props.html }} />'],
    [
      '<div>{React.createElement("script", null, "alert(1)")}{React.createElement("SCRIPT", null, "alert(1)")}</div>',
    ],
    [
      '<div>{React.createElement("iframe", { srcDoc: "<script>alert(1)</script>" })}{React.createElement("base", { href: "https://evil.example" })}</div>',
    ],
    ['<a href="javascript:alert(1)" onclick="alert(1)" onMouseOver="alert(1)">x</a>'],
    [
      '<img src="x" onerror="alert(1)" {...{ "onload=alert(1) x": "y", "><script>alert(1)</script>": "z" }} />',
    ],
    [
      '<svg><foreignObject><body onload="alert(1)" /></foreignObject><a xlinkHref="javascript:alert(1)"><text>x</text></a></svg>',
    ],
    [
      '<p>{React.createElement("img/onerror=alert(1) src=x")}{React.createElement("p><script>alert(1)</script>")}</p>',
    ],
    ['<style>{"</style><script>alert(1)</script>"}</style>'],
    [
      '<form action="javascript:alert(1)"><button formAction="javascript:alert(1)">x</button></form>',
    ],
  ])('contains no executable code: %s', async (body) => {
    const markup =
      '<script>alert(1)</script><img src=x onerror=alert(1)><a href="java&#10;script:alert(1)">x</a>';
    const { content } = await compile(
      `export const Evil = (props) => { useState(0); return ${body} }\n\n<Evil html={${JSON.stringify(markup)}} />`,
    );
    // The props of the component are in an attribute, escaped; nothing else may contain code.
    const html = content.html.replace(/data-props="[^"]*"/g, '');
    expect(html).not.toMatch(
      /<script|\son\w+=|javascript:|<iframe|<base|<foreignobject|srcdoc|action=/i,
    );
  });

  it('escapes props and names that could end their attribute', async () => {
    const { content } = await compile(
      `${'export const Evil = (props) => { useState(0); return <p>{props.text}</p> }'}\n\n<Evil text={'"></docent-island></script><script>alert(1)</script>'} __proto__={{ polluted: 1 }} constructor="x" />`,
    );
    expect(content.html).not.toContain('<script>');
    expect(content.html).toContain('&lt;/script&gt;&lt;script&gt;');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('remains safe if the component manipulates its serialization', async () => {
    const hostile = [
      'Object.defineProperty(Array.prototype, "toJSON", { value: () => ({ t: "script", c: ["alert(1)"] }) })',
      'Object.prototype.toJSON = () => ({ t: "img", a: { onerror: "alert(1)", src: "x" } })',
      'Object.prototype.t = "script"',
      'JSON.stringify = () => "[{\\"t\\":\\"script\\",\\"c\\":[\\"alert(1)\\"]}]"',
      'globalThis.docentRender = () => "]["',
    ];
    for (const before of hostile) {
      const { content } = await compile(page('1', `try { ${before} } catch {}`));
      expect(content.html).toContain('<p>after</p>');
      expect(content.html.replace(/data-props="[^"]*"/g, '')).not.toMatch(/<script|onerror/);
    }
  });

  it('comes with one script that only registers the component, without other code or text of the page', async () => {
    const unused =
      "export const Unused = () => { globalThis.leak = 'unused'; return <i>unused</i> }";
    const evil = '</script><script>alert(1)</script>';
    const { files } = await compile(`${unused}\n\n${page(`'${evil}'`)}`);
    expect(files).toHaveLength(1);
    const { path = '', text = '' } = files?.[0] ?? {};
    expect(text).not.toMatch(/<\/script|unused|before|after/i);
    const browser: {
      self: {
        docentIslands?: [
          string,
          (react: object) => Record<string, (props: object) => FakeElement>,
        ][];
      };
    } = {
      self: {},
    };
    runInNewContext(text, browser);
    expect([Object.keys(browser), Object.keys(browser.self)]).toEqual([
      ['self'],
      ['docentIslands'],
    ]);
    const [[hash = '', run] = [], ...others] = browser.self.docentIslands ?? [];
    expect([path, others]).toEqual([`_docent/islands-${hash}.js`, []]);
    const createElement = (type: FakeElement['type'], _props: object, ...children: unknown[]) => ({
      type,
      children,
    });
    const { call0, ...more } = run?.({ useState: () => [], createElement }) ?? {};
    expect(more).toEqual({});
    const evilElement = call0?.({}).type as (props: object) => FakeElement;
    expect(evilElement({})).toEqual({ type: 'p', children: [evil] });
  });
});
