import { escapeHtml } from '../../html.ts';
import type { CodeNote, ExplainedCode, HighlightedToken } from '../page/page-renderer.ts';
import { type CodeMeta, inRanges } from './code-meta.ts';

interface LineFacts {
  meta: CodeMeta;
  marks: ReadonlyMap<number, ReadonlySet<LineMark>>;
  words: readonly MarkedWord[];
  explained: ExplainedCode | undefined;
}

const MAX_WORDS_IN_LINE = 200;

const plainBlocks = new WeakMap<readonly HighlightedToken[][], string>();

/**
 * Renders the lines of a block. Most blocks have no annotations; then lines need no elements, and
 * equal blocks are rendered once.
 */
export function codeLines(lines: readonly HighlightedToken[][], facts: LineFacts): string {
  const { meta, marks, words, explained } = facts;
  const hasOwnElements =
    marks.size > 0 || meta.highlight.length > 0 || meta.focus.length > 0 || meta.lines;
  if (hasOwnElements || words.length > 0 || explained)
    return annotatedLines(lines, facts, hasOwnElements);
  const blockHtml = plainBlocks.get(lines) ?? lines.map(lineHtml).join('\n');
  plainBlocks.set(lines, blockHtml);
  return blockHtml;
}

function annotatedLines(
  lines: readonly HighlightedToken[][],
  { meta, marks, words, explained }: LineFacts,
  hasOwnElements: boolean,
): string {
  const rangesOf = rangeFinder(words, explained);
  const notes = Map.groupBy(explained?.notes ?? [], ({ line }) => line);
  const notesBelow = (line: number): string => (notes.get(line) ?? []).map(noteHtml).join('');
  let out = '';
  for (let i = 0; i < lines.length; i++) {
    const tokens = lines[i] as HighlightedToken[];
    const content = lineHtmlWithRanges(tokens, rangesOf(i, tokens));
    const line = hasOwnElements
      ? `<span class="${lineClasses(i + 1, meta, marks)}">${content}</span>`
      : content;
    // A note is a block: the line break before it adds no empty line, one after it would.
    out += i === 0 ? line : `\n${notesBelow(i - 1)}${line}`;
  }
  return out + notesBelow(lines.length - 1);
}

function lineClasses(line: number, meta: CodeMeta, marks: LineFacts['marks']): string {
  let classes = 'line';
  const lineMarks = marks.get(line);
  for (const mark of lineMarks ?? []) classes += ` ${mark}`;
  if (!lineMarks?.has('hl') && inRanges(meta.highlight, line)) classes += ' hl';
  if (!lineMarks?.has('focus') && inRanges(meta.focus, line)) classes += ' focus';
  return classes;
}

/** Matches the marked words and the explained names of a line. */
function rangeFinder(words: readonly MarkedWord[], explained: ExplainedCode | undefined) {
  const { hints = [], notes = [] } = explained ?? {};
  const hintsOf = Map.groupBy(hints, ({ line }) => line);
  const faults = notes.filter(
    ({ kind, length }) => length > 0 && (kind === 'error' || kind === 'warning'),
  );
  const faultsOf = Map.groupBy(faults, ({ line }) => line);
  return (index: number, tokens: readonly HighlightedToken[]): LineRange[] => [
    ...(faultsOf.get(index) ?? []).map(({ start, length, kind }) =>
      range(start, length, `<span class="d-src-fault" data-kind="${kind}">`),
    ),
    ...(hintsOf.get(index) ?? []).map(({ start, length, text, docs }) =>
      range(start, length, hintTag(text, docs)),
    ),
    ...wordRanges(words, index + 1, tokens),
  ];
}

function range(start: number, length: number, open: string): LineRange {
  return { start, end: start + length, open, close: '</span>' };
}

/** The title works without scripts; the custom element in the browser improves on it. */
function hintTag(text: string, docs: string | undefined): string {
  return `<span class="d-hint" title="${escapeHtml(docs === undefined ? text : `${text}\n\n${docs}`)}">`;
}

function wordRanges(
  words: readonly MarkedWord[],
  line: number,
  tokens: readonly HighlightedToken[],
): LineRange[] {
  const lineWords = words.filter(({ from, to }) => line >= from && line <= to);
  if (lineWords.length === 0) return [];
  const text = tokens.map((token) => token.text).join('');
  const ranges: LineRange[] = [];
  for (const { word } of lineWords) {
    for (
      let at = text.indexOf(word);
      at >= 0 && ranges.length < MAX_WORDS_IN_LINE;
      at = text.indexOf(word, at + word.length)
    )
      ranges.push({
        start: at,
        end: at + word.length,
        open: '<mark class="d-src-word">',
        close: '</mark>',
      });
  }
  return ranges;
}

