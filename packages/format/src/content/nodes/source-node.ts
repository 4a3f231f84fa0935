import type { Diagnostic } from '../../diagnostics.ts';

/** A node of the parser's tree: `hast` with MDX. Declares only what the compiler reads. */
export interface SourceNode {
  type: string;
  /** Of an element from Markdown. */
  tagName?: string;
  properties?: Record<string, SourceProperty>;
  /** Of an element from JSX; null for a fragment. */
  name?: string | null;
  attributes?: SourceAttribute[];
  value?: string;
  children?: SourceNode[];
  /** Of a code fence. */
  data?: { lang?: string | null; meta?: string | null };
  position?: { start: SourcePoint; end: SourcePoint };
}

export type SourceProperty = string | number | boolean | null | undefined | (string | number)[];

export interface SourcePoint {
  line: number;
  column: number;
  offset: number;
}

export type SourceAttribute =
  | {
      type: 'mdxJsxAttribute';
      name: string;
      value?: string | null | { type: string; value: string };
    }
  | { type: 'mdxJsxExpressionAttribute'; value: string };

/**
 * Returns a node and everything in it, in the order of the text.
 * @param enters whether what is in a node counts
 */
export function nodesIn(
  root: SourceNode,
  enters: (node: SourceNode) => boolean = () => true,
): SourceNode[] {
  const nodes: SourceNode[] = [];
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    nodes.push(node);
    const { children = [] } = node;
    if (enters(node))
      for (let at = children.length - 1; at >= 0; at--) left.push(children[at] as SourceNode);
  }
  return nodes;
}

/** Returns the class names of a node from Markdown. */
export function classNames(node: SourceNode): readonly (string | number)[] {
  const names = node.properties?.className;
  return Array.isArray(names) ? names : [];
}

/**
 * What readers see where a part of a page was lost; `<docent-fault id="part" />` in the text stands
 * for the first.
 */
export const FAULTS = {
  part: 'This part of the page is not valid MDX',
  plain: 'This part of the page is not valid MDX and is shown as plain Markdown',
  depth: 'An expression is nested too deeply',
} as const;

/**
 * A problem in the text of a file, found before it has a tree. Lines and columns are 1-based within
 * the parsed text.
 */
export interface SourceProblem extends Pick<Diagnostic, 'code' | 'message' | 'remedy'> {
  severity: 'error' | 'warning';
  line: number;
  column: number;
}
