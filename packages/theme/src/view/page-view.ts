import type { BuiltPage, ShownContent } from '@docent/format/build/site-build.ts';
import type { ListedChange } from '@docent/format/deployments/listed-changes.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import type { BundleService } from '@docent/format/exports/bundle-services.ts';
import type { Html } from '@docent/format/html.ts';
import type { ResolveLink } from '@docent/format/links.ts';
import type { MenuChoice, MenuLink, PageMenu } from '@docent/format/navigation/navigation.ts';

/** Properties shared by every page of one site in one output (hosted, exported). */
export interface SiteView {
  config: SiteConfig;
  /**
   * Identifies the build among all builds of the site: a page of another build is not swapped into
   * a document of this one.
   */
  build?: string;
  /** URL of the site without a trailing slash, for canonical links; undefined if unknown. */
  origin?: string;
  /**
   * Addresses of the theme's own files by logical name, relative to the page or absolute in the
   * site.
   */
  themeAsset: (name: ThemeAsset, page: Pick<BuiltPage, 'href'>) => string;
  /** Address of the search index's first script, from the page. */
  searchIndex: (page: Pick<BuiltPage, 'href'>, language: string | undefined) => string;
  /**
   * Returns the name under `_docent/` of the file with this markup of a whole list of pages;
   * absent: pages name none.
   */
  menuFile?: (markup: string) => string;
  /** The version that readers see first, if there is exactly one. */
  defaultVersion?: string | undefined;
  /** The site's own CSS and JavaScript files, as site paths. */
  customStyles: string[];
  customScripts: string[];
  /** URL of the site's MCP server, if there is one. */
  mcpUrl?: string;
  /** Whether the site answers questions: a part of the page then listens to `docent:ask`. */
  hasAssistant?: boolean;
  /**
   * URL of the assistant API if it is not on the site's own server: absolute, or a path from the
   * root of the site.
   */
  assistantUrl?: string;
  /** URL that the pages send their events to; absent: nothing is sent. */
  analyticsUrl?: string;
  /**
   * Parts of the pages that are shown only if the server, at this path from the root of the site,
   * lists them.
   */
  services?: { path: string; names: readonly BundleService[] };
  /** Whether pages load the site's third-party scripts. */
  hasIntegrations?: boolean;
  /** Path of the script with the rules of the search; absent: it has none. */
  searchRulesUrl?: string;
  /** URL for readers' feedback on pages; absent: no feedback form. */
  feedbackUrl?: string;
  /** Present if this is a preview of a site: its pages say so. */
  preview?: PreviewNotice;
  /** Absolute URL of a page's link preview image; undefined if none is generated. */
  previewImage?: (page: Pick<BuiltPage, 'href'>) => string | undefined;
  /**
   * The form of page addresses: `/guides/start` on a server, `../guides/start.html` in a bundle.
   * Default `clean`.
   */
  linkStyle?: 'clean' | 'html';
  /**
   * Prefix of site paths, without their leading slash, on this page: `../../` in a bundle, `/` or
   * `/docs/` on a server. Default `/`. The search dialog builds its addresses with it, and pages of
   * a bundle with the same prefix share rendered parts, so their
   * `resolve` must return the same addresses.
   */
  rootPrefix?: (page: Pick<BuiltPage, 'href'>) => string;
  /** Renders an icon of the site's library by name; empty if there is no such icon. */
  icon?: (name: string) => Html;
  /** Declarations for `:root` and `html.dark` with the colors of highlighted code; CSS text. */
  codeThemeStyle?: string;
}

/** What the pages of a preview say about it. */
export interface PreviewNotice {
  name: string;
  /** Identifies its build. */
  id: string;
  /**
   * The address of the live site without a trailing slash, and what differs from it; absent if
   * nothing is live.
   */
  live?: { url: string; changes: readonly ListedChange[] };
}

/** The theme's input for the page for unknown paths. */
export interface NotFoundView extends Omit<PageView, 'page' | 'content'> {
  /** The prefix of every address in the document. */
  start?: Html;
}

export type ThemeAsset =
  | 'site.css'
  | 'components.css'
  | 'extras.css'
  | 'maple.css'
  | 'palm.css'
  | 'aspen.css'
  | 'site.js'
  | 'components.js'
  | 'navigation.js'
  | 'later.js'
  | 'inter-latin.woff2'
  | 'search.js'
  | 'katex.css'
  | 'diagrams.js'
  | 'mermaid.js'
  | 'islands.js'
  | 'preview-bar.css'
  | 'preview-bar.js'
  | 'answers.js'
  | 'assistant.js'
  | 'playground.js'
  | `assistant-${string}.js`
  | `playground-${string}.js`
  | `search-${string}.js`;

/** The theme's input for one page. */
export interface PageView {
  site: SiteView;
  page: BuiltPage;
  /**
   * The author's next links; on the page for unknown paths, pages that the reader may have wanted.
   */
  related?: readonly MenuLink[];
  content: ShownContent;
  menu: PageMenu;
  /** Resolves a site path to the address to write on this page. */
  resolve: ResolveLink;
}

/** The page in one of the site's languages, with its site path. */
export type LanguageTwin = NonNullable<MenuChoice['twin']> & Pick<MenuChoice, 'href'>;

type HeadField =
  | 'href'
  | 'title'
  | 'description'
  | 'canonical'
  | 'keywords'
  | 'metatags'
  | 'lastUpdated';

export interface HeadPage extends Pick<BuiltPage, HeadField> {
  /** Whether its entries have a feed. */
  feed?: boolean;
  /** Whether it documents an API operation. */
  isReference?: boolean;
  /** The breadcrumbs of the page. */
  trail?: readonly MenuLink[];
  /** The page in all its languages, including this one. */
  alternates?: readonly LanguageTwin[];
  /** Asks search engines not to index it. */
  unlisted: boolean;
  /** Whether there is a Markdown version with a useful URL. */
  bare: boolean;
  /** The theme's style sheets and scripts that only some pages need. */
  styles?: ThemeAsset[];
  hasComponentScript?: boolean;
  /** Scripts of the author's components on this page, as site paths. */
  scripts?: readonly string[];
}
