import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { defaultSlicePages, firstPage } from '../build/default-slice.ts';
import type { NavigationSource } from '../docs-json/site-config.ts';
import { buildNavigation } from './build-navigation.ts';
import { createMenus } from './menu-for.ts';
import type { MenuLevel, MenuPage } from './navigation.ts';
import { pageFacts } from './page-facts.ts';

/** A site with the pages of the navigation and the given additional pages. */
function site(
  source: NavigationSource,
  pages: Record<string, Partial<MenuPage>> = {},
  drilldown = false,
) {
  const { navigation, pagePaths } = buildNavigation(source, {
    file: 'docs.json',
    hasPage: () => true,
    isPublic: () => true,
    apiPages: () => [],
    symbolPages: () => [],
    subjectOf: () => undefined,
    operationOf: () => undefined,
    defaultOpenApi: [],
  });
  const all = new Map<string, MenuPage>();
  for (const path of [...pagePaths, ...Object.keys(pages)]) {
    const href = path === 'index' ? '/' : `/${path.replace(/\/index$/, '')}`;
    all.set(path, { path, href, title: `Title of ${path}`, ...pages[path] });
  }
  return { navigation, pages: all, ...createMenus(navigation, all, drilldown) };
}

/** A level in short form: `v1→/v1/a *v2→/v2/a`, with a star for the active item. */
function choices(level: MenuLevel | undefined): string {
  return (
    level?.items.map((item) => `${item.active ? '*' : ''}${item.label}→${item.href}`).join(' ') ??
    ''
  );
}

const guides: NavigationSource = {
  tabs: [
    {
      tab: 'Guides',
      groups: [
        { group: 'Start', pages: ['a', 'b', { group: 'More', root: 'more', pages: ['c'] }] },
      ],
    },
    { tab: 'API', icon: 'code', pages: ['api'] },
    { tab: 'Blog', href: 'https://example.com' },
  ],
};

