import { describe, expect, it } from 'vitest';
import { buildNavigation } from '../navigation/build-navigation.ts';
import { llmsPages, robotsTxt, sitemapPages, sitemapXml } from './sitemap.ts';

describe('sitemapXml', () => {
  it('contains absolute, escaped, and encoded URLs', () => {
    const xml = sitemapXml('https://a.example/docs', [
      { href: '/' },
      { href: '/a&b', lastModified: '2026-01-02' },
      { href: '/中 文' },
    ]);
    expect(xml).toContain('<url><loc>https://a.example/docs/</loc></url>');
    expect(xml).toContain(
      '<url><loc>https://a.example/docs/a&amp;b</loc><lastmod>2026-01-02</lastmod></url>',
    );
    expect(xml).toContain('<loc>https://a.example/docs/%E4%B8%AD%20%E6%96%87</loc>');
  });

  it('never exceeds the number of entries that the protocol allows', () => {
    const xml = sitemapXml(
      'https://a.example',
      Array.from({ length: 50_001 }, (_, index) => ({ href: `/${index}` })),
    );
    expect(xml.match(/<url>/g)).toHaveLength(50_000);
  });
});

describe('robotsTxt', () => {
  it('allows crawlers and states the sitemap and the content signal', () => {
    expect(robotsTxt('https://a.example/sitemap.xml', 'search=yes')).toBe(
      'User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nSitemap: https://a.example/sitemap.xml\n',
    );
  });
});

const { navigation } = buildNavigation(
  {
    languages: [
      {
        language: 'en',
        groups: [
          { group: 'G', pages: ['a', 'hidden', 'noindex', 'unsearchable', 'external'] },
          { group: 'Hidden', hidden: true, pages: ['in-hidden'] },
          { group: 'Findable', hidden: true, searchable: true, pages: ['findable'] },
        ],
      },
      { language: 'fr', pages: ['fr/a'] },
    ],
  },
  {
    file: 'docs.json',
    hasPage: () => true,
    isPublic: () => true,
    apiPages: () => [],
    symbolPages: () => [],
    subjectOf: () => undefined,
    operationOf: () => undefined,
    defaultOpenApi: [],
  },
);
const pages = [
  { path: 'orphan' },
  { path: 'fr/orphan' },
  { path: 'fr/a' },
  { path: 'in-hidden' },
  { path: 'findable' },
  { path: 'external', externalUrl: 'https://example.com' },
  { path: 'unsearchable' },
  { path: 'noindex', noindex: true },
  { path: 'hidden', hidden: true },
  { path: 'a' },
];

function paths(list: typeof llmsPages, indexing: 'navigable' | 'all'): string[] {
  return list({ navigation, pages, indexing }).map((page) => page.path);
}

describe('page lists', () => {
  it('for llms.txt have the default language in menu order, without hidden and noindex pages', () => {
    expect(paths(llmsPages, 'navigable')).toEqual(['a', 'unsearchable', 'external', 'findable']);
  });

  it('for the sitemap have all languages and no links to other sites', () => {
    expect(paths(sitemapPages, 'navigable')).toEqual(['a', 'unsearchable', 'findable', 'fr/a']);
  });

  it('include pages outside the navigation if the site requests it', () => {
    expect(paths(llmsPages, 'all')).toEqual([
      'a',
      'unsearchable',
      'external',
      'findable',
      'orphan',
    ]);
    expect(paths(sitemapPages, 'all')).toEqual([
      'a',
      'unsearchable',
      'findable',
      'fr/a',
      'orphan',
      'fr/orphan',
    ]);
  });
});
