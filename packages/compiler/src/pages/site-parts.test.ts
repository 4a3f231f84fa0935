import { describe, expect, it, test } from 'vitest';
import { memorySourceTree } from '../source/source-tree.ts';
import { AnchorCheck, readSiteCode } from './site-parts.ts';

function codeOf(files: Record<string, string>, assets = Object.keys(files)) {
  const bytes = new Map(
    Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  );
  return readSiteCode({ assets, config: {} }, memorySourceTree(bytes));
}

describe('the CSS and JavaScript of a repository', () => {
  it('is loaded in the order of the paths', () => {
    const code = codeOf({
      'z.css': 'a{}',
      'a/b.css': 'a{}',
      'b.js': 'a()',
      'a/z.js': 'a()',
      'empty.css': ' \n',
    });
    expect(code.styles).toEqual(['a/b.css', 'z.css']);
    expect(code.scripts).toEqual(['a/z.js', 'b.js']);
  });

  it('includes only files that the site serves', () => {
    const files = {
      'style.css': 'a{}',
      'tools/run.js': 'a()',
      'snippets/card.jsx': 'export const A = 1',
    };
    expect(codeOf(files, ['style.css'])).toMatchObject({
      styles: ['style.css'],
      scripts: [],
      diagnostics: [],
    });
  });

  it('is served without the imports that it may not load', () => {
    const code = codeOf({
      'style.css': '@import url(https://fonts.example/a.css);.a{color:red}',
      'plain.css': '.a{}',
    });
    expect(new TextDecoder().decode(code.prepared.get('style.css'))).toBe('.a{color:red}');
    expect(code.prepared.has('plain.css')).toBe(false);
  });
});

const link = (path: string, id: string, line = 1) => ({ path, id, file: 'a.mdx', line });

test('a link to a missing anchor is reported once, with its position and a remedy', () => {
  const check = new AnchorCheck();
  check.add('/a', {
    anchors: [],
    anchorLinks: [link('/b', 'gone', 7), link('/b', 'gone', 7), link('/b', 'here')],
  });
  check.add('/b', { anchors: ['here'], anchorLinks: [] });
  expect(check.diagnostics()).toEqual([
    {
      severity: 'warning',
      code: 'broken-link',
      message: 'The page "/b" has no heading or id "#gone".',
      remedy: 'Correct the link, or add the id to the heading with {#id}.',
      file: 'a.mdx',
      line: 7,
    },
  ]);
});

test('a link with the heading id of another platform is not reported, because browsers find the heading', () => {
  const check = new AnchorCheck();
  check.add('/b', { anchors: ['sync-vercelenvvars', '—'], anchorLinks: [] });
  check.add('/a', {
    anchors: [],
    anchorLinks: [link('/b', 'sync_VercelEnvVars'), link('/b', '!', 2)],
  });
  expect(check.diagnostics().map(({ line }) => line)).toEqual([2]);
});

test('the top of a page, encoded ids and pages that were not compiled are not reported', () => {
  const check = new AnchorCheck();
  check.add('/b', { anchors: ['über-uns', 'a&b'], anchorLinks: [] });
  const ids = ['', 'top', '%C3%BCber-uns', 'a%26b', '%E0%A4%A'];
  check.add('/a', {
    anchors: [],
    anchorLinks: [...ids.map((id) => link('/b', id)), link('/elsewhere', 'x')],
  });
  expect(check.diagnostics().map(({ message }) => message)).toEqual([
    'The page "/b" has no heading or id "#%E0%A4%A".',
  ]);
});
