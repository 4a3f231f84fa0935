/** A node of the tree that the parser gives: `hast` with MDX. Only what the compiler reads is typed. */
export interface SourceNode {
  type: string;
  /** Of an element that Markdown made. */
  tagName?: string;
  properties?: Record<string, SourceProperty>;
  /** Of an element that JSX made; null for a fragment. */
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
  | { type: 'mdxJsxAttribute'; name: string; value?: string | null | { type: string; value: string } }
  | { type: 'mdxJsxExpressionAttribute'; value: string };

/** Class names of a node that Markdown made. */
export function classNames(node: SourceNode): readonly (string | number)[] {
  const names = node.properties?.className;
  return Array.isArray(names) ? names : [];
}
