import { describe, expect, it } from 'vitest';
import { readSiteConfig } from './read-site-config.ts';

function readMint(settings: Record<string, unknown>) {
  const text = JSON.stringify({
    name: 'Old',
    colors: { primary: '#123456' },
    navigation: [{ group: 'G', pages: ['a'] }],
    ...settings,
  });
  return readSiteConfig({ readText: (path) => (path === 'mint.json' ? text : undefined) });
}

const groups = [
  { group: 'Start', pages: ['intro'] },
  { group: 'API', pages: [{ group: 'Nested', pages: ['api/users/get'] }] },
  { group: 'Users', pages: ['api/users/list'] },
];

describe('the conversion of mint.json', () => {
  it('produces the equivalent docs.json configuration', () => {
    const { config, file, diagnostics } = readMint({
      colors: { primary: '#123456', background: { dark: '#000' } },
      topbarLinks: [{ name: 'Support', url: 'https://example.com/s' }],
      topbarCtaButton: { type: 'github', url: 'https://example.com/r', arrow: true },
      footerSocials: { github: 'https://example.com/g' },
      modeToggle: { default: 'dark', isHidden: true },
      backgroundImage: '/bg.png',
      font: { headings: { family: 'Geist' }, body: { family: 'Inter' } },
      codeBlock: { mode: 'auto' },
      openapi: 'openapi.json',
      api: {
        baseUrl: 'https://api.example.com',
        auth: { method: 'bearer' },
        playground: { mode: 'hide' },
        request: { example: { languages: ['bash', 'Go'] } },
      },
      redirects: [{ source: '/a', destination: '/b' }],
      seo: { indexHiddenPages: true },
      metadata: { 'og:type': 'website' },
      layout: 'sidenav',
      feedback: { thumbsRating: true },
    });
    expect(diagnostics.map((one) => one.message)).toEqual([
      '"layout", "topbarCtaButton.arrow" have no effect here: the layout comes from "theme".',
    ]);
    expect(diagnostics[0]).toMatchObject({
      severity: 'info',
      remedy: expect.stringContaining('Nothing needs to be done'),
    });
    expect(file).toBe('mint.json');
    expect(config).toMatchObject({
      feedback: { thumbsRating: true, suggestEdit: false },
      theme: 'mint',
      navbar: {
        links: [{ label: 'Support', href: 'https://example.com/s' }],
        primary: { type: 'github', label: 'GitHub' },
      },
      footer: { socials: [{ platform: 'github', href: 'https://example.com/g' }] },
      appearance: { default: 'dark', strict: true },
      background: { color: { dark: '#000' }, image: { light: '/bg.png' } },
      fonts: { heading: { family: 'Geist' }, body: { family: 'Inter' } },
      codeblocks: { mode: 'system' },
      api: {
        openapi: [{ source: 'openapi.json' }],
        baseUrls: ['https://api.example.com'],
        authMethod: 'bearer',
        playground: 'none',
        examples: { languages: ['bash', 'go'] },
      },
      seo: { indexing: 'all', metatags: { 'og:type': 'website' } },
      navigation: { groups: [{ group: 'G', pages: ['a'] }] },
    });
  });

  it('assigns groups to the tab or anchor with the longest matching path', () => {
    const { config } = readMint({
      navigation: groups,
      tabs: [{ name: 'API', url: 'api' }],
      anchors: [
        { name: 'Users', url: '/api/users/', icon: 'user' },
        { name: 'Blog', url: 'https://example.com/blog' },
      ],
    });
    expect(config.navigation).toEqual({
      tabs: [
        { tab: 'Documentation', groups: [groups[0]] },
        {
          tab: 'API',
          anchors: [{ anchor: 'Users', icon: 'user', groups: [groups[1], groups[2]] }],
        },
      ],
      global: { anchors: [{ anchor: 'Blog', href: 'https://example.com/blog' }] },
    });
  });

  it('turns tabs and anchors with a path that has no pages into links', () => {
    const { config } = readMint({
      versions: ['v1', 'v2'],
      navigation: [{ group: 'API', version: 'v1', pages: ['api/start'] }],
      tabs: [
        { name: 'API', url: 'api' },
        { name: 'Status', url: '/status', version: 'v2' },
      ],
      anchors: [{ name: 'Community', icon: 'discord', url: '/discord' }],
    });
    expect(config.navigation).toEqual({
      versions: [
        {
          version: 'v1',
          tabs: [{ tab: 'API', groups: [{ group: 'API', version: 'v1', pages: ['api/start'] }] }],
        },
        { version: 'v2', tabs: [{ tab: 'Status', href: '/status' }] },
      ],
      global: { anchors: [{ anchor: 'Community', icon: 'discord', href: '/discord' }] },
    });
  });

  it('assigns groups to their version, and groups without one to every version', () => {
    const { config } = readMint({
      versions: ['v2', { name: 'v1', default: true }],
      navigation: [
        { group: 'Old', version: 'v1', pages: ['v1/a'] },
        { group: 'Both', pages: ['b'] },
      ],
    });
    expect(config.navigation).toEqual({
      versions: [
        { version: 'v2', groups: [{ group: 'Both', pages: ['b'] }] },
        {
          version: 'v1',
          default: true,
          groups: [
            { group: 'Old', version: 'v1', pages: ['v1/a'] },
            { group: 'Both', pages: ['b'] },
          ],
        },
      ],
    });
  });

  it('reports errors by the original keys', () => {
    const { diagnostics } = readMint({
      topbarLinks: [{ name: 'x', url: 'javascript:1' }],
      modeToggle: { default: 'black' },
      footer: { links: [{ title: 'Company', links: [{ label: 'Jobs', url: 7 }] }] },
      tpobarLinks: [],
    });
    expect(diagnostics.map((one) => one.message.split(' should')[0])).toEqual([
      'There is no setting "tpobarLinks".',
      '"modeToggle.default"',
      '"topbarLinks[0].url"',
      '"footer.links[0].links[0].url"',
    ]);
    expect(new Set(diagnostics.map((one) => one.file))).toEqual(new Set(['mint.json']));
  });
});
