import type { ApiWord } from '../api-reference/markup/words.ts';
import type { Html } from '../html.ts';
import type { ContentNode, PropValue } from './expand/content-node.ts';

/**
 * What a component's renderer may use while it makes its HTML. One object for each page; `render-html.ts` implements it.
 */
export interface PageRenderer {
  /** Renders child nodes in order. */
  render(nodes: readonly ContentNode[]): Html;
  /** Renders a caption or a title that may hold inline Markdown (`code`, emphasis, links). */
  inlineMarkdown(text: string): Html;
  /** Renders a block of plain Markdown that is not MDX (descriptions in API documents): raw HTML in it is dropped or escaped. */
  markdown(text: string): Html;
  /** An id that nothing on the page has yet, made from `text` by the format's slug rules. */
  uniqueId(text: string): string;
  /** Adds an entry to the table of contents. `depth` is 2–4; `word` names a text that is a word of the interface. */
  addTocEntry(depth: number, id: string, text: string, word?: ApiWord): void;
  /**
   * An icon as inline SVG: a name of the site's library, a path or address of an image, or an `<svg>` given as JSX.
   * Empty, with a warning, where there is no such icon.
   */
  icon(icon: unknown, options?: { type?: string; color?: string; sizePx?: number; className?: string }): Html;
  /** A highlighted code block with its frame, title and copy button. */
  codeBlock(block: CodeBlockInput): Html;
  /** Turns an author's link into what goes unescaped into `href="…"`: a link mark, or an escaped, allowed address. */
  href(target: string, node?: { line?: number; file?: string }): string;
  /** The same for `src="…"` of images and media. */
  src(target: string, node?: { line?: number; file?: string }): string;
  /** Says that the page needs a custom element or client feature, for example `docent-tabs`. */
  need(element: string): void;
  /** Puts HTML into the page's right rail instead of in place. */
  addAside(markup: Html): void;
  /** Reports a warning at the node's place. */
  warn(code: string, message: string, remedy: string, node?: { line?: number; file?: string }): void;
  /** Plain text of nodes, for labels and ids. */
  textOf(nodes: readonly ContentNode[]): string;
}

export interface CodeBlockInput {
  language: string;
  /** Rest of the fence line: title and options (`title="x" {1,3} lines wrap`). */
  meta: string;
  code: string;
  line?: number;
  /** An icon that is no name: JSX. */
  icon?: PropValue;
  /** Set inside a CodeGroup: the tab shows the title, so the block must not. */
  inGroup?: boolean;
}

/** A token run of one color. `kind` indexes the classes of the stylesheet; 0 is plain text. */
export interface HighlightedToken {
  text: string;
  kind: number;
}

/** Splits code into lines of tokens. Grammars are loaded first, then highlighting is synchronous. */
export interface Highlighter {
  /** Loads the grammars of these languages (any spelling, aliases too). Resolves to those that do not exist. */
  load(languages: Iterable<string>): Promise<string[]>;
  /** Lines of tokens; plain lines for a language that was not loaded. */
  highlight(code: string, language: string): HighlightedToken[][];
  /** What a compiler says about the code. Undefined until it is known, which `settle` sees to, or where nobody can say. */
  explain?(code: string, language: string): ExplainedCode | undefined;
  /**
   * Does the long work that was asked for by calls which could not wait for it; the same calls then give its results.
   * Undefined where there is none. `problems` are sentences.
   */
  settle?(): Promise<{ problems: string[] } | undefined>;
}

/** Code without the notes to the compiler, and what it says about the rest. */
export interface ExplainedCode {
  code: string;
  hints: CodeHint[];
  notes: CodeNote[];
  /** Why there is nothing to say; the code is then as it was written. */
  problem?: string;
}

/** What a piece of a line means, for readers that point at it. */
export interface CodeHint {
  /** From 0. */
  line: number;
  start: number;
  length: number;
  /** A type, for example `const a: number`. */
  text: string;
  /** The documentation of the name. */
  docs?: string;
}

/** A line of its own under a line of code. */
export interface CodeNote {
  /** From 0: the line above. */
  line: number;
  /** Column that it refers to, from 0. */
  start: number;
  length: number;
  kind: 'error' | 'warning' | 'type' | 'completion' | 'log';
  text: string;
}

/** Looks up icons of the libraries. Inner markup of an `<svg>`, its view box, and how it is painted. */
export interface IconSource {
  find(name: string, library: 'fontawesome' | 'lucide' | 'tabler', type?: string): IconDrawing | undefined;
}

export interface IconDrawing {
  body: string;
  width: number;
  height: number;
}
