// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of pages are what is tested.
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { compileText } from '../../../../../test/support/fake-site.ts';

describe('an isolated expression', () => {
  it.each([
    '"".constructor.constructor("return process")()',
    '(() => {}).constructor("return 1")()',
    '[].map.constructor("return 1")()',
    'Object.constructor("return 1")()',
    'Math.abs.call.call(1)',
    '({}).__proto__.polluted = 1',
    '({})["__proto__"]',
    'Object.assign({}, JSON.parse("{\\"__proto__\\": {\\"polluted\\": 1}}")).polluted',
    '[].constructor',
    'props.__proto__',
    'user.constructor.constructor("return this")()',
    'globalThis',
    'process.env.HOME',
    'require("fs")',
    'import("node:fs")',
    'eval("1")',
    'new Function("return 1")()',
    'this.constructor',
    'arguments',
    '(function () { return this })().constructor',
    '"a".replace(/a/, "".constructor.constructor("return 1"))',
    '[1].sort("".sub.constructor)',
    '<b>x</b>.nodes',
    'Array.from({ length: 3, constructor: Object })[Symbol.iterator]',
    '`${{ toString: () => "pwned" }}`',
    '({ valueOf: () => 7 }) + 0',
    '({ get a() { return 1 } }).a',
    'class { static { 1 } }',
    'async () => await 1',
  ])('%s reaches nothing of the host', async (source) => {
    const { content } = await compileText(`x{${source}}x`);
    expect(content.html).not.toMatch(/native code|\/root|\/home|pwned|\[object (?!Object)/);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(content.html.startsWith('<p>x')).toBe(true);
  });

  it('keeps props named like prototype members as data', async () => {
    const { content } = await compileText(
      '<Props {...JSON.parse("{\\"__proto__\\": {\\"admin\\": true}, \\"constructor\\": 1}")} toString="x" />',
    );
    expect(content.html).toContain(
      '{&quot;constructor&quot;:1,&quot;toString&quot;:&quot;x&quot;}',
    );
  });

  it('cannot change what another page sees', async () => {
    await compileText(
      'export const f = () => { Math.PI = 3; Object.keys = 1; user.name = "x"; undefined = 1; return 1; };\n\n{f()}',
    );
    const { content } = await compileText(
      'x {Math.round(Math.PI * 100)} {Object.keys({a: 1})} {user.name}',
    );
    expect(content.html).toBe('<p>x 314 a </p>');
  });
});

describe('expression limits', () => {
  it.each([
    ['endless recursion', 'export const f = (n) => f(n + 1);\n\n{f(0)}'],
    [
      'mutual recursion of components',
      'export const A = () => <B />;\nexport const B = () => <A />;\n\n<A />',
    ],
    ['an endless loop', 'export const f = () => { while (true) {} };\n\n{f()}'],
    ['an endless for', 'export const f = () => { for (;;) {} };\n\n{f()}'],
    [
      'a list that grows during iteration',
      'export const f = () => { const a = [1]; for (const x of a) { a.push(x); } };\n\n{f()}',
    ],
    [
      'doubling text',
      'export const f = () => { let s = "xxxxxxxx"; for (let i = 0; i < 60; i++) s = s + s; return s; };\n\n{f()}',
    ],
    ['repeat', '{"x".repeat(1e9)}'],
    ['repeat of repeats', '{Array.from({length: 20000}).map(() => "x".repeat(1e6)).join("")}'],
    ['replace that multiplies', '{"x".repeat(900000).replaceAll("x", "y".repeat(900000))}'],
    ['a long list', '{Array.from({length: 1e9})}'],
    [
      'doubling lists',
      'export const f = () => { let a = [1]; for (let i = 0; i < 60; i++) a = [...a, ...a]; return a; };\n\n{f()}',
    ],
    [
      'shared lists rendered',
      'export const f = () => { let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return a; };\n\n{f()}',
    ],
    [
      'shared lists as a prop',
      'export const f = () => { let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return a; };\n\n<Props value={f()} />',
    ],
    [
      'shared lists in JSON',
      'export const f = () => { let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return JSON.stringify(a); };\n\n{f()}',
    ],
    [
      'doubling nodes',
      'export const f = () => { let a = <b>x</b>; for (let i = 0; i < 60; i++) a = <i>{a}{a}</i>; return a; };\n\n{f()}',
    ],
    [
      'doubling nodes in props',
      'export const f = () => { let a = <b>x</b>; for (let i = 0; i < 60; i++) a = <Card icon={a} title={a}>x</Card>; return a; };\n\n{f()}',
    ],
    [
      'a runaway regular expression',
      '{/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")}',
    ],
    [
      'a regular expression with many alternatives',
      `{/${'a?'.repeat(40)}${'a'.repeat(40)}/.test("${'a'.repeat(40)}")}`,
    ],
    ['a long regular search', '{/a*b*c*d*e*f*$/.test("a".repeat(100000))}'],
    ['nested brackets', `{${'['.repeat(600)}${']'.repeat(600)}}`],
    ['a long chain of operators', `{1${'+1'.repeat(3000)}}`],
    ['deep members', `{user${'.a'.repeat(3000)}}`],
  ])('stop %s quickly and keep the rest of the page', async (_, page) => {
    const started = cpuMs();
    const { content, diagnostics } = await compileText(`before\n\n${page}\n\nafter\n`);
    expect(content.html.length).toBeLessThan(100_000);
    expect(content.html).toContain('<p>before</p>');
    expect(content.html).toContain('<p>after</p>');
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(cpuMs() - started).toBeLessThan(5000);
  });

  it('keep a list from containing itself', async () => {
    const page = (end: string) =>
      `export const f = () => { const a = []; ${end} return JSON.stringify(a); };\n\nx{f()}`;
    for (const end of ['a.push(a);', 'const o = { a }; a.push(o);', 'a.unshift([a]);']) {
      const { content, diagnostics } = await compileText(page(end));
      expect(content.html).toMatch(/^<p>x<span class="d-placeholder"/);
      expect(diagnostics).toMatchObject([{ code: 'needs-browser' }]);
    }
    expect((await compileText(page('a.push(1);'))).content.html).toBe('<p>x[1]</p>');
  });

  it('keep an object from containing itself', async () => {
    const page =
      'export const f = () => { const a = {}; const b = [{ a }]; Object.assign(a, { b }); return JSON.stringify(a); };\n\nx{f()}';
    const { diagnostics } = await compileText(page);
    expect(diagnostics).toMatchObject([{ code: 'needs-browser' }]);
  });
});
