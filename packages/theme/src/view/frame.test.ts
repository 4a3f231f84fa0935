import { describe, expect, it } from 'vitest';
import { testConfig, testMenu, testSite, testView } from '../../../../test/support/test-view.ts';
import { renderPage } from '../render-page.ts';
import { frameOf } from './frame.ts';

const site = testSite({
  config: testConfig({
    navbar: { links: [{ label: 'Support', href: '/support' }] },
    banner: { content: 'News', dismissible: false, type: 'info' },
    byLanguage: [
      {
        language: 'de',
        parts: {
          navbar: { links: [{ label: 'Hilfe', href: '/de/hilfe' }] },
          banner: { content: 'Neues', dismissible: false, type: 'info' },
        },
      },
    ],
  }),
});

describe('a site with separate parts for a language', () => {
  it('shows them only on pages of that language, and the general parts on others', () => {
    const german = renderPage(testView({ site, menu: testMenu({ language: 'de' }) }));
    const english = renderPage(testView({ site, menu: testMenu({ language: 'en' }) }));
    expect(german).toContain('Hilfe');
    expect(german).toContain('Neues');
    expect(german).not.toContain('Support');
    expect(english).toContain('Support');
    expect(english).not.toContain('Neues');
  });

  it('has one cached site object per language', () => {
    const view = testView({ site });
    expect(frameOf(view, '/a', 'de').site).toBe(frameOf(view, '/b', 'de').site);
    expect(frameOf(view, '/a', 'en').site).toBe(site);
  });
});

describe('the directory of a group', () => {
  const items = [
    { label: 'Install', href: '/install', description: 'How to <start>' },
    { label: 'More', href: '/more', items: [{ label: 'Deep', href: 'https://example.com/deep' }] },
  ];

  it('lists the contents of the group as cards, with escaped texts', () => {
    const page = renderPage(testView({ menu: testMenu({ directory: { style: 'card', items } }) }));
    expect(page).toMatch(
      /<nav class="d-directory directory"[^>]*>.*<a class="d-box-link" href="\/install">Install<\/a>/,
    );
    expect(page).toContain('How to &lt;start&gt;');
  });

  it('lists its groups as closed accordions and its pages as links', () => {
    const page = renderPage(
      testView({ menu: testMenu({ directory: { style: 'accordion', items } }) }),
    );
    expect(page).toMatch(/<ul><li><a href="\/install">Install<\/a>/);
    expect(page).toMatch(
      /<details class="d-accordion directory-group"[^>]*>.*More.*<a href="https:\/\/example.com\/deep" rel="noreferrer">Deep<\/a>/,
    );
  });
});

describe('an announcement with a custom color', () => {
  it('has that color in light and dark mode, with readable text', () => {
    const banner = {
      content: 'News',
      dismissible: false,
      type: 'info' as const,
      color: { light: '#ffee00', dark: '#101010' },
    };
    const page = renderPage(testView({ site: testSite({ config: testConfig({ banner }) }) }));
    expect(page).toMatch(/#banner\{background:#ffee00;color:#0b0d14/);
    expect(page).toMatch(/html\.dark #banner\{background:#101010;color:#ffffff/);
  });
});
