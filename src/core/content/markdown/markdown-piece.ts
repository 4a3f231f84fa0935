import type { CodeNode, ContentNode, ElementNode } from '../expand/content-node.ts';
import { nodeCode, nodeProse } from './node-prose.ts';

/** A heading or a block of a page, in page order. */
export interface Piece {
  kind: 'heading' | 'block';
  markdown: string;
  /** Prose for search, white space not yet normalized. */
  text: string;
  code: string[];
  /** 1–6, of a heading. */
  level: number;
  /** Of a heading: the node with its id. */
  node?: ElementNode;
  /** A list item: follows another one without an empty line. */
  tight?: boolean;
}

/** Joins pieces to Markdown. */
export function joinPieces(pieces: readonly Piece[]): string {
  let out = '';
  pieces.forEach((piece, index) => {
    const before = pieces[index - 1];
    out += index === 0 ? piece.markdown : (before?.tight && piece.tight ? '\n' : '\n\n') + piece.markdown;
  });
  return out;
}

/** A block; `nodes` provide its searchable text. */
export function block(markdown: string, nodes: readonly ContentNode[]): Piece {
  return { kind: 'block', markdown, text: nodeProse(nodes), code: nodeCode(nodes), level: 0 };
}

/** Indents lines after the first one, keeping empty lines empty. */
export function indent(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

/** Returns a block as a blockquote. */
export function quote(text: string): string {
  return text.replace(/^(.*)$/gm, (line) => (line === '' ? '>' : `> ${line}`));
}

/** Returns a code fence longer than any in the code. */
export function fence(node: Pick<CodeNode, 'type' | 'language' | 'meta' | 'value'>): string {
  let ticks = '```';
  while (node.value.includes(ticks)) ticks += '`';
  const head = [node.language, node.meta].filter((part) => part !== '').join(' ');
  return `${ticks}${head}\n${node.value}\n${ticks}`;
}
