import { describe, expect, it } from 'vitest';
import { robotsTxt, sitemapXml } from './sitemap.ts';

describe('sitemapXml', () => {
  it('contains absolute, escaped, and encoded URLs', () => {
    const xml = sitemapXml('https://a.example/docs', [
      { href: '/' },
      { href: '/a&b', lastModified: '2026-01-02' },
      { href: '/中 文' },
    ]);
    expect(xml).toContain('<url><loc>https://a.example/docs/</loc></url>');
    expect(xml).toContain('<url><loc>https://a.example/docs/a&amp;b</loc><lastmod>2026-01-02</lastmod></url>');
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
    expect(robotsTxt({ sitemapUrl: 'https://a.example/sitemap.xml', contentSignal: 'search=yes\nDisallow: /' })).toBe(
      'User-agent: *\nContent-Signal: search=yes Disallow: /\nAllow: /\n\nSitemap: https://a.example/sitemap.xml\n',
    );
  });

  it('blocks all crawlers from sites that must not be indexed', () => {
    expect(robotsTxt({ disallowAll: true, sitemapUrl: 'https://a.example/sitemap.xml' })).toBe('User-agent: *\nDisallow: /\n');
  });
});
