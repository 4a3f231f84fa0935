import { emptyHtml, type Html, trustedHtml } from '../../core/html.ts';
import { firstPage } from '../../core/navigation/default-slice.ts';
import { createMenus, type Menus } from '../../core/navigation/menu-for.ts';
import type { MenuLink } from '../../core/navigation/navigation.ts';
import type { BuiltPage, ShownContent, SiteBuild } from '../../core/site-build.ts';
import type { SiteView, ThemeAsset } from '../../theme/page-view.ts';
import { renderNotFound, renderPage } from '../../theme/render-page.ts';
import type { SiteAddresses } from './site-addresses.ts';

/** Renders the shell around the pages of one build, for one use of it (hosted at some path, or in a bundle). */
export interface SiteRenderer {
  /** Renders a whole HTML document. */
  page(page: BuiltPage, content: ShownContent): string;
  /** Renders the document for unknown addresses. */
  notFound(related?: readonly MenuLink[]): string;
  menuFor: Menus['menuFor'];
  /** Where `/` redirects to if there is no page. */
  firstPage: BuiltPage | undefined;
}

export interface SiteRendererOptions {
  addresses: SiteAddresses;
  /** Returns the name of this theme asset's file under `_docent/`. */
  assetFile: (asset: ThemeAsset) => string;
  /** Returns the name of the file under `_docent/` that search loads first on pages of a language. */
  searchIndexFile: (language: string | undefined) => string;
  /** Absolute address of the site without a trailing slash. */
  origin?: string;
  /** Returns the absolute address of a page's link preview image, if there is one. */
  previewImage?: (page: BuiltPage) => string;
  /** Address of the site's MCP server; a bundle has none. */
  mcpUrl?: string;
  /** Whether the site answers readers' questions. */
  hasAssistant?: boolean;
  /** Address of the assistant API if it is not that of the site's own server. */
  assistantUrl?: string;
  /** Address that pages send their events to. */
  analyticsUrl?: string;
  /** Whether pages load third-party scripts that the site configured. */
  hasIntegrations?: boolean;
  /** Address that readers send page feedback to. */
  feedbackUrl?: string;
  /** Prefix of every address in the document for unknown addresses. */
  notFoundStart?: Html;
}

export function createSiteRenderer(build: SiteBuild, options: SiteRendererOptions): SiteRenderer {
  const { addresses, assetFile, origin, previewImage } = options;
  const { analyticsUrl, feedbackUrl }: Partial<SiteRendererOptions> = build.config.telemetry === false ? {} : options;
  const pages = new Map(build.pages.map((page) => [page.path, page]));
  const byHref = new Map(build.pages.map((page) => [page.href, page]));
  const menus = createMenus(build.navigation, pages, { drilldown: build.config.drilldown === true });
  const icons = new Map(Object.entries(build.icons).map(([name, markup]) => [name, trustedHtml(markup)]));
  const site: SiteView = {
    config: build.config,
    build: build.id,
    origin,
    previewImage({ href }) {
      const page = byHref.get(href);
      return page && previewImage?.(page);
    },
    mcpUrl: options.mcpUrl,
    hasAssistant: options.hasAssistant === true,
    hasIntegrations: options.hasIntegrations === true,
    assistantUrl: options.assistantUrl,
    analyticsUrl,
    feedbackUrl,
    themeAsset: (name, page) => `${addresses.rootPrefix(page.href)}_docent/${assetFile(name)}`,
    searchIndex: (page, language) => `${addresses.rootPrefix(page.href)}_docent/${options.searchIndexFile(language)}`,
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
    page: (page, content) =>
      renderPage({
        site,
        page,
        related: relatedOf(page),
        content,
        menu: menus.menuFor(page.path),
        resolve: addresses.resolverFor(page.href),
      }),
    notFound: (related) =>
      renderNotFound({
        related,
        site,
        menu: menus.menuFor(''),
        resolve: addresses.resolverFor('/404'),
        start: options.notFoundStart,
      }),
    menuFor: menus.menuFor,
    firstPage: pages.get(firstPage(build.navigation, pages)?.path ?? ''),
  };
}
