import type { BuiltPage, PageContent } from '@docent/format/build/site-build.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import type { PageMenu, SidebarItem } from '@docent/format/navigation/navigation.ts';
import type { PageView, SiteView } from '@docent/theme/view/page-view.ts';

/**
 * Builders for the tests of the theme: each returns a small valid part of a view, with the changes
 * of a test.
 */
export function testConfig(changes: Partial<SiteConfig> = {}): SiteConfig {
  return {
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#0d9373', light: '#07c983', dark: '#0d9373' },
    appearance: { default: 'system', strict: false },
    iconLibrary: 'lucide',
    background: {},
    eyebrows: 'section',
    codeblocks: { mode: 'system' },
    navbar: { links: [] },
    footer: { socials: [], links: [] },
    redirects: [],
    variables: {},
    errors404: { redirect: false },
    api: { openapi: [], asyncapi: [], playground: 'interactive', baseUrls: [] },
    seo: { indexing: 'navigable', metatags: {} },
    navigation: {},
    ...changes,
  };
}

export function testPageItem(path: string, label: string): SidebarItem {
  return { kind: 'page', path, label, href: `/${path}`, external: false, deprecated: false };
}

export function testMenu(changes: Partial<PageMenu> = {}): PageMenu {
  return {
    levels: [],
    global: [],
    sidebar: [
      {
        kind: 'group',
        label: 'Guides',
        expanded: true,
        items: [testPageItem('guides/start', 'Start')],
      },
    ],
    sidebarId: 'main',
    breadcrumbs: [{ label: 'Guides', href: '/guides/start' }],
    ...changes,
  };
}

export function testSite(changes: Partial<SiteView> = {}): SiteView {
  return {
    config: testConfig(),
    themeAsset: (name) => `/_docent/${name}`,
    searchIndex: () => '/_docent/search-index.js',
    customStyles: [],
    customScripts: [],
    ...changes,
  };
}

interface ViewChanges {
  site?: SiteView;
  page?: Partial<BuiltPage>;
  content?: Partial<PageContent>;
  menu?: PageMenu;
  resolve?: PageView['resolve'];
}

export function testView(changes: ViewChanges = {}): PageView {
  const file = { sha256: '0'.repeat(64), sizeBytes: 2, type: 'application/json' };
  const page: BuiltPage = {
    path: 'guides/start',
    href: '/guides/start',
    file: 'guides/start.mdx',
    title: 'Start',
    mode: 'default',
    content: file,
  };
  const content: PageContent = {
    html: '<p>Text</p>',
    aside: '',
    toc: [],
    markdown: 'Text\n',
    elements: [],
  };
  return {
    site: changes.site ?? testSite(),
    page: { ...page, ...changes.page },
    content: { ...content, ...changes.content },
    menu: changes.menu ?? testMenu(),
    resolve: changes.resolve ?? ((_, target) => target),
  };
}
