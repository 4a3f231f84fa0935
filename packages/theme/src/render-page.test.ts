import { examplesPlace } from '@docent/format/api-reference/markup/examples-place.ts';
import { html } from '@docent/format/html.ts';
import { linkMark } from '@docent/format/links.ts';
import { mapOutsideFiles } from '@docent/format/outside/config-outside.ts';
import { describe, expect, it } from 'vitest';
import {
  testConfig,
  testMenu,
  testPageItem,
  testSite,
  testView,
} from '../../../test/support/test-view.ts';
import { renderNotFound, renderPage } from './render-page.ts';

const ATTACK = '"><script>alert(1)</script>';

describe('renderPage', () => {
  it.each([
    ['button', /<div id="label"><span class="z-10">Star<\/span><\/div>/],
    ['github', /<div id="label"><svg.*?<\/svg><span>Star<\/span><\/div>/],
  ] as const)(
    'gives the header a %s in the shape of the hosted service: a link with an area and a label',
    (type, label) => {
      const primary = { type, label: 'Star', href: 'https://github.com/acme/shelves' };
      const page = renderPage(
        testView({ site: testSite({ config: testConfig({ navbar: { links: [], primary } }) }) }),
      );
      const [, inside = ''] = /id="topbar-cta-button"><a [^>]*>(.*?)<\/a>/s.exec(page) ?? [];
      expect(inside).toMatch(/^<span class="[^"]*absolute[^"]*"><\/span><div>/);
      expect(inside.replace(/^<span[^>]*><\/span><div>/, '<div id="label">')).toMatch(label);
    },
  );

  it('escapes all texts of the author', () => {
    const config = testConfig({
      name: `Name${ATTACK}`,
      description: `Description${ATTACK}`,
      searchPrompt: `Prompt${ATTACK}</script>`,
      navbar: {
        links: [{ label: ATTACK, href: ATTACK }],
        primary: { type: 'button', label: ATTACK, href: '/a' },
      },
      footer: {
        socials: [{ platform: ATTACK, href: '/x' }],
        links: [{ header: ATTACK, items: [{ label: ATTACK, href: '/y' }] }],
      },
      banner: {
        content: `${ATTACK} [a](javascript:alert(1)) **${ATTACK}**`,
        dismissible: true,
        type: 'info',
      },
      seo: { indexing: 'navigable', metatags: { [ATTACK]: ATTACK } },
    });
    const view = testView({
      site: testSite({ config, codeThemeStyle: '</style><script>alert(1)</script>' }),
      page: { title: ATTACK, description: ATTACK, tag: ATTACK, keywords: [ATTACK] },
      content: { toc: ['a', 'b'].map((id) => ({ depth: 2, id: `${id}${ATTACK}`, text: ATTACK })) },
      menu: testMenu({
        sidebar: [
          {
            kind: 'group',
            label: ATTACK,
            tag: ATTACK,
            expanded: false,
            items: [testPageItem(ATTACK, ATTACK)],
          },
        ],
        levels: [
          {
            kind: 'version',
            items: [
              { label: ATTACK, href: ATTACK, active: true },
              { label: 'b', href: '/b', active: false },
            ],
          },
        ],
        breadcrumbs: [{ label: ATTACK, href: ATTACK }],
        next: { label: ATTACK, href: ATTACK },
      }),
    });
    const page = renderPage(view);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toMatch(/href="javascript:/i);
  });

  it('marks exactly the current page', () => {
    const menu = testMenu({
      sidebar: [testPageItem('guides/start', 'Start'), testPageItem('guides/other', 'Other')],
    });
    const page = renderPage(testView({ menu }));
    expect(page).toContain('<li data-active="true"><a href="/guides/start" aria-current="page">');
    expect(page.match(/aria-current="page"/g)).toHaveLength(1);
    expect(page.match(/<li data-active/g)).toHaveLength(1);
  });

  it('names the script of diagrams and their texts, in the language of the page, only on pages with a diagram', () => {
    const page = (language: string, elements: string[]) =>
      renderPage(testView({ menu: testMenu({ language }), content: { elements } }));
    const [english, finnish] = ['en', 'fi'].map((language) => page(language, ['docent-mermaid']));
    expect(english).toContain('"diagrams":{"script":"');
    expect(english).toContain('"zoomIn":"Zoom in"');
    expect(finnish).toContain('"zoomIn":"Lähennä"');
    expect(page('en', [])).not.toContain('zoomIn');
  });

  it('opens only the collapsed branches around the current page', () => {
    const branch = (label: string, path: string) => ({
      kind: 'group' as const,
      label,
      expanded: false,
      items: [testPageItem(path, path)],
    });
    const items = [branch('Near', 'guides/start'), branch('Far', 'guides/far')];
    const menu = testMenu({ sidebar: [{ kind: 'group', label: 'All', expanded: true, items }] });
    const page = renderPage(testView({ menu }));
    expect(page).toMatch(/<details class="d-branch" open><summary>Near/);
    expect(page).toMatch(/<details class="d-branch"><summary>Far/);
  });

  it('renders a shared sidebar for each page as if it were rendered alone', () => {
    const menu = testMenu({ sidebar: [testPageItem('a', 'A'), testPageItem('b', 'B')] });
    const site = testSite();
    renderPage(testView({ site, menu, page: { path: 'a', href: '/a' } }));
    const second = renderPage(testView({ site, menu, page: { path: 'b', href: '/b' } }));
    expect(second).toBe(
      renderPage(testView({ site: testSite(), menu, page: { path: 'b', href: '/b' } })),
    );
  });

  it('rewrites the addresses for each folder of a bundle', () => {
    const site = testSite({
      linkStyle: 'html',
      rootPrefix: (page) => '../'.repeat(page.href.split('/').length - 2) || './',
    });
    const resolveAt = (prefix: string) => (_: string, target: string) =>
      `${prefix}${target.slice(1)}.html`;
    renderPage(testView({ site, page: { path: 'index', href: '/' }, resolve: resolveAt('./') }));
    const nested = renderPage(testView({ site, resolve: resolveAt('../') }));
    expect(nested).toContain('<a href="../guides/start.html" aria-current="page">');
  });

  it('resolves the link marks of the article and of the examples', () => {
    const link = `<a href="${linkMark('page', '/other')}">x</a>`;
    const page = renderPage(
      testView({ content: { html: link, aside: link }, resolve: (_, target) => `/base${target}` }),
    );
    expect(page.match(/<a href="\/base\/other">x<\/a>/g)).toHaveLength(2);
  });

  it('contains the canonical URL only if the origin is known', () => {
    const site = testSite({ origin: 'https://docs.acme.test' });
    expect(renderPage(testView({ site }))).toContain(
      '<link rel="canonical" href="https://docs.acme.test/guides/start">',
    );
    expect(renderPage(testView())).not.toContain('rel="canonical"');
  });

  it('keeps search engines from pages with noindex, but not from pages that are only hidden', () => {
    const robots = '<meta name="robots" content="noindex">';
    expect(renderPage(testView({ page: { hidden: true } }))).not.toContain(robots);
    expect(renderPage(testView({ page: { noindex: true } }))).toContain(robots);
    expect(renderPage(testView())).not.toContain(robots);
  });

  it('loads nothing from another server by itself', () => {
    const config = testConfig({
      logo: { light: 'https://cdn.test/logo.svg', dark: 'https://cdn.test/logo.svg' },
      favicon: { light: 'https://cdn.test/icon.svg', dark: 'https://cdn.test/icon.svg' },
      footer: { socials: [{ platform: 'github', href: 'https://github.com/acme' }], links: [] },
    });
    const own = mapOutsideFiles(config, () => undefined);
    const page = renderPage(testView({ site: testSite({ config: own, linkStyle: 'html' }) }));
    expect(page).not.toMatch(/(?:src|srcset)="(?:https?:)?\/\//);
    expect(page).not.toMatch(/<link(?![^>]*rel="canonical")[^>]*href="(?:https?:)?\/\//);
    expect(page).not.toMatch(/url\(["']?(?:https?:)?\/\//);
  });

  it('sets the language and the direction of the page', () => {
    expect(renderPage(testView({ menu: testMenu({ language: 'ar' }) }))).toContain(
      '<html lang="ar" dir="rtl"',
    );
    expect(renderPage(testView({ menu: testMenu({ language: 'cn' }) }))).toContain(
      '<html lang="zh-Hans" dir="ltr"',
    );
  });

  it('shows examples in place of the table of contents', () => {
    const toc = ['a', 'b'].map((id) => ({ depth: 2, id, text: id }));
    const page = renderPage(testView({ content: { aside: '<pre>curl</pre>', toc } }));
    expect(page).toContain('<pre>curl</pre>');
    expect(page).not.toContain('id="table-of-contents"');
  });

  it('places examples after the description of an endpoint, so that small screens show them later', () => {
    const article = `<div class="d-api"><p>Lists plants.</p>${examplesPlace.value}<h2>Body</h2></div>`;
    const page = renderPage(testView({ content: { html: article, aside: '<pre>curl</pre>' } }));
    expect(page).toMatch(/Lists plants\.<\/p><aside [^>]*>.*curl.*<\/aside><h2>Body/s);
    expect(page.match(/<aside/g)).toHaveLength(1);
    expect(
      renderPage(testView({ content: { html: '<p>Guide</p>', aside: '<pre>curl</pre>' } })),
    ).toMatch(/<\/aside><article/);
  });

  it('nests the headings of a changelog under their entries', () => {
    const html =
      '<docent-update class="d-update" id="may"><h2 id="fixes">Fixes</h2></docent-update>';
    const toc = [
      { depth: 2, id: 'may', text: 'May' },
      { depth: 2, id: 'fixes', text: 'Fixes' },
    ];
    const page = renderPage(testView({ content: { html, toc, elements: ['docent-update'] } }));
    expect(page).toMatch(/data-depth="0"><a href="#may".*data-depth="1"><a href="#fixes"/);
    expect(renderPage(testView({ content: { html, toc } }))).not.toContain('data-depth="1"');
  });

  it('indents headings below a parent, and keeps those before the first parent unindented', () => {
    const toc = [
      { depth: 3, id: 'dig', text: 'Dig' },
      { depth: 2, id: 'care', text: 'Care' },
      { depth: 3, id: 'water', text: 'Water' },
      { depth: 2, id: 'end', text: 'End' },
    ];
    const depths = renderPage(testView({ content: { toc } })).matchAll(
      /data-depth="(\d)"><a href="#(\w+)"/g,
    );
    expect([...depths].map(([, depth, id]) => `${id} ${depth}`)).toEqual([
      'dig 0',
      'care 0',
      'water 1',
      'end 0',
    ]);
  });

  it('references the background image from the page, not from the style sheet', () => {
    const config = testConfig({ background: { image: { light: '/sun.png', dark: '/moon.png' } } });
    const site = testSite({ config, rootPrefix: () => '../' });
    const page = renderPage(testView({ site, resolve: (_, target) => `..${target}` }));
    expect(page).toMatch(
      /html\[data-decoration="image"\] body::before\{background-image:url\("[^"]*sun\.png"\)\}/,
    );
    expect(page).toMatch(
      /html\.dark\[data-decoration="image"\] body::before\{background-image:url\("[^"]*moon\.png"\)\}/,
    );
  });

  it('lets a long identifier in the title break between its words', () => {
    const titleOf = (title: string) =>
      /id="page-title"[^>]*>(.*?)<\/h1>/.exec(renderPage(testView({ page: { title } })))?.[1];
    expect(titleOf('subscription.payment_failed & <b>')).toBe(
      'subscription.<wbr>payment_<wbr>failed &amp; &lt;b&gt;',
    );
    expect(titleOf('The file docs.json')).toBe('The file docs.json');
  });

  it('renders a custom page without title and pagination', () => {
    const page = renderPage(
      testView({ page: { mode: 'custom' }, menu: testMenu({ next: { label: 'N', href: '/n' } }) }),
    );
    expect(page).not.toContain('id="page-title"');
    expect(page).not.toContain('id="pagination"');
    expect(page).toContain('id="navbar"');
  });

  it('renders the icons of the menu with the icon function of the site', () => {
    const site = testSite({ icon: (name) => html`<svg data-name="${name}"></svg>` });
    const menu = testMenu({
      sidebar: [{ kind: 'group', label: 'G', icon: 'rocket', expanded: true, items: [] }],
    });
    expect(renderPage(testView({ site, menu }))).toContain('<svg data-name="rocket"></svg>');
  });
});

describe('renderNotFound', () => {
  it('links to the start page and the search, with the texts of the site', () => {
    const config = testConfig({
      errors404: { redirect: false, title: 'Lost <b>', description: 'Try again' },
    });
    const { menu, resolve } = testView();
    const page = renderNotFound({ site: testSite({ config }), menu, resolve });
    expect(page).toContain('Lost &lt;b&gt;');
    expect(page).toContain('data-search-open');
    expect(page).toMatch(/href="\/"[^>]*><span>Go to the start page/);
    expect(page).toContain('content="noindex"');
  });
});
