import { describe, expect, it } from 'vitest';
import { prepareStyleSheet } from './style-sheet.ts';

const files = new Set(['images/a b.png', 'images/x.png', 'styles/more.css', 'fonts/inter.woff2', 'styles/deep/y.png']);
const prepare = (css: string, file = 'styles/site.css') => prepareStyleSheet(css, { file, hasFile: (path) => files.has(path) });

describe('custom style sheets', () => {
  it('load nothing from another origin, and say so with the line', () => {
    const css = `/* @import url(https://comment.example/a.css); */
@import url("https://fonts.googleapis.com/css2?family=Inter:wght@0,14..32;1,14&display=swap");
@import '//cdn.example/b.css' screen;
@font-face { font-family: X; src: url(https://cdn.example/x.woff2) format("woff2"), url('../fonts/inter.woff2'); }
.a { background: red url( "http://cdn.example/p.png" ) no-repeat; content: "url(https://text.example)"; }`;
    const { text, diagnostics } = prepare(css);
    expect(text).not.toMatch(/googleapis|cdn\.example/);
    expect(text).toContain('/* @import url(https://comment.example/a.css); */');
    expect(text).toContain('content: "url(https://text.example)"');
    expect(text).toContain(`url('../fonts/inter.woff2')`);
    expect(text).toContain('background: red none no-repeat');
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['remote-style', 2],
      ['remote-style', 3],
      ['remote-style', 4],
      ['remote-style', 5],
    ]);
  });

  it('name files from the root of the site relative to themselves, so that they are found in any folder and on the disk', () => {
    expect(prepare('.a{background:url(/images/x.png?v=1)}').text).toBe('.a{background:url("../images/x.png?v=1")}');
    expect(prepare('@import "/styles/more.css";', 'a/b/c.css').text).toBe('@import "../../styles/more.css";');
    expect(prepare('.a{background:url(/images/x.png)}', 'root.css').text).toBe('.a{background:url("images/x.png")}');
    expect(prepare('.a{mask:url(deep/y.png)} .b{fill:url(#g)} .c{src:url(data:,x)}').diagnostics).toEqual([]);
    expect(prepare('.a{background:url("/images/a%20b.png")}').text).toContain('../images/a%20b.png');
  });

  it('ask for no file that is not there', () => {
    const { text, diagnostics } = prepare('@import "tailwindcss";\n.a{background:url(gone.png)}');
    expect(text).toBe('\n.a{background:none}');
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['missing-file', 1],
      ['missing-file', 2],
    ]);
  });

  it('are read in time that grows with their length alone', () => {
    const start = performance.now();
    for (const hostile of ['url("', '@import "', '@import (', '/*', 'url(http://a', "'"]) prepare(hostile.repeat(50_000));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
