import type { Html } from '../../html.ts';
import type { Place } from '../expressions/value.ts';
import type { ContentNode, PropValue } from '../nodes/content-node.ts';
import type { ApiWord } from './words.ts';

export interface IconOptions {
  type?: string;
  color?: string;
  sizePx?: number;
  className?: string;
}

/**
 * The renderer context for components. One object for each page; implemented by `render-html.ts`.
 */
export interface PageRenderer {
  /** Renders child nodes in order. */
  render(nodes: readonly ContentNode[]): Html;
  /** Renders a caption or a title that may contain inline Markdown (`code`, emphasis, links). */
  inlineMarkdown(text: string): Html;
  /**
   * Renders a block of plain Markdown that is not MDX (descriptions in API documents): raw HTML in
   * it is dropped or escaped.
   */
  markdown(text: string): Html;
  /** Returns an id that is unique on the page, made from `text` by the format's slug rules. */
  uniqueId(text: string): string;
  /** Adds an entry to the table of contents. `depth` is 2–4; `word` identifies a UI word. */
  addTocEntry(depth: number, id: string, text: string, word?: ApiWord): void;
  /**
   * Returns an icon as inline SVG: a name of the site's library, a path or address of an image, or
   * an `<svg>` given as JSX. Empty, with a warning, if there is no such icon.
   */
  icon(icon: unknown, options?: IconOptions): Html;
  /** Renders a highlighted code block with its frame, title and copy button. */
  codeBlock(block: CodeBlockInput): Html;
  /**
   * Returns the escaped value of an author's link for `href="…"`: a link mark, or an allowed
   * address.
   */
  href(target: string, node?: Place): string;
  /** The same for `src="…"` of images and media. */
  src(target: string, node?: Place): string;
  /** Declares that the page needs a custom element or client feature, for example `docent-tabs`. */
  need(element: string): void;
  /** Adds HTML to the page's right rail instead of in place. */
  addAside(markup: Html): void;
  /** Reports a warning at the node's position. */
  warn(code: string, message: string, remedy: string, node?: Place): void;
}

export interface CodeBlockInput {
  language: string;
  /** Rest of the fence line: title and options (`title="x" {1,3} lines wrap`). */
  meta: string;
  code: string;
  line?: number;
  /** An icon given as JSX instead of a name. */
  icon?: PropValue;
  /** Set inside a CodeGroup: the tab shows the title, so the block does not. */
  inGroup?: boolean;
}

/**
 * A run of tokens with one color. `kind` is an index of the stylesheet's classes; 0 is plain text.
 */
export interface HighlightedToken {
  text: string;
  kind: number;
}

/** Splits code into lines of tokens. Highlighting is synchronous once the grammars are loaded. */
export interface Highlighter {
  /**
   * Loads the grammars of these languages (any spelling, aliases too). Resolves to the unknown
   * ones.
   */
  load(languages: Iterable<string>): Promise<string[]>;
  /** Returns lines of tokens; plain lines for a language that is not loaded. */
  highlight(code: string, language: string): HighlightedToken[][];
  /** Returns the name of the language that an unknown one probably meant. */
  nearest?(language: string): string | undefined;
  /**
   * Returns the compiler's notes on the code. Undefined until `settle` computes them, or if there
   * are none.
   */
  explain?(code: string, language: string): ExplainedCode | undefined;
  /**
   * Does the asynchronous work that earlier calls requested; the same calls then return its
   * results. Undefined if there is none.
   * `problems` are sentences.
   */
  settle?(): Promise<{ problems: string[] } | undefined>;
}

/** Code without the directives for the compiler, and the compiler's notes on the rest. */
export interface ExplainedCode {
  code: string;
  hints: CodeHint[];
  notes: CodeNote[];
  /** Why there are no notes; the code is then as written. */
  problem?: string;
}

/** The meaning of a part of a line, shown on hover. */
export interface CodeHint {
  /** From 0. */
  line: number;
  start: number;
  length: number;
  /** A type, for example `const a: number`. */
  text: string;
  docs?: string;
}

/** A line of its own below a line of code. */
export interface CodeNote {
  /** From 0: the line above it. */
  line: number;
  /** Column that it refers to, from 0. */
  start: number;
  length: number;
  kind: 'error' | 'warning' | 'type' | 'completion' | 'log';
  text: string;
}

/**
 * Looks up library icons. Returns the inner markup of an `<svg>`, its view box, and how it is
 * painted.
 */
export interface IconSource {
  find(name: string, library: IconLibrary, type?: string): IconDrawing | undefined;
  /** Returns the name that an unknown one probably meant. */
  nearest?(name: string, library: IconLibrary): string | undefined;
}

export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler';

export interface IconDrawing {
  body: string;
  width: number;
  height: number;
}