describe('menuFor', () => {
  it('returns the choices around a page, its sidebar, breadcrumbs, and neighbors', () => {
    const { menuFor } = site(guides, {
      a: { title: 'POST /users', method: 'POST' },
      b: { sidebarTitle: 'Bee', tag: 'NEW', method: 'GET', deprecated: true },
    });
    const menu = menuFor('c');
    expect(menu.levels.map((level) => `${level.kind}: ${choices(level)}`)).toEqual([
      'tab: *Guides→/a API→/api Blog→https://example.com',
    ]);
    expect(menu.breadcrumbs).toEqual([
      { label: 'Guides', href: '/a' },
      { label: 'Start', href: '/a' },
      { label: 'More', href: '/more' },
    ]);
    expect(menu.previous).toEqual({ label: 'Title of more', href: '/more' });
    expect(menu.next).toBeUndefined();
    expect(menuFor('a')).toMatchObject({ next: { label: 'Bee', href: '/b' } });
    expect(menu.sidebar).toMatchObject([
      {
        kind: 'group',
        label: 'Start',
        expanded: true,
        items: [
          // The method is shown only once: beside the label.
          {
            kind: 'page',
            path: 'a',
            label: '/users',
            method: 'POST',
            href: '/a',
            external: false,
            deprecated: false,
          },
          { label: 'Bee', tag: 'NEW', method: 'GET', deprecated: true },
          {
            kind: 'group',
            label: 'More',
            href: '/more',
            path: 'more',
            expanded: false,
            items: [{ path: 'c' }],
          },
        ],
      },
    ]);
  });

  it('shares one sidebar object and id among the pages of a slice', () => {
    const { menuFor } = site(guides);
    expect(menuFor('a').sidebar).toBe(menuFor('c').sidebar);
    expect(menuFor('a').sidebarId).toBe(menuFor('c').sidebarId);
    expect(menuFor('api').sidebarId).not.toBe(menuFor('a').sidebarId);
  });

  it('links versions by the same page, else by the same tab, else by their start', () => {
    const { menuFor } = site({
      versions: [
        {
          version: 'v2',
          tabs: [
            { tab: 'Docs', pages: ['v2/a', 'v2/new'] },
            { tab: 'API', pages: ['v2/api', 'v2/api/extra'] },
          ],
        },
        {
          version: 'v1',
          tabs: [
            { tab: 'Docs', pages: ['v1/a'] },
            { tab: 'API', pages: ['v1/api'] },
          ],
        },
        { version: 'v0', tag: 'old', pages: ['v0/start'] },
      ],
    });
    expect(choices(menuFor('v2/a').levels[0])).toBe('*v2→/v2/a v1→/v1/a v0→/v0/start');
    expect(choices(menuFor('v2/api/extra').levels[0])).toBe(
      '*v2→/v2/api/extra v1→/v1/api v0→/v0/start',
    );
    expect(choices(menuFor('v1/api').levels[0])).toBe('v2→/v2/api *v1→/v1/api v0→/v0/start');
    expect(menuFor('v1/api').version).toBe('v1');
    expect(menuFor('v1/api').levels[0]?.items[2]).toMatchObject({ tag: 'old' });
  });

  it('links languages with and without their own folder, also inside versions', () => {
    const { menuFor } = site({
      languages: [
        { language: 'en', pages: ['index', 'guides/a', 'v1/en/b'] },
        { language: 'zh', pages: ['zh/index', 'zh/guides/a', 'v1/zh/b'] },
      ],
    });
    expect(choices(menuFor('guides/a').levels[0])).toBe('*English→/guides/a 简体中文→/zh/guides/a');
    expect(choices(menuFor('zh/guides/a').levels[0])).toBe(
      'English→/guides/a *简体中文→/zh/guides/a',
    );
    expect(choices(menuFor('zh/index').levels[0])).toBe('English→/ *简体中文→/zh');
    expect(choices(menuFor('v1/en/b').levels[0])).toBe('*English→/v1/en/b 简体中文→/v1/zh/b');
    expect(menuFor('zh/index').language).toBe('zh');
  });

  it('omits hidden pages, but gives them the sidebar of their location', () => {
    const { menuFor } = site(
      {
        tabs: [
          {
            tab: 'A',
            groups: [
              { group: 'G', pages: ['a', 'secret', 'b'] },
              { group: 'Hidden', hidden: true, pages: ['h'] },
            ],
          },
          { tab: 'Beta', hidden: true, pages: ['beta', 'beta2'] },
        ],
      },
      { secret: { hidden: true } },
    );
    expect(choices(menuFor('a').levels[0])).toBe('*A→/a');
    expect(menuFor('a').sidebar).toMatchObject([
      { label: 'G', items: [{ path: 'a' }, { path: 'b' }] },
    ]);
    expect(menuFor('a').next?.href).toBe('/b');
    expect(menuFor('secret')).toMatchObject({
      sidebarId: menuFor('a').sidebarId,
      breadcrumbs: [{ label: 'A' }, { label: 'G' }],
    });
    expect(menuFor('secret').next).toBeUndefined();
    expect(menuFor('beta')).toMatchObject({
      sidebar: [{ path: 'beta' }, { path: 'beta2' }],
      next: { href: '/beta2' },
    });
    expect(menuFor('h').sidebar).toBe(menuFor('a').sidebar);
  });

  it('lists the content of a group only on the page of the group, in the inherited style', () => {
    const { menuFor } = site(
      {
        directory: 'card',
        groups: [
          {
            group: 'Guides',
            root: 'guides',
            pages: [
              'a',
              {
                group: 'More',
                directory: 'accordion',
                root: 'more',
                icon: 'plus',
                pages: ['c', 'd'],
              },
            ],
          },
          { group: 'Plain', directory: 'none', root: 'plain', pages: ['e'] },
          { group: 'Rootless', pages: ['f'] },
        ],
      },
      { a: { description: 'About a', icon: 'star' } },
    );
    expect(menuFor('guides').directory).toEqual({
      style: 'card',
      items: [
        { label: 'Title of a', href: '/a', icon: 'star', description: 'About a' },
        {
          ...{ label: 'More', href: '/more', icon: 'plus' },
          items: [
            { label: 'Title of c', href: '/c' },
            { label: 'Title of d', href: '/d' },
          ],
        },
      ],
    });
    expect(menuFor('more').directory?.style).toBe('accordion');
    expect(['plain', 'a', 'f'].map((path) => menuFor(path).directory)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('links a group to its first page if the site enables drilldown', () => {
    const source = { groups: [{ group: 'G', pages: ['a', { group: 'H', pages: ['b'] }] }] };
    expect(site(source, {}, true).menuFor('a').sidebar).toMatchObject([
      { href: '/a', items: [{ path: 'a' }, { label: 'H', href: '/b' }] },
    ]);
    expect(JSON.stringify(site(source).menuFor('a').sidebar)).not.toContain('"label":"H","href"');
  });

  it('shows global links of a language on its pages only, after those of the site', () => {
    const { menuFor } = site({
      global: { anchors: [{ anchor: 'Blog', href: 'https://example.com/blog' }] },
      languages: [
        {
          language: 'en',
          pages: ['a'],
          global: { anchors: [{ anchor: 'Forum', href: 'https://example.com/forum' }] },
        },
        { language: 'de', pages: ['de/a'] },
      ],
    });
    const labels = (path: string) =>
      menuFor(path).global.flatMap((level) => level.items.map((item) => item.label));
    expect(labels('a')).toEqual(['Blog', 'Forum']);
    expect(labels('de/a')).toEqual(['Blog']);
  });

  it('shows links to other sites in the sidebar and skips them in previous and next', () => {
    const { menuFor } = site(
      { pages: ['a', 'link', 'b'] },
      { link: { externalUrl: 'https://example.com' } },
    );
    expect(menuFor('a').sidebar[1]).toMatchObject({ href: 'https://example.com', external: true });
    expect(menuFor('a').next?.href).toBe('/b');
    expect(menuFor('b').previous?.href).toBe('/a');
  });

  it('gives a page outside the navigation the default sidebar of the language of its folder', () => {
    const source = {
      languages: [
        { language: 'en', tabs: [{ tab: 'T', pages: ['a'] }] },
        { language: 'fr', tabs: [{ tab: 'U', pages: ['fr/a'] }] },
      ],
    };
    const { menuFor } = site(source, { orphan: {}, 'fr/orphan': {} });
    expect(menuFor('orphan')).toMatchObject({
      sidebarId: menuFor('a').sidebarId,
      language: 'en',
      breadcrumbs: [],
    });
    expect(menuFor('orphan').levels.map(choices)).toEqual([
      '*English→/orphan Français→/fr/a',
      'T→/a',
    ]);
    expect(menuFor('fr/orphan')).toMatchObject({
      sidebarId: menuFor('fr/a').sidebarId,
      language: 'fr',
    });
    expect(menuFor('no/such/page').sidebarId).toBe(menuFor('a').sidebarId);
  });

  it('uses the first visible location of a page with several', () => {
    const { menuFor } = site({
      tabs: [
        { tab: 'Hidden', hidden: true, pages: ['a'] },
        { tab: 'B', pages: ['b', 'a'] },
        { tab: 'C', pages: ['a', 'c'] },
      ],
    });
    expect(choices(menuFor('a').levels[0])).toBe('*B→/b C→/c');
  });

  it('shows global links on every page', () => {
    const { menuFor } = site(
      { pages: ['a'], global: { anchors: [{ anchor: 'Chat', href: 'https://example.com' }] } },
      { orphan: {} },
    );
    for (const path of ['a', 'orphan'])
      expect(menuFor(path).global.map(choices)).toEqual(['Chat→https://example.com']);
  });

  it('creates the menus of ten thousand pages quickly', () => {
    const pagesOf = (prefix: string) =>
      Array.from({ length: 25 }, (_, group) => ({
        group: `G${group}`,
        pages: Array.from({ length: 10 }, (_, page) => `${prefix}/g${group}/p${page}`),
      }));
    const versions = (language: string) =>
      Array.from({ length: 10 }, (_, version) => ({
        version: `v${version}`,
        groups: pagesOf(`${language}/v${version}`),
      }));
    const { menuFor, pages } = site({
      languages: ['en', 'fr', 'de', 'es'].map((language) => ({
        language,
        versions: versions(language),
      })),
    });
    const startedAt = cpuMs();
    for (const path of pages.keys()) menuFor(path);
    expect(pages.size).toBe(10_000);
    expect(cpuMs() - startedAt).toBeLessThan(5000);
  });
});

describe('the default slice', () => {
  const source: NavigationSource = {
    languages: [
      { language: 'fr', pages: ['fr/a'] },
      {
        language: 'en',
        default: true,
        tabs: [
          {
            tab: 'Docs',
            versions: [
              { version: '2', pages: ['v2/hidden', 'v2/a'] },
              { version: '1', pages: ['v1/a'] },
            ],
          },
          {
            tab: 'API',
            groups: [
              { group: 'G', root: 'api', pages: ['x', 'v2/a'] },
              { group: 'H', hidden: true, pages: ['h'] },
              { group: 'S', hidden: true, searchable: true, pages: ['s'] },
            ],
          },
        ],
      },
    ],
  };

  it('has the default language and versions with all their tabs, each page once', () => {
    expect(defaultSlicePages(site(source).navigation)).toEqual([
      'v2/hidden',
      'v2/a',
      'api',
      'x',
      's',
    ]);
  });

  it('starts with the first visible page', () => {
    const { navigation, pages } = site(source, { 'v2/hidden': { hidden: true } });
    expect(firstPage(navigation, pages)?.path).toBe('v2/a');
  });
});

describe('pageFacts', () => {
  it('returns version, language, tag, boost, and visibility, with the nearest setting first', () => {
    const { navigation } = site({
      languages: [
        {
          language: 'pt-BR',
          versions: [
            {
              version: '2.0',
              tag: 'Latest',
              tabs: [
                {
                  tab: 'T',
                  boost: 2,
                  groups: [
                    { group: 'G', tag: 'Beta', boost: 0.5, pages: ['a'] },
                    { group: 'H', hidden: true, pages: ['h', 'both'] },
                  ],
                },
                { tab: 'S', hidden: true, searchable: true, pages: ['s', 'both'] },
                { tab: 'N', searchable: false, pages: ['n'] },
              ],
            },
          ],
        },
      ],
    });
    const facts = pageFacts(navigation);
    const common = { version: '2.0', language: 'pt-BR' };
    expect(facts.get('a')).toEqual({
      ...common,
      tag: 'Beta',
      boost: 0.5,
      hidden: false,
      trail: ['T', 'G'],
    });
    expect(facts.get('h')).toEqual({ ...common, boost: 2, hidden: true, trail: ['T', 'H'] });
    expect(facts.get('both')).toEqual({ ...common, searchable: true, hidden: false, trail: ['S'] });
    expect(facts.get('n')).toEqual({ ...common, searchable: false, hidden: false, trail: ['N'] });
    expect(facts.get('elsewhere')).toBeUndefined();
  });
});
