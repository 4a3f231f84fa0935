import { describe, expect, it } from 'vitest';
import { memorySourceTree } from '../source/source-tree.ts';
import { readSiteCode } from './site-code.ts';

function codeOf(files: Record<string, string>, assets = Object.keys(files)) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  return readSiteCode({ assets }, memorySourceTree(bytes));
}

describe('the code of a repository', () => {
  it('is on every page in the order of the paths, whatever the order in which the files were found', () => {
    const code = codeOf({ 'z.css': 'a{}', 'a/b.css': 'a{}', 'b.js': 'a()', 'a/z.js': 'a()', 'empty.css': ' \n' });
    expect(code.styles).toEqual(['a/b.css', 'z.css']);
    expect(code.scripts).toEqual(['a/z.js', 'b.js']);
  });

  it('is only what the site serves: ignored files have no part in it', () => {
    const files = { 'style.css': 'a{}', 'tools/run.js': 'a()', 'snippets/card.jsx': 'export const A = 1' };
    expect(codeOf(files, ['style.css'])).toMatchObject({ styles: ['style.css'], scripts: [], diagnostics: [] });
  });

  it('is served with what it may not load taken out', () => {
    const code = codeOf({ 'style.css': '@import url(https://fonts.example/a.css);.a{color:red}', 'plain.css': '.a{}' });
    expect(new TextDecoder().decode(code.prepared.get('style.css'))).toBe('.a{color:red}');
    expect(code.prepared.has('plain.css')).toBe(false);
  });
});
