import { type Inline, parseInline } from './parse-inline.ts';

const DEEPEST = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
const CLOSING_MARKS = /(?<!\s)\s+#+$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?=\S)|\s*$|\s)/;
const QUOTE = /^ {0,3}>/;
/** Prefixes of several constructs: they wait until it is clear which. */
const UNCLEAR_LINE = /^ {0,3}(?:#{1,6}|[-*+]|\d{1,9}[.)]?|`{1,2}|~{1,2}|>|\||[-*_]{2,})\s*$/;

/**
 * Parses Markdown to a tree. Unknown syntax, including HTML, stays text.
 * @param open whether more text will come: the last block may be incomplete, and must neither
 *   flicker nor break
 */
export function parseMarkdown(markdown: string, open = false): Block[] {
  const lines = markdown.replaceAll('\r', '').replaceAll('\t', '    ').split('\n');
  if (open && UNCLEAR_LINE.test(lines.at(-1) ?? '')) lines.pop();
  return new BlockParser(lines, open, 0).parse();
}

class BlockParser {
  readonly #lines: readonly string[];
  readonly #open: boolean;
  readonly #depth: number;
  #at = 0;

  constructor(lines: readonly string[], open: boolean, depth: number) {
    this.#lines = lines;
    this.#open = open;
    this.#depth = depth;
  }

  parse(): Block[] {
    const blocks: Block[] = [];
    while (this.#at < this.#lines.length) {
      if (this.#line().trim() === '') this.#at++;
      else {
        const block = this.#block();
        if (block) blocks.push(block);
      }
    }
    return blocks;
  }

  #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  /** Whether no further text can change the result. */
  get #isLast(): boolean {
    return this.#open && this.#at >= this.#lines.length;
  }

  #block(): Block | undefined {
    const line = this.#line();
    const isDeep = this.#depth >= DEEPEST;
    const fence = FENCE.exec(line);
    if (fence) return this.#fenced(fence);
    if (RULE.test(line)) return this.#take({ kind: 'rule' });
    const heading = HEADING.exec(line);
    if (heading) {
      this.#at++;
      const text = line.slice(heading[0].length).trim().replace(CLOSING_MARKS, '');
      return {
        kind: 'heading',
        level: (heading[1] as string).length,
        children: parseInline(text, this.#isLast),
      };
    }
    if (!isDeep && QUOTE.test(line)) return this.#quote();
    if (!isDeep && ITEM.test(line)) return this.#list();
    if (line.includes('|') && beginsTable(line, this.#lines[this.#at + 1])) return this.#table();
    return this.#paragraph();
  }

  #take(block: Block): Block {
    this.#at++;
    return block;
  }

  #fenced([line, fence = '', language = '']: RegExpExecArray): Block | undefined {
    const indent = (line as string).search(/\S/);
    const end = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
    const body: string[] = [];
    this.#at++;
    let closed = false;
    while (this.#at < this.#lines.length && !closed) {
      const next = this.#line();
      this.#at++;
      closed = end.test(next);
      if (!closed) body.push(next.slice(Math.min(indent, Math.max(0, next.search(/\S/)))));
    }
    const text = body.join('\n');
    if (language !== 'suggestions') return { kind: 'code', language, text };
    const pages = closed || !this.#open ? parseSuggestions(text) : [];
    return pages.length > 0 ? { kind: 'suggestions', pages } : undefined;
  }

  #quote(): Block {
    const inner: string[] = [];
    while (this.#at < this.#lines.length) {
      const line = this.#line();
      const isLazy = inner.at(-1)?.trim() !== '' && line.trim() !== '' && !this.#beginsBlock(line);
      if (!QUOTE.test(line) && !isLazy) break;
      inner.push(line.replace(/^ {0,3}> ?/, ''));
      this.#at++;
    }
    return {
      kind: 'quote',
      children: new BlockParser(inner, this.#isLast, this.#depth + 1).parse(),
    };
  }

  #list(): Block {
    const first = ITEM.exec(this.#line()) as RegExpExecArray;
    const kind = kindOf(first);
    const items: Block[][] = [];
    for (
      let item = first as RegExpExecArray | null;
      item && kindOf(item) === kind;
      item = ITEM.exec(this.#line())
    ) {
      if (RULE.test(this.#line())) break;
      const lines = this.#itemLines(item);
      items.push(new BlockParser(lines, this.#isLast, this.#depth + 1).parse());
    }
    const start = Number.parseInt(first[2] as string, 10);
    return { kind: 'list', start: Number.isNaN(start) ? undefined : start, items };
  }

  /** The lines of one item, without their indentation. */
  #itemLines([marker, before = '', sign = '', after = '']: RegExpExecArray): string[] {
    const isEmpty = after.trim() === '' && this.#line().trim() === marker.trim();
    const indent = isEmpty ? before.length + sign.length + 1 : (marker as string).length;
    const lines = [this.#line().slice(marker.length)];
    this.#at++;
    while (this.#at < this.#lines.length) {
      const line = this.#line();
      const depth = line.search(/\S/);
      if (depth < 0) {
        // An empty line belongs to the item if an indented line or another item follows.
        const next = this.#lines
          .slice(this.#at, this.#at + 3)
          .find((candidate) => candidate.trim() !== '');
        if (next === undefined || (next.search(/\S/) < Math.min(indent, 2) && !ITEM.test(next)))
          break;
        lines.push('');
      } else if (depth >= indent || (depth >= 2 && depth > before.length))
        lines.push(line.slice(Math.min(indent, depth)));
      else if (ITEM.test(line) || lines.at(-1) === '' || this.#beginsBlock(line)) break;
      else lines.push(line);
      this.#at++;
    }
    return lines;
  }

  #table(): Block | undefined {
    const from = this.#at;
    this.#at += 2;
    while (
      this.#at < this.#lines.length &&
      this.#line().includes('|') &&
      this.#line().trim() !== ''
    )
      this.#at++;
    return parseTable(this.#lines.slice(from, this.#at), this.#isLast);
  }

  #beginsBlock(line: string): boolean {
    return (
      FENCE.test(line) ||
      HEADING.test(line) ||
      QUOTE.test(line) ||
      RULE.test(line) ||
      ITEM.test(line)
    );
  }

  #paragraph(): Block | undefined {
    const from = this.#at;
    this.#at++;
    while (this.#at < this.#lines.length && this.#line().trim() !== '') {
      const line = this.#line();
      // A number in the middle of a paragraph is text, except for a list that begins with 1.
      const item = ITEM.exec(line);
      const isNumber =
        item !== null &&
        /^\d/.test(item[2] as string) &&
        Number.parseInt(item[2] as string, 10) !== 1;
      if ((this.#beginsBlock(line) && !isNumber) || beginsTable(line, this.#lines[this.#at + 1]))
        break;
      this.#at++;
    }
    const lines = this.#lines.slice(from, this.#at);
    // The header of a table cannot be distinguished from a paragraph until the delimiter row
    // arrives.
    if (this.#isLast && lines.length <= 2 && /^\s*\|/.test(lines[0] as string)) return undefined;
    const text = lines
      .map((line) => line.trimStart())
      .join('\n')
      .trimEnd();
    return { kind: 'paragraph', children: parseInline(text, this.#isLast) };
  }
}

function kindOf(item: RegExpExecArray): string {
  return (item[2] as string).at(-1) as string;
}

const MOST = 4;
const LINE = /^\s*(?:[-*]\s+)?\((.{1,200})\)\[([^\]\s]{1,500})\]\s*$/;
/** Models sometimes swap the two parts. */
const LINK = /^\s*(?:[-*]\s+)?\[(.{1,200})\]\(([^)\s]{1,500})\)\s*$/;

/**
 * Returns the pages of a `suggestions` block: lines of the form `(Title)[/path]`. Ignores other
 * lines.
 */
function parseSuggestions(text: string): Suggestion[] {
  return text
    .split('\n')
    .map((line) => LINE.exec(line) ?? LINK.exec(line))
    .filter((match) => match !== null)
    .slice(0, MOST)
    .map(([, title = '', address = '']) => ({ title: title.replaceAll('\\', ''), address }));
}

const DELIMITER = /^:?-+:?$/;
const MAX_COLUMNS = 20;

/** Returns whether a line is a table header: a delimiter row follows it. */
function beginsTable(line: string, next: string | undefined): boolean {
  if (
    !line.includes('|') ||
    !next?.includes('|') ||
    !cells(next).every((cell) => DELIMITER.test(cell))
  )
    return false;
  return cells(line).length === cells(next).length;
}

/** @param lines the header, the delimiter row, the body rows */
function parseTable(lines: readonly string[], open: boolean): Block {
  const [head = '', delimiter = '', ...rows] = lines;
  const align = cells(delimiter).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'end';
    return 'start';
  });
  const row = (line: string, isOpen: boolean): Inline[][] => {
    const rowCells = cells(line);
    return align.map((_, column) => parseInline(rowCells[column] ?? '', isOpen));
  };
  return {
    kind: 'table',
    align,
    head: row(head, false),
    rows: rows.map((line, index) => row(line, open && index === rows.length - 1)),
  };
}

/** Returns the cells of a row; `\|` and a pipe in code do not end one. */
function cells(line: string): string[] {
  const cellTexts: string[] = [];
  let cell = '';
  let inCode = false;
  const row = line.trim().replace(/^\|/, '');
  for (let at = 0; at < row.length; at++) {
    const sign = row[at] as string;
    if (sign === '\\' && row[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (sign === '|' && !inCode) {
      cellTexts.push(cell.trim());
      cell = '';
    } else {
      if (sign === '`') inCode = !inCode;
      cell += sign;
    }
  }
  if (cell.trim() !== '') cellTexts.push(cell.trim());
  return cellTexts.slice(0, MAX_COLUMNS);
}

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'table'; align: ('start' | 'center' | 'end')[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'suggestions'; pages: Suggestion[] }
  | { kind: 'rule' };

export interface Suggestion {
  title: string;
  address: string;
}
