/**
 * The safe tree: MDX after parsing and evaluation. It contains no code: snippets are inlined,
 * expressions are values, props are data. Two renderers walk it: `render-html` and
 * `render-markdown`.
 */
export type ContentNode = TextNode | ElementNode | CodeNode | MathNode | ComponentNode | FaultNode;

interface TextNode {
  type: 'text';
  value: string;
}

/** A plain HTML element, from Markdown or from lower-case JSX. */
export interface ElementNode {
  type: 'element';
  /** Lower case. */
  tag: string;
  /** HTML names (`class`, `srcset`); `style` is already text. */
  attributes: Record<string, string | number | boolean>;
  children: ContentNode[];
  /** Attributes that depend on the reader, by name; `attributes` has what nobody in particular gets. */
  personal?: Record<string, ComponentNode>;
  line?: number;
  column?: number;
  /** The snippet that it is from; absent in the page itself. */
  file?: string;
  /** Of a heading that contains components: its text without theirs, the source of its id. */
  ownText?: string;
  /**
   * Of a heading that a component adds beside its HTML: its id is that of its text in the table of
   * contents.
   */
  hasOwnAnchor?: boolean;
}

/** A fenced or indented block of code. */
export interface CodeNode {
  type: 'code';
  /** First word after the fence, as written; empty where there is none. */
  language: string;
  /** The rest of the line after the language. */
  meta: string;
  value: string;
  line?: number;
}

export interface MathNode {
  type: 'math';
  display: boolean;
  /** LaTeX source. */
  value: string;
  line?: number;
}

/** A call of a built-in component. */
export interface ComponentNode {
  type: 'component';
  /** `Card`, `Tree.File`. */
  name: string;
  props: Record<string, PropValue>;
  children: ContentNode[];
  line?: number;
  column?: number;
  /** Source file of the call: the page or a snippet. */
  file?: string;
}

/** Something that could not be rendered; shown as a small error block. Already reported. */
export interface FaultNode {
  type: 'fault';
  /** Short, for the reader: `Unknown component <Foo>`. */
  message: string;
  inline: boolean;
}

/** The possible values of an expression. JSX is `{ nodes }`. */
export type PropValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | NodesValue
  | readonly PropValue[]
  | { readonly [key: string]: PropValue };

/** JSX as a prop: `icon={<svg …/>}`. */
export class NodesValue {
  readonly nodes: ContentNode[];
  constructor(nodes: ContentNode[]) {
    this.nodes = nodes;
  }
}

/** Returns whether the node is a call of one of the named components. */
export function isComponent(node: ContentNode, ...names: string[]): node is ComponentNode {
  return node.type === 'component' && names.includes(node.name);
}

/**
 * Returns the plain text of nodes, for labels, ids and the table of contents.
 * @param lineBreak replaces `<br>`
 */
export function nodeText(nodes: readonly ContentNode[], lineBreak = ' '): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code' || node.type === 'math') text += node.value;
    else if (node.type === 'element' && node.tag === 'br') text += lineBreak;
    else if (node.type !== 'fault') text += nodeText(node.children, lineBreak);
  }
  return text;
}

/**
 * Name of the component for what depends on the reader. Its children are for nobody in particular,
 * so every text of the page has only these; its prop `code` computes the rest, with the JSX in the
 * props `$0`, `$1`, …
 */
export const PERSONAL = '#personal';

/** Stands for an address that depends on the reader. No author can write this character. */
export const READER_ADDRESS = '\u0005';

/** @param children what nobody in particular sees */
export function personalNode(
  code: readonly (string | NodesValue)[],
  children: ContentNode[],
): ComponentNode {
  const parts: Record<string, NodesValue> = {};
  const names = new Map<NodesValue, string>();
  const text = code.map((piece) => {
    if (typeof piece === 'string') return piece;
    const name = names.get(piece) ?? `$${names.size}`;
    names.set(piece, name);
    parts[name] = piece;
    return name;
  });
  return { type: 'component', name: PERSONAL, props: { code: text.join(''), ...parts }, children };
}
