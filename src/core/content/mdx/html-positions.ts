import type { SourceNode } from './source-node.ts';

/** Maximum tags between an element and its place in the source: HTML adds and moves few elements. */
const MAX_AHEAD = 20;

/**
 * Gives the elements of a tree what they lost when the HTML in a Markdown text was parsed: their positions, and the language and
 * title of code blocks.
 * @param placed the tree of the same text, in which HTML is unparsed
 */
export function copyPositions(placed: SourceNode, tree: SourceNode): void {
  const tags: (Pick<SourceNode, 'position' | 'data'> & { name: string })[] = [];
  visit(placed, (node) => {
    if (node.type === 'element') tags.push({ name: nameOf(node), position: node.position, data: node.data });
    if (node.type !== 'raw') return;
    const first = node.position?.start.line ?? 1;
    for (const [index, text] of (node.value ?? '').split('\n').entries()) {
      const point = { line: first + index, column: 1, offset: 0 };
      for (const [, name = ''] of text.matchAll(/<([a-z][\w-]*)/gi))
        tags.push({ name: name.toLowerCase(), position: { start: point, end: point } });
    }
  });
  let at = 0;
  visit(tree, (node) => {
    if (node.type !== 'element') return;
    for (let next = at; next < Math.min(at + MAX_AHEAD, tags.length); next++) {
      const tag = tags[next];
      if (tag?.name !== nameOf(node)) continue;
      if (tag.position) node.position = tag.position;
      if (tag.data) node.data = tag.data;
      at = next + 1;
      return;
    }
  });
}

/** The name of an element; that of code with its language, so that a block of code is not confused with inline code. */
function nameOf({ tagName = '', properties }: SourceNode): string {
  return tagName === 'code' ? `code ${properties?.className ?? ''}`.trim() : tagName;
}

/** Visits all nodes in the order of the text. */
function visit(root: SourceNode, see: (node: SourceNode) => void): void {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    see(node);
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--) left.push(node.children?.[index] as SourceNode);
  }
}
