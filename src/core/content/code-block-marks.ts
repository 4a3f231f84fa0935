/** What a comment in the code says about a line. */
export type LineMark = 'add' | 'del' | 'hl' | 'focus' | 'error' | 'warn';

export interface MarkedCode {
  /** The code without the comments. */
  code: string;
  /** Marks of lines, counted from 1. */
  marks: Map<number, Set<LineMark>>;
}

/** A comment of any usual language that holds one mark: `// [!code ++]`, `# [!code highlight:3]`, `<!-- [!code focus] -->`. */
const MARK = /\s*(?:\/\/|#|--|;|%|'|\/\*|<!--|\{\/\*|\(\*)[ \t]*\[!code ([^\]]{1,60})\][ \t]*(?:\*\/\}|\*\/|-->|\*\))?/g;

const WORDS: ReadonlyMap<string, LineMark> = new Map([
  ['++', 'add'],
  ['--', 'del'],
  ['highlight', 'hl'],
  ['hl', 'hl'],
  ['focus', 'focus'],
  ['error', 'error'],
  ['warning', 'warn'],
]);
const MOST_LINES = 10_000;

/**
 * Takes comments like `// [!code ++]` out of code and says which lines they mark: the line they end, or, on a line of
 * their own, the lines after it. `:n` marks that many.
 */
export function takeLineMarks(code: string): MarkedCode {
  const marks = new Map<number, Set<LineMark>>();
  if (!code.includes('[!code ')) return { code, marks };
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const found: string[] = [];
    const rest = line.replace(MARK, (_, word: string) => {
      found.push(word);
      return '';
    });
    const alone = found.length > 0 && rest.trim() === '';
    if (!alone) lines.push(rest);
    for (const word of found) addMark(marks, word, alone ? lines.length + 1 : lines.length);
  }
  return { code: lines.join('\n'), marks };
}

function addMark(marks: Map<number, Set<LineMark>>, word: string, line: number): void {
  const [, name = '', count] = /^(.+?)(?::(\d{1,5}))?$/.exec(word.trim()) ?? [];
  const mark = WORDS.get(name);
  if (mark === undefined) return;
  const length = Math.min(Number(count ?? 1), MOST_LINES);
  for (let i = line; i < line + length; i++) {
    const set = marks.get(i);
    if (set) set.add(mark);
    else marks.set(i, new Set([mark]));
  }
}
