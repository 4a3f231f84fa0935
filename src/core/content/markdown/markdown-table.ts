import type { ContentNode, ElementNode } from '../expand/content-node.ts';
import { inlineMarkdown, type MarkdownLinks } from './markdown-inline.ts';

function rowsOf(nodes: readonly ContentNode[]): ElementNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return [];
    return node.tag === 'tr' ? [node] : rowsOf(node.children);
  });
}

/** A table in the pipes of GitHub's Markdown. The first row is its head. */
export function tableMarkdown(table: ElementNode, links: MarkdownLinks): string {
  const rows = rowsOf(table.children).map((row) =>
    row.children
      .filter((cell) => cell.type === 'element' && (cell.tag === 'td' || cell.tag === 'th'))
      .map((cell) => (cell.type === 'element' ? cellMarkdown(cell, links) : '')),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n');
}

function cellMarkdown(cell: ElementNode, links: MarkdownLinks): string {
  return inlineMarkdown(cell.children, links)
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|');
}
