import { kebabCase } from '@docent/format/anchors.ts';
import type { CodeSample } from '@docent/format/api-reference/samples/code-samples.ts';
import type { SchemaField, TypePart } from '@docent/format/api-reference/schemas/schema-view.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { textAt } from '@docent/format/json-value.ts';

/**
 * A reference that is generated from the output of a tool: a GraphQL schema, or the output of a
 * documentation tool for code. It describes symbols: queries, types, classes, functions. Each
 * format has a reader that creates a `SymbolDocument`; navigation, pages, Markdown and search
 * depend only on this.
 */
export interface SymbolDocument {
  /** Symbols with a page, in menu order. */
  entries: readonly SymbolEntry[];
  /**
   * Returns the symbol that frontmatter names: an entry, or a member of one; undefined if there is
   * none.
   */
  find(reference: SymbolName): SymbolEntry | undefined;
  /**
   * Returns the content of a symbol's page.
   * @param pathOf returns the site path (`/sdk/classes/client`) of the page of the symbol with an
   *   id, if it has one
   */
  content(id: string, pathOf: (id: string) => string | undefined): SymbolContent;
}

/** The result of reading a reference. `document` is absent if the diagnostics say why. */
export interface ParsedSymbolDocument {
  document?: SymbolDocument;
  diagnostics: Diagnostic[];
}

/** A symbol without its content. */
export interface SymbolEntry {
  /** Unique in its document and stable across runs: `query user`, `class Client`. */
  id: string;
  title: string;
  /** The first paragraph of its documentation, as Markdown. */
  description?: string;
  deprecated: boolean;
  /** Its groups in the menu, outermost first. */
  groups: readonly string[];
  /** Its page within the site folder of the reference: `queries/user`. */
  path: string;
}

/** A symbol as named by frontmatter. */
export interface SymbolName {
  kind: string;
  name: string;
  /** The class or interface of a method or property. */
  parent?: string;
}

export interface SymbolContent {
  /** Its kind, in one word: `QUERY`, `CLASS`. */
  badge: string;
  /** Its name in code, including type parameters. */
  name: string;
  deprecated: boolean;
  blocks: SymbolBlock[];
  /** For the rail beside the text. */
  requests: CodeSample[];
  responses: CodeSample[];
}

/** A part of a symbol's page. */
export type SymbolBlock =
  | {
      kind: 'heading';
      depth: 2 | 3;
      text: string;
      deprecated?: boolean;
      labels?: readonly string[];
    }
  /** A heading without an anchor. */
  | { kind: 'label'; text: string }
  | { kind: 'text'; markdown: string }
  /** Marks the symbol as deprecated, and names its replacement. */
  | { kind: 'deprecation'; markdown: string }
  | { kind: 'code'; sample: CodeSample }
  /** `Implements: Node, Actor`; without a label below a heading that says what they are. */
  | { kind: 'types'; label?: string; types: readonly (readonly TypePart[])[] }
  | { kind: 'fields'; fields: readonly SchemaField[]; prefix: string };

/** A heading with an anchor; without a depth, one without. */
export function titled(text: string, depth: 2 | undefined): SymbolBlock {
  return depth === undefined ? { kind: 'label', text } : { kind: 'heading', depth, text };
}

/** A text; nothing if it is blank. */
export function textBlock(markdown = ''): SymbolBlock[] {
  return markdown.trim() === '' ? [] : [{ kind: 'text', markdown }];
}

/**
 * The mark of a deprecated symbol, with the reason if there is one; nothing if it is not
 * deprecated.
 */
export function deprecationBlock(reason: string | undefined): SymbolBlock[] {
  return reason === undefined ? [] : [{ kind: 'deprecation', markdown: reason }];
}

/** Types behind a label; nothing if there are none. */
export function typesBlock(label: string, types: readonly (readonly TypePart[])[]): SymbolBlock[] {
  return types.length === 0 ? [] : [{ kind: 'types', label, types }];
}

/** Fields below a heading; nothing if there are none. */
export function fieldBlocks(
  title: string,
  depth: 2 | undefined,
  prefix: string,
  fields: readonly SchemaField[],
): SymbolBlock[] {
  return fields.length === 0 ? [] : [titled(title, depth), { kind: 'fields', prefix, fields }];
}

const MAX_CHARACTERS = 300;

/**
 * Returns the first paragraph of a text as a page description, which is plain text. Undefined if it
 * would lose something: links, HTML, a list.
 */
export function summaryOf(markdown: string | undefined): string | undefined {
  const paragraph = paragraphsOf(markdown ?? '')[0]?.trim() ?? '';
  if (paragraph === '' || paragraph.length > MAX_CHARACTERS) return undefined;
  if (/[<|]|\]\(|https?:|^(?:[-*+#>]|\d+[.)]|```|~~~)/.test(paragraph)) return undefined;
  return paragraph.replace(/[`*]+/g, '').replace(/\s+/g, ' ').trim();
}

/**
 * Returns the text without its first paragraph if the page already shows that as its description.
 */
export function withoutSummary(markdown: string, description: string | undefined): string {
  if (description === undefined || summaryOf(markdown) !== description) return markdown;
  return paragraphsOf(markdown)[1] ?? '';
}

/** Splits a text after the first paragraph. */
function paragraphsOf(markdown: string): [string, string?] {
  const text = markdown.trim();
  const end = /\n[ \t]*\r?\n/.exec(text);
  return end ? [text.slice(0, end.index), text.slice(end.index).trim()] : [text];
}

/** Returns a name as a path segment: `createUser` and `create_user` become `create-user`. */
export function symbolSlug(name: string): string {
  return kebabCase(name.slice(0, 120)) || 'symbol';
}

/** Makes paths unique: the second `types/user` is `types/user-2`. */
export class FreePaths {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(requestedPath: string): string {
    // A page named "index" would have the URL of its folder.
    const path = requestedPath.replace(/(^|\/)index$/, '$1index-page');
    let candidate = path;
    let number = this.#next.get(path) ?? 2;
    while (this.#taken.has(candidate)) candidate = `${path}-${number++}`;
    this.#next.set(path, number);
    this.#taken.add(candidate);
    return candidate;
  }
}

/** Frontmatter `sdk`: the documented symbol, and its reference if that is not inherited. */
interface SymbolReference extends SymbolName {
  format?: string;
  source?: string;
}

const KINDS = new Set(
  'class interface enum function type variable method property namespace module'.split(' '),
);

/**
 * Parses `"[source] kind name"` or an object with `kind`, `name` and more.
 * @returns undefined if it names no symbol
 */
export function parseSymbolReference(value: unknown): SymbolReference | undefined {
  if (typeof value === 'string') return parseText(value.slice(0, 2_000).trim());
  const field = (name: string): string | undefined => textAt(value, name)?.trim();
  const kind = field('kind')?.toLowerCase();
  const name = field('name');
  if (kind === undefined || name === undefined || !KINDS.has(kind)) return undefined;
  return {
    kind,
    name,
    parent: field('parent'),
    format: field('format')?.toLowerCase(),
    source: field('source'),
  };
}

function parseText(text: string): SymbolReference | undefined {
  const words = text.split(/\s+/);
  for (const [index, word] of words.slice(0, 2).entries()) {
    const kind = word.toLowerCase();
    const name = words.slice(index + 1).join(' ');
    if (KINDS.has(kind) && name !== '')
      return index === 0 ? { kind, name } : { kind, name, source: words[0] as string };
  }
  return undefined;
}
