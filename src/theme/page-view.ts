import type { SiteConfig } from '../core/docs-json/site-config.ts';
import type { Html } from '../core/html.ts';
import type { ResolveLink } from '../core/links.ts';
import type { MenuLink, PageMenu } from '../core/navigation/navigation.ts';
import type { BuiltPage, PageContent } from '../core/site-build.ts';

/** What every page of one site in one use (hosted, exported) has in common. */
export interface SiteView {
  config: SiteConfig;
  /** Names the build among all builds of the site: a page of another one is not swapped into a document of this one. */
  build?: string;
  /** Absolute address of the site without a trailing slash, for canonical links; undefined where it is not known. */
  origin?: string;
  /** Addresses of the theme's own files by their logical name, relative to the page or absolute in the site. */
  themeAsset: (name: ThemeAsset, page: Pick<BuiltPage, 'href'>) => string;
  /** Address of the script that a page begins to search with, from the page. */
  searchIndex: (page: Pick<BuiltPage, 'href'>, language: string | undefined) => string;
  /** The site's own CSS and JavaScript files, as site paths. */
  customStyles: string[];
  customScripts: string[];
  /** Set where the page may call a server: the base of the API. Absent in bundles. */
  apiUrl?: string;
  /** Address of the site's server for the Model Context Protocol, where there is one. */
  mcpUrl?: string;
  /** Whether the site answers questions: a part of the page listens to `docent:ask` then. */
  hasAssistant?: boolean;
  /**
   * Address of the assistant API where it is not that of the site's own server: whole, or a path from the root of the site.
   */
  assistantUrl?: string;
  /** Address that the pages send their events to; absent: nothing is sent. */
  analyticsUrl?: string;
  /** Whether pages load the scripts of other services that the site chose. */
  hasIntegrations?: boolean;
  /** Address that readers send what they say of pages to; absent: they are not asked. */
  feedbackUrl?: string;
  /** Absolute address of the picture that link previews show for a page; undefined where none is drawn. */
  previewImage?: (page: Pick<BuiltPage, 'href'>) => string | undefined;
  /** How pages are addressed: `/guides/start` on a server, `../guides/start.html` in a bundle. Default `clean`. */
  linkStyle?: 'clean' | 'html';
  /**
   * What to write before a site path without its slash to reach it from this page: `../` in a bundle, `/` or `/docs/`
   * on a server. Default `/`. The search dialog makes its addresses with it, and pages of a bundle with the same prefix share
   * what was rendered for one of them: their `resolve` must give the same addresses.
   */
  rootPrefix?: (page: Pick<BuiltPage, 'href'>) => string;
  /** Draws an icon of the site's library by its name; empty where there is no such icon. */
  icon?: (name: string) => Html;
  /** Declarations for `:root` and `html.dark` that give the colors of highlighted code; CSS text. */
  codeThemeStyle?: string;
}

/** A page that has no content of its own: the one for addresses that lead nowhere. */
export interface BarePageView {
  /** What comes before every address of the document. */
  start?: Html;
  /** Pages that the reader may have meant. */
  related?: readonly MenuLink[];
  site: SiteView;
  menu: PageMenu;
  resolve: ResolveLink;
}

export type ThemeAsset =
  | 'site.css'
  | 'site.js'
  | 'inter-latin.woff2'
  | 'search.js'
  | 'katex.css'
  | 'diagrams.js'
  | 'mermaid.js'
  | 'islands.js'
  | 'assistant.js'
  | 'playground.js'
  | `assistant-${string}.js`
  | `playground-${string}.js`;

/** Everything that the theme needs to make one page. */
export interface PageView {
  site: SiteView;
  page: BuiltPage;
  /** What the author leads readers on to. */
  related?: readonly MenuLink[];
  content: PageContent;
  menu: PageMenu;
  /** Turns a site path into the address to write from this page. */
  resolve: ResolveLink;
}
