import type { SourceNode } from './source-node.ts';

/** Maximum tags between an element and its place in the source: HTML adds and moves few elements. */
const MAX_AHEAD = 20;

/**
 * Gives the elements of a tree, which lost their positions when the HTML in a Markdown text was parsed, their positions again.
 * @param placed the tree of the same text, in which HTML is unparsed
 */
export function copyPositions(placed: SourceNode, tree: SourceNode): void {
  const tags: { name: string; position: SourceNode['position'] }[] = [];
  visit(placed, (node) => {
    if (node.type === 'element') tags.push({ name: node.tagName ?? '', position: node.position });
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
      if (tag?.name !== node.tagName) continue;
      if (tag?.position) node.position = tag.position;
      at = next + 1;
      return;
    }
  });
}

/** Visits all nodes in the order of the text. */
function visit(root: SourceNode, see: (node: SourceNode) => void): void {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    see(node);
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--) left.push(node.children?.[index] as SourceNode);
  }
}
