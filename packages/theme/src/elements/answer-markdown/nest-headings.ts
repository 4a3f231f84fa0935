import type { Block } from './parse-blocks.ts';

const MAX_LEVEL = 6;

/**
 * Returns the blocks with the heading levels of a document: below the heading above the text, and
 * none skipped on the way down, whatever levels a model writes.
 * @param above level of the heading above the text
 */
export function nestHeadings(blocks: readonly Block[], above: number): Block[] {
  /**
   * The written levels of the headings around the current place, each with the level that it has
   * here.
   */
  const around: { written: number; level: number }[] = [];
  const nest = (block: Block): Block => {
    if (block.kind === 'quote') return { ...block, children: block.children.map(nest) };
    if (block.kind === 'list')
      return { ...block, items: block.items.map((item) => item.map(nest)) };
    if (block.kind !== 'heading') return block;
    while ((around.at(-1)?.written ?? 0) >= block.level) around.pop();
    const level = Math.min(MAX_LEVEL, (around.at(-1)?.level ?? above) + 1);
    around.push({ written: block.level, level });
    return { ...block, level };
  };
  return blocks.map(nest);
}
