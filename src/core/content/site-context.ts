import type { SiteConfig } from '../docs-json/site-config.ts';
import type { ImageSize } from './image-size.ts';
import type { IslandSource } from './islands/island.ts';
import type { Frontmatter } from './page-content.ts';
import type { Highlighter, IconSource } from './page-renderer.ts';

/** The compiler's view of the site that a page belongs to. Nothing else from outside affects a page. */
export interface SiteContext {
  config: Pick<SiteConfig, 'variables' | 'iconLibrary' | 'latex' | 'api' | 'codeblocks'>;
  /** Text of a source file (snippet), by its path in the tree without a leading slash. */
  readText(path: string): string | undefined;
  /** Whether the tree has that file. */
  hasFile(path: string): boolean;
  /** Returns the size of the image in that file, if known. */
  imageSize?(path: string): ImageSize | undefined;
  /**
   * Returns the public path of the page at this site path (`/guides/start`), redirects followed; undefined if there is none. A
   * description with an anchor (`/openapi.json#operation/listUsers`) is the page of that operation.
   */
  pageHref(sitePath: string): string | undefined;
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
  /** Path in the tree, for diagnostics and for relative imports. For a generated page, the description that it comes from. */
  file: string;
  /** What it shows of an API description. */
  api?: { description: string };
  /** The whole file, frontmatter included. */
  text: string;
  frontmatter: Frontmatter;
  title: string;
}
