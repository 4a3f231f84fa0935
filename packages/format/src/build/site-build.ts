import type { PageAudience } from '../access/audience.ts';
import { isPublicPage } from '../access/public-page.ts';
import type { PageContent, ShownContent } from '../content/page/page-content.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { SiteConfig } from '../docs-json/site-config.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { QuestionReport } from '../questions/question-report.ts';
import { requireReadable } from './stored-forms.ts';

/** A file of a build: content-addressed, stored once however many builds have it. */
export interface FileEntry {
  /** Lower-case hex SHA-256 of the bytes. */
  sha256: string;
  sizeBytes: number;
  /** Media type. */
  type: string;
}

/** A search index. */
export interface IndexEntry extends FileEntry {
  /**
   * The index of more pages, of which this one is made when it is first read. Only in what
   * `visibleBuild` returns, never in a manifest.
   */
  partOf?: FileEntry;
}

export interface RelatedLink {
  href: string;
  label?: string;
}

/**
 * Metadata of a page in a build, for menus, the head and listings. Its body is the file `content`.
 */
export interface BuiltPage {
  /** As named in docs.json: no leading slash, no extension. */
  path: string;
  /** Public site path: `/guides/start`; `/` for `index`. */
  href: string;
  /** Source file, empty for a page generated from an API description. */
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
  /** Excluded from navigation, search, sitemap and answers. */
  hidden?: boolean;
  noindex?: boolean;
  /** Head tags that the page itself sets, by name: `og:image`, `twitter:card`, `robots`. */
  metatags?: Record<string, string>;
  /** Day of the last change, ISO 8601, if the author states it. */
  lastUpdated?: string;
  /** Whether that day is shown to readers. */
  showsLastUpdated?: boolean;
  /** The page's entries have a feed; `shown` if the page links to it. */
  feed?: 'quiet' | 'shown';
  hideFooterPagination?: boolean;
  /** The author's next links: site paths and URLs, with optional labels; empty for none. */
  related?: RelatedLink[];
  /** Replaces the site's page menu on this page. */
  contextual?: SiteConfig['contextual'];
  version?: string;
  language?: string;
  /** Who may read it, if that is not everybody who may read the site. */
  audience?: PageAudience;
  /** Whether it differs between readers who signed in. */
  isPersonal?: true;
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
  /** Number of its form: `STORED_FORMS.build`. */
  formatVersion: number;
  /**
   * Hash of everything below; building the same source twice with the same version gives the same
   * id.
   */
  id: string;
  config: SiteConfig;
  navigation: Navigation;
  pages: BuiltPage[];
  /**
   * Every other file by its site path without a leading slash: images, `openapi.json`, custom CSS
   * and JS. Generated files (utility styles, scripts of the site's components) are under `_docent/`
   * with their hash in the name.
   */
  files: Record<string, FileEntry>;
  /** Style sheets for every page, in order: keys of `files`. */
  styles: string[];
  /** Scripts for every page, in order: keys of `files`. */
  scripts: string[];
  /** Hosts that these load code from, in CSP syntax; absent if there are none. */
  scriptHosts?: string[];
  /** Markup of the icons in the navigation, the header and the footer, by name. */
  icons: Record<string, string>;
  /** CSS with the colors of the site's code themes; empty for the default. */
  codeThemeStyle: string;
  /**
   * The site owners' instructions for their assistant, from `.docent/assistant.md`; absent if there
   * is no such file.
   */
  assistantInstructions?: string;
  /** Agent skills in the repository; absent if there are none. */
  skills?: AgentSkill[];
  /** The search index, one file for server, browser and bundle. */
  searchIndex: IndexEntry;
  /**
   * Absent if readers could not sign in when the site was built, and in what `visibleBuild`
   * returns.
   */
  restricted?: RestrictedContent;
  report: BuildReport;
}

/**
 * What a site has besides what everybody may read, if its readers can sign in. An older version of
 * Docent does not know this part: it serves the rest, in which nothing names a restricted page.
 * `visibleBuild` puts both together for a reader.
 */
export interface RestrictedContent {
  /** Those with groups. */
  pages: BuiltPage[];
  /** The position of each of them among all pages of the site. */
  places: number[];
  /** With all pages. */
  navigation: Navigation;
  redirects: SiteConfig['redirects'];
  /** Those that only restricted pages use. */
  files: Record<string, FileEntry>;
  /**
   * Who may read a file, of these and of `SiteBuild.files`, if that is not everybody who may read
   * the site.
   */
  audiences: Record<string, PageAudience>;
  styles: string[];
  icons: Record<string, string>;
  /** Of all pages. */
  searchIndex: FileEntry;
}

/** How many pages readers see of a site. */
export interface AudienceCounts {
  /** Of those for everybody who may read the site. */
  pageCount: number;
  /** For each group, of a reader with that group alone. */
  groups: { name: string; pageCount: number }[];
}

export interface BuildReport {
  pageCount: number;
  /** Pages that show an error block. */
  failedPageCount: number;
  fileCount: number;
  durationMs: number;
  diagnostics: Diagnostic[];
  /** How many pages readers see by their groups. Absent if no page is restricted. */
  audiences?: AudienceCounts;
  /** Absent if the repository has no questions, or the build was not asked. */
  questions?: QuestionReport;
}

/**
 * Parses the manifest of a build. Omits pages that an earlier version published although their
 * `groups` restrict them.
 * @throws SyntaxError if the text is not JSON
 * @throws DocentError `database_too_new` if a newer version has written it
 */
export function readSiteBuild(manifest: string): SiteBuild {
  const build = JSON.parse(manifest) as SiteBuild;
  requireReadable('build', build.formatVersion);
  build.pages = build.pages.filter((page) => isPublicPage((page as { groups?: unknown }).groups));
  return build;
}

export type { PageContent, ShownContent };
