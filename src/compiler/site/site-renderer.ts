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

/** Where pages send readers' actions and feedback. */
function reportingOf({ analyticsUrl, feedbackUrl }: SiteRendererOptions): Pick<SiteView, 'analyticsUrl' | 'feedbackUrl'> {
  return { ...(analyticsUrl !== undefined && { analyticsUrl }), ...(feedbackUrl !== undefined && { feedbackUrl }) };
}

export function createSiteRenderer(build: SiteBuild, options: SiteRendererOptions): SiteRenderer {
  const { addresses, assetFile, origin } = options;
  const pages = new Map(build.pages.map((page) => [page.path, page]));
  const menus = createMenus(build.navigation, pages, { drilldown: build.config.drilldown === true });
  const icons = new Map(Object.entries(build.icons).map(([name, markup]) => [name, trustedHtml(markup)]));
  const site: SiteView = {
    config: build.config,
    build: build.id,
    ...(origin === undefined ? {} : { origin }),
    ...(options.previewImage === undefined ? {} : { previewImage: previewOf(options.previewImage) }),
    ...(options.mcpUrl === undefined ? {} : { mcpUrl: options.mcpUrl }),
    hasAssistant: options.hasAssistant === true,
    hasIntegrations: options.hasIntegrations === true,
    ...(options.assistantUrl === undefined ? {} : { assistantUrl: options.assistantUrl }),
    ...(build.config.telemetry !== false && reportingOf(options)),
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
  function previewOf(draw: (page: BuiltPage) => string) {
    const byHref = new Map(build.pages.map((page) => [page.href, page]));
    return ({ href }: Pick<BuiltPage, 'href'>) => {
      const page = byHref.get(href);
      return page && draw(page);
    };
  }

  const titles = new Map(build.pages.map((page) => [page.href, page.title]));
  /** A page without a label uses its title; a missing page is left out. */
  const relatedOf = ({ related = [] }: BuiltPage) =>
    related.flatMap(({ href, label }) => {
      const title = titles.get(href.replace(/[?#][\s\S]*/, ''));
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
        ...(options.notFoundStart && { start: options.notFoundStart }),
      }),
    menuFor: menus.menuFor,
    firstPage: pages.get(firstPage(build.navigation, pages)?.path ?? ''),
  };
}
