import type { Diagnostic } from '../../diagnostics.ts';
import type { SiteConfig } from '../../docs-json/site-config.ts';
import type { ImageSize } from '../../image-size.ts';
import type { Frontmatter } from '../mdx/frontmatter.ts';
import type { SourceFiles } from '../mdx/source-files.ts';
import type { IslandSource } from '../nodes/island.ts';
import type { AnchorLink } from './page-anchors.ts';
import type { Highlighter, IconSource } from './page-renderer.ts';
import type { PersonalPiece } from './personal-page.ts';
import type { ApiWord } from './words.ts';

export interface TocEntry {
  /** 2–4. */
  depth: number;
  /** Without `#`. */
  id: string;
  /** Plain text. */
  text: string;
  /** If the text is a UI word, in English: which one. */
  word?: ApiWord;
}

/** A part of a page between two headings: the unit of search and of answers. */
export interface ContentSection {
  /** Id of the heading, without `#`; empty before the first heading. */
  anchor: string;
  /**
   * Headings above and including this one, plain text, outermost first; without the page's title.
   */
  headings: string[];
  /**
   * Markdown of the section without its heading: paragraphs, lists, code fences; components
   * unwrapped.
   */
  markdown: string;
  /** Plain prose of the section, one space between words; without code blocks. */
  text: string;
  /** Text of the code blocks, joined by newlines. */
  code: string;
}

/**
 * The compiled form of one page of the source. Immutable; stored under the hash of its file
 * (`compiler/pages/stored-page.ts`).
 */
export interface PageContent {
  /** The article, with internal links as marks (`format/links.ts`). */
  html: string;
  /**
   * Content of the right rail instead of the table of contents (examples, `Panel`); empty if there
   * is none.
   */
  aside: string;
  toc: TocEntry[];
  /** The page as clean Markdown for programs, no MDX. Internal links are site paths. */
  markdown: string;
  /**
   * Names of the custom elements and client features that the page needs, for example
   * `docent-tabs`.
   */
  elements: string[];
  /** `html` for readers who signed in, if it differs between them. */
  personal?: PersonalPiece[];
  /**
   * Scripts for the page's components, in addition to the theme's own: keys of `SiteBuild.files`.
   */
  scripts?: string[];
  /** Set if it is known that the page shows nothing of other servers. */
  isSelfContained?: true;
}

/** What a page of the site is rendered from. */
export type ShownContent = Omit<PageContent, 'markdown'>;

/** The result of compiling a page. */
export interface CompiledPage {
  content: PageContent;
  sections: ContentSection[];
  /** Site paths of the files that the page shows or links (`/images/a.png`). */
  assets: string[];
  /** Ids on the page, the possible link targets. */
  anchors: string[];
  /** Links to anchors on other pages of the site. */
  anchorLinks: AnchorLink[];
  diagnostics: Diagnostic[];
  /** Whether the page contains an error block. */
  failed: boolean;
  /**
   * Class names that the page contains or may add; the site's utility styles are generated from
   * them.
   */
  classNames?: string[];
  /** Files generated from the page: those that `content.scripts` names. */
  files?: { path: string; text: string }[];
}

/**
 * The compiler's view of the site that a page belongs to. Nothing else from outside affects a page.
 */
export interface SiteContext extends SourceFiles {
  config: SourceFiles['config'] & Pick<SiteConfig, 'iconLibrary' | 'api' | 'codeblocks'>;
  /** Returns the size of the image in that file, if known. */
  imageSize?(path: string): ImageSize | undefined;
  /**
   * Returns the public path of the page at this site path (`/guides/start`), redirects followed;
   * undefined if there is none. A description with an anchor (`/openapi.json#operation/listUsers`)
   * is the page of that operation.
   */
  pageHref(sitePath: string): string | undefined;
  /** Returns the site path of the page that a mistyped one probably meant. */
  nearPage?(sitePath: string): string | undefined;
  /** Returns the path of the file in the tree that a mistyped one probably meant. */
  nearFile?(path: string): string | undefined;
  highlighter: Highlighter;
  icons: IconSource;
  /** Runs what the interpreter cannot; without it those components become placeholders. */
  islands?: IslandSource;
}

/** A page before compilation. */
export interface PageSource {
  /** `BuiltPage.path`. */
  path: string;
  href: string;
  /**
   * Path in the tree, for diagnostics and for relative imports. For a generated page, the
   * description that it comes from.
   */
  file: string;
  /** What it shows of an API description. */
  api?: { description: string };
  /** The whole file, frontmatter included. */
  text: string;
  frontmatter: Frontmatter;
  title: string;
  /** Line of the heading that is the title: it is not shown in the text. */
  headingLine?: number;
}