/** A note of a compiler below a line. It is not part of the code, so copying skips it. */
function noteHtml({ start, kind, text }: CodeNote): string {
  const indent = Math.min(start, 60);
  return `<span class="d-src-note" data-kind="${kind}" style="--d-indent:${indent}ch">${escapeHtml(text)}</span>`;
}

interface LineRange {
  start: number;
  end: number;
  /** The opening tag, already escaped. */
  open: string;
  close: string;
}

/**
 * From this kind on, a token's kind is a terminal color and weight: 17 colors, plain, bold and dim.
 */
const FIRST_TERMINAL_KIND = 20;
const TERMINAL_COLORS = 17;
const TERMINAL_STYLES = ['', 'b', 'd', 'u'] as const;

/**
 * Returns the kind of a token in a terminal color: 0 is the default, 1–8 the normal colors, 9–16
 * the bright ones.
 */
export function terminalKind(color: number, style: number): number {
  const kind = color + style * TERMINAL_COLORS;
  return kind === 0 ? 0 : FIRST_TERMINAL_KIND + kind;
}

function classOf(kind: number): string {
  if (kind < FIRST_TERMINAL_KIND) return `k${kind}`;
  const code = kind - FIRST_TERMINAL_KIND;
  const color = code % TERMINAL_COLORS;
  const style = TERMINAL_STYLES[Math.floor(code / TERMINAL_COLORS)];
  return [color > 0 ? `ka${color}` : '', style ? `ka-${style}` : '']
    .filter((name) => name !== '')
    .join(' ');
}

function tokenHtml(text: string, kind: number): string {
  return kind === 0
    ? escapeHtml(text)
    : `<span class="${classOf(kind)}">${escapeHtml(text)}</span>`;
}

function lineHtml(tokens: readonly HighlightedToken[]): string {
  let out = '';
  for (const { text, kind } of tokens) out += tokenHtml(text, kind);
  return out;
}

/**
 * The same with elements around some parts, which may begin and end within tokens. Of overlapping
 * parts, the first wins.
 */
function lineHtmlWithRanges(
  tokens: readonly HighlightedToken[],
  ranges: readonly LineRange[],
): string {
  const length = tokens.reduce((sum, { text }) => sum + text.length, 0);
  const inLine = withoutOverlaps(ranges).filter(({ start }) => start < length);
  const clippedRanges = inLine.map((range) => ({ ...range, end: Math.min(range.end, length) }));
  let out = '';
  let at = 0;
  let index = 0;
  for (const { text, kind } of tokens) {
    const start = at;
    const end = start + text.length;
    while (at < end) {
      const from = at;
      const range = clippedRanges[index];
      if (range?.start === from) out += range.open;
      at = range ? Math.min(end, range.start > from ? range.start : range.end) : end;
      out += tokenHtml(text.slice(from - start, at - start), kind);
      if (range?.end !== at) continue;
      out += range.close;
      index++;
    }
  }
  return out;
}

function withoutOverlaps(ranges: readonly LineRange[]): LineRange[] {
  const sorted = ranges
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: LineRange[] = [];
  for (const range of sorted) if (range.start >= (kept.at(-1)?.end ?? 0)) kept.push(range);
  return kept;
}

/** The effect of a comment in the code on a line. */
export type LineMark = 'add' | 'del' | 'hl' | 'focus' | 'error' | 'warn' | 'info';

/** A word to mark wherever it occurs in some lines. */
interface MarkedWord {
  word: string;
  /** Lines counted from 1; `to` is included. */
  from: number;
  to: number;
}

interface MarkedCode {
  code: string;
  /** Marks of lines, counted from 1. */
  marks: Map<number, Set<LineMark>>;
  words: MarkedWord[];
}

/**
 * A comment in any common language with one mark: `// [!code ++]`, `# [!code highlight:3]`, `<!--
 * [!code focus] -->`.
 */
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
 * Removes comments like `// [!code ++]` from code and returns which lines they mark: their own
 * line, or, for a comment on a separate line, the lines after it. `:n` marks that many; `word:name`
 * marks a word from there on.
 */
export function takeLineMarks(code: string): MarkedCode {
  const marked: MarkedCode = { code, marks: new Map(), words: [] };
  if (!code.includes('[!code ')) return marked;
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const lineMarks: string[] = [];
    const rest = line.replace(MARK, (_, mark: string) => {
      lineMarks.push(mark);
      return '';
    });
    const alone = lineMarks.length > 0 && rest.trim() === '';
    if (!alone) lines.push(rest);
    for (const mark of lineMarks)
      addMark(marked, mark.trim(), alone ? lines.length + 1 : lines.length);
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
  words.push({
    word,
    from: line,
    to: count === undefined ? Number.POSITIVE_INFINITY : line + Number(count) - 1,
  });
}
