import { classNames, nodesIn, type SourceNode } from '../nodes/source-node.ts';

const FENCE = /^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})/;
const LIST_ITEM = /^([ \t]*(?:[-*+]|\d{1,9}[.)]))([ \t]+)\S/;
/** A line that starts a block even directly after a paragraph. */
const BLOCK_START = /^[ \t]*(?:<|#{1,6}[ \t]|>|`{3}|~{3}|\$\$)/;
const FORMULA_START = /^[ \t]*\$\$[^$\n]*$/;
const FORMULA_END = /^[ \t]*\$\$/;
/** Maximum columns of a closing `$$` inside its container that the parser understands. */
const MAX_INDENT = 3;

/**
 * Moves blocks of `$$` that are indented by more than three columns to the left, to where the list
 * item around them has its content. In MDX, indentation is free, but the parser does not see the
 * end of such a block, which takes the rest of the page.
 */
export function withoutDeepFormulas(text: string): string {
  if (!/^(?: {4}|[ ]{0,3}\t)[ \t]*\$\$/m.test(text)) return text;
  const lines = text.split('\n');
  /** Columns of the contents of the list items around the line, outermost first. */
  const items: number[] = [];
  let fence = '';
  let formula: { at: number; container: number } | undefined;
  let isAfterText = false;
  for (const [at, line] of lines.entries()) {
    const isEmpty = line.trim() === '';
    const indent = columnsOf(line);
    if (formula && !isEmpty && indent < formula.container) formula = undefined;
    if (formula) {
      if (!FORMULA_END.test(line)) continue;
      moveLeft(lines, formula.at, at, formula.container);
      formula = undefined;
      continue;
    }
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim().replace(/^[>\s]*/, '') === mark) fence = '';
      continue;
    }
    const item = LIST_ITEM.exec(line);
    // A paragraph may go on at the left of its list item.
    const isLazy = isAfterText && !item && !BLOCK_START.test(line);
    if (!isEmpty && !isLazy) while ((items.at(-1) ?? 0) > indent) items.pop();
    if (item)
      items.push(
        columnsOf(item[1] as string, true) +
          (columnsOf(item[2] as string, true) > 4 ? 1 : columnsOf(item[2] as string, true)),
      );
    if (mark !== undefined) fence = mark;
    else if (FORMULA_START.test(line)) formula = { at, container: items.at(-1) ?? 0 };
    isAfterText = !isEmpty && (item !== null || !BLOCK_START.test(line));
  }
  return lines.join('\n');
}

function moveLeft(lines: string[], first: number, last: number, container: number): void {
  const by = columnsOf(lines[first] as string) - container;
  if (by <= MAX_INDENT) return;
  for (let at = first; at <= last; at++) {
    const line = lines[at] as string;
    lines[at] =
      line.trim() === ''
        ? ''
        : ' '.repeat(Math.max(columnsOf(line) - by, container)) + line.trimStart();
  }
}

/** Returns the columns that the blanks at the start of a line take, or those of the whole text. */
function columnsOf(line: string, isWhole = false): number {
  let columns = 0;
  for (const char of line) {
    if (char === '\t') columns += 4 - (columns % 4);
    else if (char === ' ' || isWhole) columns++;
    else break;
  }
  return columns;
}

const MAX_ROUNDS = 10;

/**
 * Prices and shell variables are not formulas: the dollars of a parsed `$…$` that does not look
 * like a formula are escaped, and the text is parsed again.
 */
export function withoutFalseMath(
  text: string,
  root: SourceNode,
  parse: (text: string) => SourceNode,
): { text: string; root: SourceNode } {
  let current = { text, root };
  if (!text.includes('$')) return current;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const offsets = falseMath(current.root, current.text);
    if (offsets.length === 0) return current;
    let escaped = '';
    let from = 0;
    for (const offset of offsets) {
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

/**
 * Returns the offsets of dollars that begin no formula, although the parser took them for the start
 * or the end of one.
 */
function falseMath(root: SourceNode, text: string): number[] {
  const formulas = nodesIn(root).filter(
    (node) => node.tagName === 'code' && classNames(node).includes('math-inline'),
  );
  const offsets: number[] = [];
  /** The end of a false formula, which may begin the next one: `$5 in the $n$th month`. */
  let open: number | undefined;
  for (const { position } of formulas) {
    if (!position) continue;
    const [start, last] = [position.start.offset, position.end.offset - 1];
    if (open !== undefined && !/\n[ \t]*\n/.test(text.slice(open, start))) {
      if (isMath(text, open, start + 1)) {
        open = last;
        continue;
      }
      offsets.push(open);
    }
    open = isMath(text, start, last + 1) ? undefined : last;
    if (open !== undefined) offsets.push(start);
  }
  return offsets;
}

/**
 * A letter or a digit; those of Chinese, Japanese and Korean stand beside formulas without a space.
 */
const WORD_SIGN = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}]/u;
const FORMULA_SIGN = /[\\^_{}=<>+]/;
const TWO_WORDS = /(?<!\p{L})\p{L}{2,}[,;:]?\s+\p{L}{2,}/u;
/** A command of LaTeX with what it shows as text: `\text{for all}`. */
const COMMAND = /\\[A-Za-z]+(?:\{[^{}]*\})?/g;
/** `x`, `x_i`, `x^{2}`, `x'`. */
const VARIABLE = /^[A-Za-z](?:[_^](?:[A-Za-z0-9]|\{[^{}]*\})){0,2}'{0,3}$/;
/** What follows a variable in a sentence: `$n$th`, `$x$s`. */
const ENDING = /^(?:th|st|nd|rd|s|es|d|ed|fold|ary|tuples?)(?![\p{L}\p{N}])/u;

/**
 * Returns whether the dollars directly enclose their content, touch no word outside, and do not
 * enclose prose.
 */
function isMath(text: string, start: number, end: number): boolean {
  if (text[start] !== '$' || text.startsWith('$$', start)) return true;
  const content = text.slice(start + 1, end - 1);
  if (content === '' || content.trim() !== content || content.endsWith('\\')) return false;
  // A dollar in inline code does not close a formula that began before the code.
  if (content.includes('`')) return false;
  const [before = '', after = ''] = [text[start - 1], text.slice(end, end + 8)];
  if (WORD_SIGN.test(before) || WORD_SIGN.test(after.slice(0, 1))) {
    const isVariable = VARIABLE.test(content) && !WORD_SIGN.test(before) && ENDING.test(after);
    return isVariable || isLatex(content);
  }
  // `5/month for teams, or 10`
  return FORMULA_SIGN.test(content) || !TWO_WORDS.test(content);
}

/** Returns whether a text has commands of LaTeX and, outside what these show, no prose. */
function isLatex(content: string): boolean {
  const rest = content.replace(COMMAND, ' ');
  return rest !== content && !TWO_WORDS.test(rest);
}
