import { describe, expect, it } from 'vitest';
import { relatedDiagnostics } from './related-links.ts';

const page = (href: string, related?: unknown) => ({
  href,
  file: `${href.slice(1) || 'index'}.mdx`,
  frontmatter: { custom: related === undefined ? {} : { related } },
});

describe('related pages', () => {
  it('that the site does not have are reported with the file that names them', () => {
    const found = relatedDiagnostics([page('/'), page('/guide', ['index', '/guide.mdx', 'gone', { 'See also': '/lost#part' }])]);
    expect(found.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'guide.mdx: "related" refers to the page "/gone", which does not exist.',
      'guide.mdx: "related" refers to the page "/lost#part", which does not exist.',
    ]);
  });

  it('on other sites, and what is not a link, are not reported', () => {
    expect(relatedDiagnostics([page('/', ['https://example.com/x', 7, { a: null }]), page('/b', 'index')])).toEqual([]);
  });
});
