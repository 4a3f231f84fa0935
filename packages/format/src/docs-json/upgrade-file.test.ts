import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../../../test/support/schema-faults.ts';
import { JsonSyntaxError } from '../json-document.ts';
import { editorSchema } from './json-schema.ts';
import { upgradeFile } from './upgrade-file.ts';

const old = {
  name: 'Old',
  theme: 'quill',
  colors: {
    primary: '#123456',
    background: { dark: '#000' },
    anchors: { from: '#111111', to: '#222222' },
  },
  logo: { light: '/l.svg', dark: '/d.svg' },
  topbarLinks: [{ name: 'Support', url: 'https://example.com/s', type: 'link' }],
  topbarCtaButton: { type: 'github', url: 'https://example.com/r', style: 'pill' },
  footer: {
    socials: { github: 'https://example.com/g' },
    links: [
      {
        title: 'Company',
        links: [
          { label: 'Jobs', url: 'https://example.com/j' },
          { name: 'Blog', url: '/blog' },
        ],
      },
    ],
  },
  search: { location: 'side', prompt: 'Ask' },
  tabs: [
    { name: 'API', url: 'api' },
    { name: 'Forum', url: 'https://forum.example.com' },
  ],
  navigation: [
    { group: 'Start', pages: ['intro'] },
    { group: 'API', pages: ['api/a'] },
  ],
  api: {
    baseUrl: 'https://api.example.com',
    auth: { method: 'key', name: 'X-Key', inputPrefix: 'Bearer ' },
    playground: { mode: 'simple', disableProxy: true },
    paramFields: { expanded: 'all' },
  },
  analytics: { ga4: { measurementId: 'G-1' } },
  integrations: { intercom: 'abc123' },
  metadata: { 'og:type': 'website' },
  rounded: 'sharp',
};

describe('the upgrade of a mint.json', () => {
  it('produces a docs.json that the editor schema accepts', () => {
    const { text, diagnostics } = upgradeFile(JSON.stringify(old));
    expect(schemaFaults(JSON.parse(text), editorSchema())).toEqual([]);
    expect(
      diagnostics.filter(
        ({ code, severity }) => code !== 'setting-not-used' && severity !== 'info',
      ),
    ).toEqual([]);
  });

  it('moves settings to their new place, in the order of the format', () => {
    const docs = JSON.parse(upgradeFile(JSON.stringify(old)).text);
    expect(Object.keys(docs).slice(0, 4)).toEqual(['$schema', 'theme', 'name', 'colors']);
    expect(Object.keys(docs).at(-1)).toBe('navigation');
    expect(docs).toMatchObject({
      theme: 'maple',
      colors: { primary: '#123456' },
      background: { color: { dark: '#000' } },
      navbar: {
        links: [{ label: 'Support', href: 'https://example.com/s' }],
        primary: { type: 'github', href: 'https://example.com/r' },
      },
      search: { prompt: 'Ask' },
      api: {
        playground: { display: 'simple', proxy: false },
        params: { expanded: 'all' },
        mdx: { server: 'https://api.example.com', auth: { method: 'key', name: 'X-Key' } },
      },
      footer: {
        socials: { github: 'https://example.com/g' },
        links: [
          {
            header: 'Company',
            items: [
              { label: 'Jobs', href: 'https://example.com/j' },
              { label: 'Blog', href: '/blog' },
            ],
          },
        ],
      },
      integrations: { ga4: { measurementId: 'G-1' }, intercom: { appId: 'abc123' } },
      seo: { metatags: { 'og:type': 'website' } },
      navigation: {
        tabs: [
          { tab: 'Documentation' },
          { tab: 'API' },
          { tab: 'Forum', href: 'https://forum.example.com' },
        ],
      },
    });
    expect(docs.colors).not.toHaveProperty('background');
  });

  it('reports moved settings and every setting without a counterpart', () => {
    const { moved, lost } = upgradeFile(JSON.stringify(old));
    expect(moved).toContainEqual({ from: 'topbarLinks', to: 'navbar.links' });
    expect(moved).toContainEqual({ from: 'tabs', to: 'navigation' });
    expect(moved).toContainEqual({ from: 'analytics', to: 'integrations' });
    expect(lost.map((one) => one.name).sort()).toEqual([
      'api.auth.inputPrefix',
      'colors.anchors',
      'rounded',
      'search.location',
      'topbarCtaButton.style',
    ]);
  });

  it('reports invalid values', () => {
    const footer = { links: [{ title: 'Company', links: 'none' }] };
    const { diagnostics } = upgradeFile(JSON.stringify({ ...old, footer }));
    expect(diagnostics.map((one) => one.message).join('\n')).toContain('footer.links[0].items');
  });

  it('rejects invalid JSON', () => {
    expect(() => upgradeFile('{"name": }')).toThrow(JsonSyntaxError);
  });
});
