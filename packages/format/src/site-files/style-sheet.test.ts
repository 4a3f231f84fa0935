import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { outsideOfStyleSheet, prepareStyleSheet, withFontFallbacks } from './style-sheet.ts';

const files = new Set([
  'images/a b.png',
  'images/x.png',
  'styles/more.css',
  'fonts/inter.woff2',
  'styles/deep/y.png',
]);
const prepare = (css: string, file = 'styles/site.css') =>
  prepareStyleSheet(css, { file, hasFile: (path) => files.has(path) });

describe('custom style sheets', () => {
  const remote = `/* @import url(https://comment.example/a.css); */
@import url("https://fonts.googleapis.com/css2?family=Inter:wght@0,14..32;1,14&display=swap");
@import '//cdn.example/b.css' screen;
@namespace svg url(http://www.w3.org/2000/svg);
@font-face { font-family: X; src: url(https://cdn.example/x.woff2) format("woff2"), url('../fonts/inter.woff2'); }
.a { background: red url( "http://cdn.example/p.png" ) no-repeat; content: "url(https://text.example)"; }
.b { background: image-set("https://cdn.example/1.png" 1x, u\\72l(https://cdn.example/2.png) 2x); }`;

  it('load nothing from another server, in any spelling of the URL', () => {
    const { text, diagnostics } = prepare(remote);
    expect(text).not.toMatch(/googleapis|cdn\.example/);
    expect(text).toContain('/* @import url(https://comment.example/a.css); */');
    expect(text).toContain('content: "url(https://text.example)"');
    expect(text).toContain(`url('../fonts/inter.woff2')`);
    expect(text).toContain('@namespace svg url(http://www.w3.org/2000/svg);');
    expect(text).toContain('background: red linear-gradient(#0000, #0000) no-repeat');
    expect(diagnostics).toEqual([]);
  });

  it('load local copies of external files, which are listed with their lines', () => {
    const wanted = outsideOfStyleSheet(remote);
    expect(wanted.map(({ kind, line }) => [kind, line])).toEqual([
      ['import', 2],
      ['import', 3],
      ['font', 5],
      ['picture', 6],
      ['picture', 7],
      ['picture', 7],
    ]);
    const names = new Map(
      wanted.map(({ address }, index) => [address, `_docent/outside/${index}`]),
    );
    const { text } = prepareStyleSheet(remote, {
      file: 'a/b.css',
      hasFile: () => true,
      copyOf: (address) => names.get(address),
    });
    expect(text).toContain('@import url("../_docent/outside/0");');
    expect(text).toContain('@import "../_docent/outside/1" screen;');
    expect(text).toContain('src: url("../_docent/outside/2") format("woff2")');
    expect(text).toContain('background: red url("../_docent/outside/3") no-repeat');
    expect(text).toContain('image-set("../_docent/outside/4" 1x, url("../_docent/outside/5") 2x)');
  });

  it('refer to files of the site relative to themselves, so that they work in any folder and on disk', () => {
    expect(prepare('.a{background:url(/images/x.png?v=1)}').text).toBe(
      '.a{background:url("../images/x.png?v=1")}',
    );
    expect(prepare('@import "/styles/more.css";', 'a/b/c.css').text).toBe(
      '@import "../../styles/more.css";',
    );
    expect(prepare('.a{background:url(/images/x.png)}', 'root.css').text).toBe(
      '.a{background:url("images/x.png")}',
    );
    expect(
      prepare('.a{mask:url(deep/y.png)} .b{fill:url(#g)} .c{src:url(data:,x)}').diagnostics,
    ).toEqual([]);
    expect(prepare('.a{background:url("/images/a%20b.png")}').text).toContain(
      '../images/a%20b.png',
    );
  });

  it('contain the small drawings that are masks, because browsers load none from another file on the disk', () => {
    const svg = '<svg/>';
    const place = {
      file: 'a.css',
      hasFile: () => true,
      readText: (path: string) => (path === 'i/x.svg' ? svg : '#'.repeat(5000)),
    };
    const css =
      'a:hover { background: url(/i/x.svg); mask: url("/i/x.svg") center } b { --icon: url(i/x.svg); -webkit-mask-image: url(/i/y.svg) }';
    expect(prepareStyleSheet(css, place).text).toBe(
      'a:hover { background: url("i/x.svg"); mask: url("data:image/svg+xml,%3Csvg%2F%3E") center } b { --icon: url("data:image/svg+xml,%3Csvg%2F%3E"); -webkit-mask-image: url("i/y.svg") }',
    );
  });

  it('match paragraphs by the element that the hosted service uses for them', () => {
    expect(prepare('.a span[data-as="p"], .b[data-as=p] code { margin: 0 }').text).toBe(
      '.a :is(span[data-as="p"], p), .b:is([data-as=p], p) code { margin: 0 }',
    );
  });

  it('never request a missing file', () => {
    const { text, diagnostics } = prepare('@import "tailwindcss";\n.a{background:url(gone.png)}');
    expect(text).toBe('\n.a{background:linear-gradient(#0000, #0000)}');
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['missing-file', 1],
      ['missing-file', 2],
    ]);
  });

  it('are processed in linear time', () => {
    const start = cpuMs();
    for (const hostile of [
      'url("',
      'url( ',
      ' ',
      '@import "',
      '@import (',
      '/*',
      'url(http://a',
      "'",
      'image-set(',
      '\\',
    ])
      prepare(`url(${hostile.repeat(50_000)}`);
    expect(cpuMs() - start).toBeLessThan(10_000);
  });
});

describe('withFontFallbacks', () => {
  it('adds a matching generic family to a list without one', () => {
    expect(withFontFallbacks('body { font-family: Geist }')).toBe(
      'body { font-family: Geist, var(--d-font-text) }',
    );
    expect(withFontFallbacks('pre{font-family:"Geist Mono"!important;color:red}')).toBe(
      'pre{font-family:"Geist Mono", var(--d-font-mono)!important;color:red}',
    );
    expect(withFontFallbacks("h1 { font-family: 'Source Serif 4' ; }")).toBe(
      "h1 { font-family: 'Source Serif 4', serif ; }",
    );
    expect(withFontFallbacks('h1 { FONT-FAMILY: "Open Sans", Lato')).toContain(
      'Lato, var(--d-font-text)',
    );
    expect(withFontFallbacks('a { font-family: var(--brand) }')).toContain(
      'var(--brand), var(--d-font-text)',
    );
  });

  it('leaves complete lists, font faces, and text that resembles a declaration unchanged', () => {
    for (const css of [
      'body { font-family: Geist, sans-serif }',
      'body { font-family: inherit; color: red }',
      'body { font-family: var(--a, Geist, system-ui) }',
      '@font-face { font-family: Geist; src: url(a.woff2) }',
      '/* font-family: Geist */ a::before { content: "font-family: Geist" }',
      '.font-family { color: red }',
      'a { transition: font-family 1s }',
    ])
      expect(withFontFallbacks(css)).toBe(css);
  });

  it('adds one family to each list of a style sheet of unclosed rules, and no other text', () => {
    const rule = 'a{font-family:';
    expect(withFontFallbacks(rule.repeat(40_000))).toBe(
      rule + `a, var(--d-font-text){font-family:`.repeat(39_999),
    );
  });
});
