import type { SiteConfig } from '../docs-json/site-config.ts';
import type { ImageSize } from './image-size.ts';
import type { IslandSource } from './islands/island.ts';
import type { Frontmatter } from './page-content.ts';
import type { Highlighter, IconSource } from './page-renderer.ts';

/** What the compiler may ask of the site that a page belongs to. Nothing else of the world reaches a page. */
export interface SiteContext {
  config: Pick<SiteConfig, 'variables' | 'iconLibrary' | 'latex' | 'api' | 'codeblocks'>;
  /** Text of a source file (snippet), by its path in the tree without a leading slash. */
  readText(path: string): string | undefined;
  /** Whether the tree has that file. */
  hasFile(path: string): boolean;
  /** How large the image in that file is, where that is known. */
  imageSize?(path: string): ImageSize | undefined;
  /** The reader's address of the page at this site path (`/guides/start`), redirects followed; undefined where there is none. */
  pageHref(sitePath: string): string | undefined;
  highlighter: Highlighter;
  icons: IconSource;
  /** Runs what the interpreter cannot; without it those components have placeholders. */
  islands?: IslandSource;
}

/** A page before it is compiled. */
export interface PageSource {
  /** `BuiltPage.path`. */
  path: string;
  href: string;
  /** Path in the tree, for diagnostics and for relative imports. */
  file: string;
  /** The whole file, frontmatter included. */
  text: string;
  frontmatter: Frontmatter;
  title: string;
}
