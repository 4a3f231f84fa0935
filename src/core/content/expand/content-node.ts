/**
 * The safe tree: what MDX becomes after parsing and interpreting. Nothing in it is code any more: snippets stand in
 * their place, expressions are values, props are data. Two renderers walk it: `render-html` and `render-markdown`.
 */
export type ContentNode = TextNode | ElementNode | CodeNode | MathNode | ComponentNode | FaultNode;

export interface TextNode {
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
  line?: number;
  /** Of a heading that holds components: its text without theirs, of which its id is made. */
  ownText?: string;
  /** Of a heading that a component makes beside its HTML: its id is the one of its text in the table of contents. */
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

/** A call of one of our components. */
export interface ComponentNode {
  type: 'component';
  /** `Card`, `Tree.File`. */
  name: string;
  props: Record<string, PropValue>;
  children: ContentNode[];
  line?: number;
  /** Source file that the call stands in: the page or a snippet. */
  file?: string;
}

/** A place that could not be rendered; shown as a small error block. The diagnostic was already reported. */
export interface FaultNode {
  type: 'fault';
  /** Short, for the reader: `Unknown component <Foo>`. */
  message: string;
  inline: boolean;
}

/** What an expression can give. JSX is `{ nodes }`. */
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

/** Whether the node is a call of one of the named components. */
export function isComponent(node: ContentNode, ...names: string[]): node is ComponentNode {
  return node.type === 'component' && names.includes(node.name);
}
