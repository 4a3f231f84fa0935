import { describe, expect, it } from 'vitest';
import { memorySourceTree } from '../source/source-tree.ts';
import { readSiteCode } from './site-code.ts';

function codeOf(files: Record<string, string>, assets = Object.keys(files)) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  return readSiteCode({ assets }, memorySourceTree(bytes));
}

describe('the CSS and JavaScript of a repository', () => {
  it('is loaded in the order of the paths', () => {
    const code = codeOf({ 'z.css': 'a{}', 'a/b.css': 'a{}', 'b.js': 'a()', 'a/z.js': 'a()', 'empty.css': ' \n' });
    expect(code.styles).toEqual(['a/b.css', 'z.css']);
    expect(code.scripts).toEqual(['a/z.js', 'b.js']);
  });

  it('includes only files that the site serves', () => {
    const files = { 'style.css': 'a{}', 'tools/run.js': 'a()', 'snippets/card.jsx': 'export const A = 1' };
    expect(codeOf(files, ['style.css'])).toMatchObject({ styles: ['style.css'], scripts: [], diagnostics: [] });
  });

  it('is served without the imports that it may not load', () => {
    const code = codeOf({ 'style.css': '@import url(https://fonts.example/a.css);.a{color:red}', 'plain.css': '.a{}' });
    expect(new TextDecoder().decode(code.prepared.get('style.css'))).toBe('.a{color:red}');
    expect(code.prepared.has('plain.css')).toBe(false);
  });
});
