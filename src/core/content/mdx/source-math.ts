import { classNames, type SourceNode } from './source-node.ts';

const MAX_ROUNDS = 10;

/**
 * Prices and shell variables are not formulas: if a parsed `$…$` does not look like a formula, its first dollar is escaped and
 * the text parsed again.
 */
export function withoutFalseMath(
  text: string,
  root: SourceNode,
  parse: (text: string) => SourceNode,
): { text: string; root: SourceNode } {
  let current = { text, root };
  if (!text.includes('$')) return current;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const offsets: number[] = [];
    collect(current.root, current.text, offsets);
    if (offsets.length === 0) return current;
    let escaped = '';
    let from = 0;
    for (const offset of offsets.sort((a, b) => a - b)) {
      escaped += `${current.text.slice(from, offset)}\\`;
      from = offset;
    }
    escaped += current.text.slice(from);
    try {
      current = { text: escaped, root: parse(escaped) };
    } catch {
      return current;
    }
  }
  return current;
}

function collect(node: SourceNode, text: string, offsets: number[]): void {
  if (node.tagName === 'code' && classNames(node).includes('math-inline')) {
    const { position } = node;
    if (position && !isMath(text, position.start.offset, position.end.offset)) offsets.push(position.start.offset);
    return;
  }
  if (node.children) for (const child of node.children) collect(child, text, offsets);
}

const WORD_SIGN = /[\p{L}\p{N}]/u;
const FORMULA_SIGN = /[\\^_{}=<>+]/;
const TWO_WORDS = /(?<!\p{L})\p{L}{2,}[,;:]?\s+\p{L}{2,}/u;

/** Returns whether the dollars directly enclose their content, touch no letter or digit outside, and do not enclose prose. */
function isMath(text: string, start: number, end: number): boolean {
  if (text[start] !== '$' || text.startsWith('$$', start)) return true;
  const content = text.slice(start + 1, end - 1);
  if (content === '' || content.trim() !== content) return false;
  if (WORD_SIGN.test(text[end] ?? '') || WORD_SIGN.test(text[start - 1] ?? '')) return false;
  // A dollar in inline code does not close a formula that began before the code.
  if (content.includes('`')) return false;
  // `5/month for teams, or 10`
  return FORMULA_SIGN.test(content) || !TWO_WORDS.test(content);
}
