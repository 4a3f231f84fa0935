import type { Diagnostic } from '../diagnostics.ts';
import type { OpenApiSource, SymbolSource } from '../docs-json/site-config.ts';
import type { ApiPageRef, GeneratedPage } from '../generated-page.ts';
import type { Place } from '../json-document.ts';
import type { Navigation } from './navigation.ts';

/** The source context of the navigation. */
export interface NavigationContext {
  /** The configuration file, for diagnostics. */
  file: string;
  /** Returns whether the tree has a `.mdx` or `.md` file of that path. */
  hasPage(path: string): boolean;
  /** Returns the path of the page that a mistyped one probably meant. */
  nearPage?(path: string): string | undefined;
  /** Returns whether everybody may read the page; others are left out without a warning. */
  isPublic(path: string): boolean;
  /** Returns the pages of an API description; empty if it could not be read. */
  apiPages(source: OpenApiSource): readonly ApiPageRef[];
  /**
   * Returns the pages of a reference; if it could not be read, one page that says what is missing.
   */
  symbolPages(source: SymbolSource): readonly GeneratedPage[];
  /**
   * Returns what the author wrote that page about, by its frontmatter: a symbol of a reference, or
   * a part of an API.
   */
  subjectOf(path: string): 'symbol' | 'api' | undefined;
  /** Returns the operation or the channel that the author's page shows; a channel has no method. */
  operationOf(
    path: string,
  ): (Pick<ApiPageRef, 'source' | 'route'> & { method?: string }) | undefined;
  /** `openapi` of the `api` setting, inherited by everything. */
  defaultOpenApi: readonly OpenApiSource[];
  /** Every OpenAPI file of the source, to find operations that no named description has. */
  discoveredOpenApi?(): readonly OpenApiSource[];
  /** Returns the position of a member of a navigation object. */
  placeOf?(container: object, key: string | number): Place | undefined;
}

export interface BuiltNavigation {
  navigation: Navigation;
  /** Every page that the navigation names, once, in order. */
  pagePaths: string[];
  /** Page path → the library (`sdk`) that it inherits from its parents. */
  libraries: ReadonlyMap<string, SymbolSource>;
  /** Those below a part with `public: true`. */
  publicPaths: ReadonlySet<string>;
  diagnostics: Diagnostic[];
}

/** A value inside the navigation with its position. */
export interface Spot {
  container: object;
  key: string | number;
  /** `navigation.tabs[0].pages[2]`. */
  path: string;
}
