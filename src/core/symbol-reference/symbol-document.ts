import type { SchemaField, TypePart } from '../api-reference/markup/schema-view.ts';
import type { CodeSample } from '../api-reference/samples/code-samples.ts';
import type { Diagnostic } from '../diagnostics.ts';

/**
 * A reference that is made from what a tool wrote: a GraphQL schema, or the output of a documentation tool for code. What
 * it describes are symbols: queries, types, classes, functions. Each format has a reader that makes a `SymbolDocument`;
 * navigation, pages, Markdown and search know nothing but this.
 */
export interface SymbolDocument {
  /** Path in the source tree without a leading slash, or the address it came from. */
  file: string;
  /** Symbols that have a page, in the order of the menu. */
  entries: readonly SymbolEntry[];
  /** The symbol of an id: an entry, or a member of one; undefined where there is none. */
  entry(id: string): SymbolEntry | undefined;
  /** The symbol that an author names in frontmatter. */
  find(reference: SymbolName): SymbolEntry | undefined;
  /**
   * What the page of a symbol says.
   * @param pathOf the site path (`/sdk/classes/client`) of the page of the symbol with an id, where it has one
   */
  content(id: string, pathOf: (id: string) => string | undefined): SymbolContent;
}

/** What reading a reference gives. `document` is absent where the diagnostics say why. */
export interface ParsedSymbolDocument {
  document?: SymbolDocument;
  diagnostics: Diagnostic[];
}

/** What is known of a symbol without its content. */
export interface SymbolEntry {
  /** Unique in its document and the same in every run: `query user`, `class Client`. */
  id: string;
  title: string;
  /** The first paragraph of what is written about it, as Markdown. */
  description?: string;
  deprecated: boolean;
  /** The groups of the menu that it stands in, the outer one first. */
  groups: readonly string[];
  /** Its page in the site folder of the reference: `queries/user`. */
  path: string;
}

/** A symbol as frontmatter names it. */
export interface SymbolName {
  kind: string;
  name: string;
  /** The class or interface that holds a method or property. */
  parent?: string;
}

export interface SymbolContent {
  /** What it is, in one word: `QUERY`, `CLASS`. */
  badge: string;
  /** Its name as code writes it, type parameters included. */
  name: string;
  deprecated: boolean;
  blocks: SymbolBlock[];
  /** For the rail beside the text. */
  requests: CodeSample[];
  responses: CodeSample[];
}

/** A piece of a page about a symbol. */
export type SymbolBlock =
  | { kind: 'heading'; depth: 2 | 3; text: string; deprecated?: boolean; labels?: readonly string[] }
  /** A heading that no link leads to. */
  | { kind: 'label'; text: string }
  | { kind: 'text'; markdown: string }
  /** Says that the symbol should not be used any more, and what to use. */
  | { kind: 'deprecation'; markdown: string }
  | { kind: 'code'; sample: CodeSample }
  /** `Implements: Node, Actor`; without a label below a heading that says what they are. */
  | { kind: 'types'; label?: string; types: readonly (readonly TypePart[])[] }
  | { kind: 'fields'; fields: readonly SchemaField[]; prefix: string };
