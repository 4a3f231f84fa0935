import type { ApiWord } from '../api-reference/markup/words.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { AnchorLink } from './page-anchors.ts';

export interface TocEntry {
  /** 2–4. */
  depth: number;
  /** Without `#`. */
  id: string;
  /** Plain text. */
  text: string;
  /** Where the text is a word of the interface, in English: which one. */
  word?: ApiWord;
}

/**
 * A piece of a page between two headings: the unit of search and of answers.
 */
export interface ContentSection {
  /** Id of the heading, without `#`; empty before the first heading. */
  anchor: string;
  /** Headings above and including this one, plain text, outermost first; without the page's title. */
  headings: string[];
  /** Markdown of the section without its heading: paragraphs, lists, code fences; components unwrapped. */
  markdown: string;
  /** Plain prose of the section, one space between words; without code blocks. */
  text: string;
  /** Text of the code blocks, joined by newlines. */
  code: string;
}

/** What one page of the source became. Immutable; stored under the hash of its JSON. */
export interface PageContent {
  /** The article, with internal links as marks (`core/links.ts`). */
  html: string;
  /** What stands in the right rail instead of the table of contents (examples, `Panel`); empty where nothing does. */
  aside: string;
  toc: TocEntry[];
  /** The page for readers that are programs: clean Markdown, no MDX. Internal links are site paths. */
  markdown: string;
  /** Names of the custom elements and client features that the page needs, for example `docent-tabs`. */
  elements: string[];
  /** Scripts that this page needs beside the theme's own, for its components: keys of `SiteBuild.files`. */
  scripts?: string[];
}

/** What compiling a page gives. */
export interface CompiledPage {
  content: PageContent;
  sections: ContentSection[];
  /** Site paths of the files that the page shows or links (`/images/a.png`). */
  assets: string[];
  /** Ids on the page, which links may lead to. */
  anchors: string[];
  /** Links to places on other pages of the site. */
  anchorLinks: AnchorLink[];
  diagnostics: Diagnostic[];
  /** Whether an error block stands in the page. */
  failed: boolean;
  /** Class names that the page holds or may give itself; the utility styles of the site are made from them. */
  classNames?: string[];
  /** Files that the page needs and that were made from it: what `content.scripts` names. */
  files?: { path: string; text: string }[];
}

/** Frontmatter after reading; unknown keys are kept in `custom`. */
export interface Frontmatter {
  title?: string;
  description?: string;
  sidebarTitle?: string;
  icon?: string;
  iconType?: string;
  tag?: string;
  mode?: 'default' | 'wide' | 'custom' | 'frame' | 'center' | 'assistant';
  /** `METHOD path` of a hand-written API page. */
  api?: string;
  /** `[file] METHOD /path` or `[file] webhook name`. */
  openapi?: string;
  openapiSchema?: string;
  asyncapi?: string;
  /** The symbol of a library that the page is about, as written. */
  sdk?: unknown;
  authMethod?: string;
  url?: string;
  canonical?: string;
  version?: string;
  keywords?: string[];
  boost?: number;
  hidden?: boolean;
  noindex?: boolean;
  searchable?: boolean;
  deprecated?: boolean;
  hideFooterPagination?: boolean;
  rss?: boolean;
  custom: Record<string, unknown>;
}
