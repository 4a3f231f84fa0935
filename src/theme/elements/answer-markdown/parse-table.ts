import { parseInline } from './parse-inline.ts';
import type { Block, Inline } from './tree.ts';

const DELIMITER = /^:?-+:?$/;
const MAX_COLUMNS = 20;

/** Returns whether a line is a table header: a delimiter row follows it. */
export function beginsTable(line: string, next: string | undefined): boolean {
  if (!line.includes('|') || !next?.includes('|') || !cells(next).every((cell) => DELIMITER.test(cell))) return false;
  return cells(line).length === cells(next).length;
}

/** @param lines the header, the delimiter row, the body rows */
export function parseTable(lines: readonly string[], open: boolean): Block {
  const [head = '', delimiter = '', ...rows] = lines;
  const align = cells(delimiter).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'end';
    return 'start';
  });
  const row = (line: string, isOpen: boolean): Inline[][] => {
    const found = cells(line);
    return align.map((_, column) => parseInline(found[column] ?? '', isOpen));
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
  const found: string[] = [];
  let cell = '';
  let inCode = false;
  const row = line.trim().replace(/^\|/, '');
  for (let at = 0; at < row.length; at++) {
    const sign = row[at] as string;
    if (sign === '\\' && row[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (sign === '|' && !inCode) {
      found.push(cell.trim());
      cell = '';
    } else {
      if (sign === '`') inCode = !inCode;
      cell += sign;
    }
  }
  if (cell.trim() !== '') found.push(cell.trim());
  return found.slice(0, MAX_COLUMNS);
}
