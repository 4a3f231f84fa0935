import type { SourceNode } from '../content/mdx/source-node.ts';

/** An element of a page as written, in Markdown or as a tag. */
export interface WrittenElement {
  /** Lower case for HTML; components by their names. */
  name: string;
  isTag: boolean;
  node: SourceNode;
  /** 1-based line of the file; undefined if the parser does not know it. */
  line?: number;
  column?: number;
}

/** Iterates over the elements below a node in document order. */
export function* elementsOf(root: SourceNode, lineOffset: number): Generator<WrittenElement> {
  for (const node of root.children ?? []) {
    const isTag = node.type.startsWith('mdxJsx');
    const name = isTag ? node.name : node.type === 'element' ? node.tagName : undefined;
    if (name) {
      const start = node.position?.start;
      yield { name, isTag, node, ...(start ? { line: start.line + lineOffset, column: start.column } : {}) };
    }
    yield* elementsOf(node, lineOffset);
  }
}

/** Returns the value of an attribute: its text, `true` for another value, undefined if it is absent. */
export function attributeOf({ node, isTag }: Pick<WrittenElement, 'node' | 'isTag'>, name: string): string | true | undefined {
  if (!isTag) {
    const value = node.properties?.[name];
    return value === undefined || value === null ? undefined : typeof value === 'string' ? value : true;
  }
  for (const attribute of node.attributes ?? []) {
    // `{...props}` may contain anything.
    if (attribute.type === 'mdxJsxExpressionAttribute') return true;
    if (attribute.name.toLowerCase() !== name.toLowerCase()) continue;
    return typeof attribute.value === 'string' ? attribute.value : literalText(attribute.value?.value);
  }
  return undefined;
}

/** The text of `{"…"}` and `` {`…`} ``; `true` for every other expression. */
function literalText(expression: string | undefined): string | true {
  const match = /^\s*(["'`])([^"'`\\$]*)\1\s*$/.exec(expression ?? '');
  return match ? (match[2] as string) : true;
}

/** Returns whether screen readers announce something inside: text, an expression, an image with alternative text, a component. */
export function hasWords(node: SourceNode): boolean {
  return (node.children ?? []).some((child) => {
    if (child.type === 'text') return (child.value ?? '').trim() !== '';
    if (child.type.includes('Expression') || child.type === 'raw' || child.type === 'inlineMath') return true;
    const isTag = child.type.startsWith('mdxJsx');
    const name = isTag ? child.name : child.tagName;
    if (name === 'img') return spoken(attributeOf({ node: child, isTag }, 'alt'));
    if (isTag && name && /^[A-Z]/.test(name) && name !== 'Icon') return true;
    return ['aria-label', 'title'].some((key) => spoken(attributeOf({ node: child, isTag }, key))) || hasWords(child);
  });
}

function spoken(value: string | true | undefined): boolean {
  return value === true || (value !== undefined && value.trim() !== '');
}
