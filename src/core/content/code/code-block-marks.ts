/** The effect of a comment in the code on a line. */
export type LineMark = 'add' | 'del' | 'hl' | 'focus' | 'error' | 'warn' | 'info';

/** A word to mark wherever it occurs in some lines. */
export interface MarkedWord {
  word: string;
  /** Lines counted from 1; `to` is included. */
  from: number;
  to: number;
}

export interface MarkedCode {
  /** The code without these comments. */
  code: string;
  /** Marks of lines, counted from 1. */
  marks: Map<number, Set<LineMark>>;
  words: MarkedWord[];
}

/** A comment in any common language with one mark: `// [!code ++]`, `# [!code highlight:3]`, `<!-- [!code focus] -->`. */
const MARK =
  /(?<!\s)\s*(?:\/\/|#|--|;|%|'|\/\*|<!--|\{\/\*|\(\*)[ \t]*\[!code ((?:[^\]\\]|\\.){1,80})\][ \t]*(?:\*\/\}|\*\/|-->|\*\))?/g;

const NAMES: ReadonlyMap<string, LineMark> = new Map([
  ['++', 'add'],
  ['--', 'del'],
  ['highlight', 'hl'],
  ['hl', 'hl'],
  ['focus', 'focus'],
  ['error', 'error'],
  ['warning', 'warn'],
  ['info', 'info'],
]);
const MAX_LINES = 10_000;
const MAX_WORDS = 100;

/**
 * Removes comments like `// [!code ++]` from code and returns which lines they mark: their own line, or, for a comment on a
 * separate line, the lines after it. `:n` marks that many; `word:name` marks a word from there on.
 */
export function takeLineMarks(code: string): MarkedCode {
  const marked: MarkedCode = { code, marks: new Map(), words: [] };
  if (!code.includes('[!code ')) return marked;
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const found: string[] = [];
    const rest = line.replace(MARK, (_, mark: string) => {
      found.push(mark);
      return '';
    });
    const alone = found.length > 0 && rest.trim() === '';
    if (!alone) lines.push(rest);
    for (const mark of found) addMark(marked, mark.trim(), alone ? lines.length + 1 : lines.length);
  }
  marked.code = lines.join('\n');
  return marked;
}

function addMark(marked: MarkedCode, mark: string, line: number): void {
  if (mark.startsWith('word:')) {
    addWord(marked.words, mark.slice('word:'.length), line);
    return;
  }
  const [, name = '', count] = /^(.+?)(?::(\d{1,5}))?$/.exec(mark) ?? [];
  const kind = NAMES.get(name);
  if (kind === undefined) return;
  const length = Math.min(Number(count ?? 1), MAX_LINES);
  for (let i = line; i < line + length; i++) {
    const set = marked.marks.get(i);
    if (set) set.add(kind);
    else marked.marks.set(i, new Set([kind]));
  }
}

/** `name`, `name:3` (in three lines), `a\:b` (the word `a:b`). */
function addWord(words: MarkedWord[], text: string, line: number): void {
  const [, escaped = '', count] = /^((?:[^:\\]|\\.)+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const word = escaped.replace(/\\(.)/g, '$1');
  if (word === '' || words.length === MAX_WORDS) return;
  words.push({ word, from: line, to: count === undefined ? Number.POSITIVE_INFINITY : line + Number(count) - 1 });
}
