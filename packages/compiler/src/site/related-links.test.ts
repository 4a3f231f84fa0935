import { describe, expect, it } from 'vitest';
import { relatedDiagnostics } from './related-links.ts';

const page = (href: string, related?: unknown) => ({
  href,
  file: `${href.slice(1) || 'index'}.mdx`,
  frontmatter: { custom: related === undefined ? {} : { related } },
});

describe('a related page', () => {
  it('is reported with the file that names it if it does not exist', () => {
    const found = relatedDiagnostics([
      page('/'),
      page('/guide', ['index', '/guide.mdx', 'gone', { 'See also': '/lost#part' }]),
    ]);
    expect(found.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'guide.mdx: "related" refers to the page "/gone", which does not exist.',
      'guide.mdx: "related" refers to the page "/lost#part", which does not exist.',
    ]);
  });

  it('is not reported if it is on another site or is not a link', () => {
    expect(
      relatedDiagnostics([
        page('/', ['https://example.com/x', 7, { a: null }]),
        page('/b', 'index'),
      ]),
    ).toEqual([]);
  });
});
