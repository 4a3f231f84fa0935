import { emptyHtml, type Html, trustedHtml } from '../../core/html.ts';
import { firstPage } from '../../core/navigation/default-slice.ts';
import { createMenus, type Menus } from '../../core/navigation/menu-for.ts';
import type { MenuLink } from '../../core/navigation/navigation.ts';
import type { BuiltPage, PageContent, SiteBuild } from '../../core/site-build.ts';
import type { SiteView, ThemeAsset } from '../../theme/page-view.ts';
import { renderNotFound, renderPage } from '../../theme/render-page.ts';
import type { SiteAddresses } from './site-addresses.ts';

/** Puts the shell around the pages of one build, in one use of it (hosted at some path, or in a bundle). */
export interface SiteRenderer {
  /** A whole HTML document. */
  page(page: BuiltPage, content: PageContent): string;
  /** The document for addresses that lead nowhere. */
  notFound(related?: readonly MenuLink[]): string;
  menuFor: Menus['menuFor'];
  /** Where `/` leads when no page stands there. */
  firstPage: BuiltPage | undefined;
}

export interface SiteRendererOptions {
  addresses: SiteAddresses;
  /** Name of the file under `_docent/` that is this theme asset. */
  assetFile: (asset: ThemeAsset) => string;
  /** Name of the file under `_docent/` that pages of a language begin to search with. */
  searchIndexFile: (language: string | undefined) => string;
  /** Absolute address of the site, no trailing slash. */
  origin?: string;
  /** Absolute address of the picture that link previews show for a page, where one is drawn. */
  previewImage?: (page: BuiltPage) => string;
  /** Address of the site's server for the Model Context Protocol; there is none in a bundle. */
  mcpUrl?: string;
  /** Whether the site answers questions of its readers. */
  hasAssistant?: boolean;
  /** Address of the assistant API where it is not that of the site's own server. */
  assistantUrl?: string;
  /** Address that the pages send their events to. */
  analyticsUrl?: string;
  /** Whether pages load the scripts of other services that the site chose. */
  hasIntegrations?: boolean;
  /** Address that readers send what they say of pages to. */
  feedbackUrl?: string;
  /** What comes before every address of the document for addresses that lead nowhere. */
  notFoundStart?: Html;
}

/** Where pages send what readers do and say. */
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
    // Builds of an older version know neither.
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
  /** A page without a label is named by its title; one that is not there is left out. */
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
