import { describe, expect, it } from 'vitest';
import { testConfig, testMenu, testSite, testView } from '../../../../test/support/test-view.ts';
import { renderPage } from '../render-page.ts';

type Changes = Parameters<typeof testView>[0];
const headOf = (changes: Changes) => renderPage(testView(changes)).split('</head>')[0] as string;
const graphOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}')[
    '@graph'
  ];
const origin = 'https://docs.acme.test';

describe('the metadata of a page', () => {
  it('contains structured data about the publisher, the position and the type of the page', () => {
    const organization = {
      name: 'Acme Inc',
      legalName: 'Acme Incorporated',
      sameAs: ['https://acme.test/x'],
    };
    const config = testConfig({
      seo: { indexing: 'navigable', metatags: {}, organization },
      logo: { light: '/logo.png', dark: '/d.png' },
    });
    const site = testSite({ config, origin });
    const page = {
      title: 'Start </script>',
      description: 'About',
      keywords: ['a'],
      lastUpdated: '2025-01-02',
    };
    const graph = graphOf(headOf({ site, page }));
    expect(graph.map((thing: Record<string, unknown>) => thing['@type'])).toEqual([
      'Organization',
      'WebSite',
      'WebPage',
      'BreadcrumbList',
      'TechArticle',
    ]);
    expect(graph[0]).toMatchObject({
      name: 'Acme Inc',
      logo: `${origin}/logo.png`,
      sameAs: ['https://acme.test/x'],
    });
    expect(graph[2]).toMatchObject({
      name: 'Start </script>',
      url: `${origin}/guides/start`,
      isPartOf: { '@id': graph[1]['@id'] },
      breadcrumb: { '@id': graph[3]['@id'] },
    });
    expect(graph[4]).toMatchObject({
      headline: 'Start </script>',
      dateModified: '2025-01-02',
      mainEntityOfPage: { '@id': graph[2]['@id'] },
      author: { '@id': graph[0]['@id'] },
    });
    expect(graph[3].itemListElement).toMatchObject([
      { position: 1, name: 'Guides', item: `${origin}/guides/start` },
      { position: 2, name: 'Start </script>' },
    ]);
    expect(graphOf(headOf({ site, page: { method: 'GET' } }))[4]['@type']).toBe('APIReference');
    expect(headOf({ site, page: { noindex: true } })).not.toContain('ld+json');
    expect(headOf({ site: testSite({ config }) })).not.toContain('ld+json');
  });

  it('has the words of a description with Markdown, which the page itself shows with its links and marks', () => {
    const page = {
      description: 'Use **all** of [`a <b>`](/guides/more) or [this](javascript:alert)',
    };
    const html = renderPage(testView({ page }));
    expect(html).toContain('<meta name="description" content="Use all of a &lt;b&gt; or this">');
    expect(html).toContain(
      'Use <strong>all</strong> of <a href="/guides/more"><code>a &lt;b&gt;</code></a> or <a href="#" rel="noreferrer">this</a></p>',
    );
  });

  it('prefers values of the page over docs.json, and values of docs.json over generated ones', () => {
    const previewImage = () => `${origin}/_docent/og/guides/start.png`;
    const drawn = headOf({ site: testSite({ origin, previewImage }) });
    expect(drawn).toContain(
      '<meta property="og:image" content="https://docs.acme.test/_docent/og/guides/start.png">',
    );
    expect(drawn).toContain('<meta name="twitter:card" content="summary_large_image">');
    const seo = {
      indexing: 'navigable' as const,
      metatags: { 'og:image': '/all.png', 'twitter:site': '@acme', robots: 'noarchive' },
    };
    const site = testSite({ origin, previewImage, config: testConfig({ seo }) });
    expect(headOf({ site })).toContain(`<meta property="og:image" content="${origin}/all.png">`);
    expect(headOf({ site })).toContain('<meta name="robots" content="noarchive">');
    const metatags = { 'og:image': '/one.png', 'og:title': 'Other', robots: 'nofollow' };
    const own = headOf({ site, page: { metatags } });
    expect(own.match(/property="og:image"/g)).toHaveLength(1);
    expect(own).toContain(`content="${origin}/one.png"`);
    expect(own).toContain('<meta property="og:title" content="Other">');
    expect(own).toContain('<meta name="robots" content="nofollow">');
    expect(own).toContain('content="@acme"');
    expect(headOf({ site, page: { metatags, noindex: true } })).toContain(
      '<meta name="robots" content="noindex">',
    );
  });

  it('includes hreflang links only to translations of the same page', () => {
    const choice = (
      label: string,
      href: string,
      twin?: { language: string; isDefault: boolean },
    ) => ({
      ...{ label, href, active: false },
      ...(twin ? { twin } : {}),
    });
    const items = [
      choice('English', '/guides/start', { language: 'en', isDefault: true }),
      choice('Deutsch', '/de/guides/start', { language: 'de', isDefault: false }),
      choice('Français', '/fr/other'),
    ];
    const menu = testMenu({ levels: [{ kind: 'language', items }] });
    const html = headOf({ site: testSite({ origin }), menu });
    expect(html.match(/hreflang="[^"]*" href="[^"]*"/g)).toEqual([
      `hreflang="en" href="${origin}/guides/start"`,
      `hreflang="x-default" href="${origin}/guides/start"`,
      `hreflang="de" href="${origin}/de/guides/start"`,
    ]);
  });

  it('ends canonical URLs with a slash if configured', () => {
    const config = testConfig({
      seo: { indexing: 'navigable', metatags: {}, trailingSlash: true },
    });
    expect(headOf({ site: testSite({ origin, config }) })).toContain(
      `<link rel="canonical" href="${origin}/guides/start/">`,
    );
    expect(headOf({ site: testSite({ origin }) })).toContain(
      `<link rel="canonical" href="${origin}/guides/start">`,
    );
  });

  it('links the feed of a changelog, which the page shows only if configured', () => {
    const quiet = renderPage(testView({ page: { feed: 'quiet' } }));
    expect(quiet).toContain(
      'type="application/rss+xml" title="Start" href="/guides/start/rss.xml"',
    );
    expect(quiet).not.toContain('d-feed');
    expect(renderPage(testView({ page: { feed: 'shown' } }))).toContain('class="d-feed"');
  });

  it('loads the fonts of the repository, and none from other servers', () => {
    const fonts = {
      body: { family: 'My "Font"</style>', source: '/fonts/a.woff2' },
      heading: { family: 'Far', source: 'https://fonts.test/f.woff2' },
    };
    const html = headOf({ site: testSite({ config: testConfig({ fonts }) }) });
    expect(html).toContain('src:url("/fonts/a.woff2") format("woff2")');
    expect(html).toContain('--d-font-body:"My Font/style"');
    expect(html).not.toContain('fonts.test');
  });

  it('includes the visible date of the last change if configured', () => {
    const page = { lastUpdated: '2025-03-09', showsLastUpdated: true };
    expect(renderPage(testView({ page }))).toContain(
      '<time datetime="2025-03-09">March 9, 2025</time>',
    );
    expect(renderPage(testView({ page: { lastUpdated: '2025-03-09' } }))).not.toContain('<time');
  });
});
