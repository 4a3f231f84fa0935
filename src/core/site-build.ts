import { isPublicPage } from './access/public-page.ts';
import type { PageContent } from './content/page-content.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { SiteConfig } from './docs-json/site-config.ts';
import type { Navigation } from './navigation/navigation.ts';

/** A file of a build: addressed by what it holds, stored once however many builds have it. */
export interface FileEntry {
  /** Lower-case hex SHA-256 of the bytes. */
  sha256: string;
  sizeBytes: number;
  /** Media type. */
  type: string;
}

export interface RelatedLink {
  href: string;
  label?: string;
}

/** A page of a build: what the menu, the head and the listings need. Its body is the file `content`. */
export interface BuiltPage {
  /** As docs.json names it: no leading slash, no extension. */
  path: string;
  /** Site path that readers use: `/guides/start`; `/` for `index`. */
  href: string;
  /** Source file, empty for a page made from an API description. */
  file: string;
  title: string;
  description?: string;
  sidebarTitle?: string;
  icon?: string;
  tag?: string;
  mode: 'default' | 'wide' | 'custom' | 'frame' | 'center' | 'assistant';
  deprecated?: boolean;
  /** HTTP method of an API page. */
  method?: string;
  externalUrl?: string;
  canonical?: string;
  keywords?: string[];
  /** Out of navigation, search, sitemap and answers. */
  hidden?: boolean;
  noindex?: boolean;
  /** Tags of the head that the page itself sets, by name: `og:image`, `twitter:card`, `robots`. */
  metatags?: Record<string, string>;
  /** Day of the last change, ISO 8601, where the author says it. */
  lastUpdated?: string;
  /** Whether readers see that day. */
  showsLastUpdated?: boolean;
  /** There is a feed of the page's entries; `shown` where the page offers it to readers. */
  feed?: 'quiet' | 'shown';
  hideFooterPagination?: boolean;
  /** What the author leads readers on to: site paths and addresses, with a label where they give one; empty for nothing. */
  related?: RelatedLink[];
  /** The menu of this page instead of the site's. */
  contextual?: SiteConfig['contextual'];
  version?: string;
  language?: string;
  /** JSON of `PageContent`. */
  content: FileEntry;
}

/** Instructions for agents that work with the product of a site (agentskills.io). */
export interface AgentSkill {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  description: string;
  /** The whole file, with its frontmatter. */
  text: string;
  /** Whether it is the `skill.md` of the site itself. */
  isRoot: boolean;
}

/** The immutable result of building a site. Its JSON is the manifest that a live pointer names. */
export interface SiteBuild {
  formatVersion: 1;
  /** Hash of everything below; the same source built twice by the same version has the same id. */
  id: string;
  config: SiteConfig;
  navigation: Navigation;
  pages: BuiltPage[];
  /**
   * Every other file by its site path without a leading slash: images, `openapi.json`, custom CSS and JS. What the build
   * itself made (utility styles, scripts of the site's components) lies under `_docent/` in a name that holds its hash.
   */
  files: Record<string, FileEntry>;
  /** Style sheets for every page, in order: keys of `files`. */
  styles: string[];
  /** Scripts for every page, in order: keys of `files`. */
  scripts: string[];
  /** Hosts that these load code from, as CSP writes them; absent where there are none. */
  scriptHosts?: string[];
  /** Markup of the icons that the navigation, the header and the footer name, by that name. */
  icons: Record<string, string>;
  /** CSS that gives highlighted code the colors of the themes that the site chose; empty for our own. */
  codeThemeStyle: string;
  /** The instructions of the site's owners for its assistant, from `.docent/assistant.md`; absent where there is no such file. */
  assistantInstructions?: string;
  /** Skills for agents that the repository brings; absent where there are none. */
  skills?: AgentSkill[];
  /** The search index, one file for server, browser and bundle. */
  searchIndex: FileEntry;
  report: BuildReport;
}

export interface BuildReport {
  pageCount: number;
  /** Pages that show an error block. */
  failedPageCount: number;
  fileCount: number;
  durationMs: number;
  diagnostics: Diagnostic[];
}

/**
 * Reads the manifest of a build. Pages that an earlier version published although their `groups` restrict them are left out.
 * @throws SyntaxError where the text is not JSON
 */
export function readSiteBuild(manifest: string): SiteBuild {
  const build = JSON.parse(manifest) as SiteBuild;
  build.pages = build.pages.filter((page) => isPublicPage((page as { groups?: unknown }).groups));
  return build;
}

export type { PageContent };
