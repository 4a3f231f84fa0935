import { defaultLabels, firstPage } from '@docent/format/build/default-slice.ts';
import type { BuiltPage, ShownContent, SiteBuild } from '@docent/format/build/site-build.ts';
import { emptyHtml, type Html, trustedHtml } from '@docent/format/html.ts';
import { createMenus } from '@docent/format/navigation/menu-for.ts';
import type { MenuLink, WholeSidebar } from '@docent/format/navigation/navigation.ts';
import { oncePerObject } from '@docent/format/once.ts';
import { renderNotFound, renderPage, renderWholeSidebar } from '@docent/theme/render-page.ts';
import type { SiteView, ThemeAsset } from '@docent/theme/view/page-view.ts';
import { createMenuFiles } from './menu-files.ts';
import type { SiteAddresses } from './site-addresses.ts';

type SharedProperty =
  | 'origin'
  | 'mcpUrl'
  | 'hasAssistant'
  | 'assistantUrl'
  | 'analyticsUrl'
  | 'hasIntegrations'
  | 'feedbackUrl'
  | 'searchRulesUrl'
  | 'services'
  | 'preview';

export interface SiteRendererOptions extends Pick<SiteView, SharedProperty> {
  addresses: SiteAddresses;
  /** Returns the name of this theme asset's file under `_docent/`. */
  assetFile: (asset: ThemeAsset) => string;
  /**
   * Returns the name of the file under `_docent/` that search loads first on pages of a language.
   */
  searchIndexFile: (language: string | undefined) => string;
  /** Called with the name of each file of a list of pages that a document names. */
  onMenuFile?: (name: string) => void;
  /** Returns the absolute address of a page's link preview image, if there is one. */
  previewImage?: (page: BuiltPage) => string;
  /** Prefix of every address in the document for unknown addresses. */
  notFoundStart?: Html;
}

export type SiteRenderer = ReturnType<typeof createSiteRenderer>;

/** Everything that does not depend on the use of a build, so that its uses share it. */
const preparedBuild = oncePerObject((build: SiteBuild) => {
  const pages = new Map(build.pages.map((page) => [page.path, page]));
  return {
    pages,
    byHref: new Map(build.pages.map((page) => [page.href, page])),
    menus: createMenus(build.navigation, pages, build.config.drilldown),
    icons: new Map(
      Object.entries(build.icons).map(([name, markup]) => [name, trustedHtml(markup)]),
    ),
  };
});

/**
 * Renders the shell around the pages of one build, for one use of it (hosted at some path, or in a
 * bundle).
 */
export function createSiteRenderer(
  build: SiteBuild,
  {
    addresses,
    assetFile,
    searchIndexFile,
    onMenuFile,
    previewImage,
    notFoundStart,
    ...shared
  }: SiteRendererOptions,
) {
  const { pages, byHref, menus, icons } = preparedBuild(build);
  const wholeSidebar = (menu: WholeSidebar) =>
    renderWholeSidebar({ site, resolve: addresses.resolverFor('/') }, '/', menu);
  const menuFiles = createMenuFiles((add) => {
    for (const menu of menus.wholeSidebars()) add(wholeSidebar(menu));
  });
  const site: SiteView = {
    ...shared,
    ...(build.config.telemetry === false && { analyticsUrl: undefined, feedbackUrl: undefined }),
    config: build.config,
    build: build.id,
    previewImage({ href }) {
      const page = byHref.get(href);
      return page && previewImage?.(page);
    },
    themeAsset: (name, page) => `${addresses.rootPrefix(page.href)}_docent/${assetFile(name)}`,
    searchIndex: (page, language) =>
      `${addresses.rootPrefix(page.href)}_docent/${searchIndexFile(language)}`,
    menuFile(markup) {
      const name = menuFiles.add(markup);
      onMenuFile?.(name);
      return name;
    },
    defaultVersion: defaultLabels(build).version,
    // Builds of older versions have neither.
    customStyles: build.styles ?? [],
    customScripts: build.scripts ?? [],
    linkStyle: addresses.linkStyle,
    rootPrefix: (page) => addresses.rootPrefix(page.href),
    icon: (name) => icons.get(name) ?? emptyHtml,
    codeThemeStyle: build.codeThemeStyle,
  };

  /** A page without a label uses its title; a missing page is left out. */
  const relatedOf = ({ related = [] }: BuiltPage) =>
    related.flatMap(({ href, label }) => {
      const title = byHref.get(href.replace(/[?#][\s\S]*/, ''))?.title;
      if (href.startsWith('/') && title === undefined) return [];
      return [{ href, label: label ?? title ?? href }];
    });

  return {
    /** Renders a whole HTML document. */
    page: (page: BuiltPage, content: ShownContent): string =>
      renderPage({
        site,
        page,
        related: relatedOf(page),
        content,
        menu: menus.menuFor(page.path),
        resolve: addresses.resolverFor(page.href),
      }),
    /** Renders the document for unknown addresses. */
    notFound: (related?: readonly MenuLink[]): string =>
      renderNotFound({
        related,
        site,
        menu: menus.menuFor(''),
        resolve: addresses.resolverFor('/404'),
        start: notFoundStart,
      }),
    menuFor: menus.menuFor,
    sectionOf: menus.sectionOf,
    /** The files of lists of pages that are too long to be in every page. */
    menuFiles,
    /** Where `/` redirects to if there is no page. */
    firstPage: firstPage(build.navigation, pages),
  };
}
