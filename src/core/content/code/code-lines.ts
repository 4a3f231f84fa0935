import { escapeHtml } from '../../html.ts';
import type { CodeNote, ExplainedCode, HighlightedToken } from '../page-renderer.ts';
import type { LineMark, MarkedWord } from './code-block-marks.ts';
import { type LineRange, lineHtml, lineHtmlWithRanges } from './code-line.ts';
import { type CodeMeta, inRanges } from './code-meta.ts';

/** All annotations of the lines of one block. */
export interface LineFacts {
  meta: CodeMeta;
  marks: ReadonlyMap<number, ReadonlySet<LineMark>>;
  words: readonly MarkedWord[];
  explained: ExplainedCode | undefined;
}

const MAX_WORDS_IN_LINE = 200;

/** Renders the lines of a block. Most blocks have no annotations; then lines need no elements. */
export function codeLines(lines: readonly HighlightedToken[][], facts: LineFacts): string {
  const { meta, marks, words, explained } = facts;
  const hasOwnElements = marks.size > 0 || meta.highlight.length > 0 || meta.focus.length > 0 || meta.lines;
  const rangesOf = rangeFinder(words, explained);
  const notes = notesByLine(explained?.notes ?? []);
  let out = '';
  for (let i = 0; i < lines.length; i++) {
    const tokens = lines[i] as HighlightedToken[];
    const ranges = rangesOf?.(i, tokens);
    const content = ranges ? lineHtmlWithRanges(tokens, ranges) : lineHtml(tokens);
    const line = hasOwnElements ? `<span class="${lineClasses(i + 1, meta, marks)}">${content}</span>` : content;
    // A note is a block: the line break before it adds no empty line, one after it would.
    out += i === 0 ? line : `\n${notes?.get(i - 1) ?? ''}${line}`;
  }
  return out + (notes?.get(lines.length - 1) ?? '');
}

function lineClasses(line: number, meta: CodeMeta, marks: LineFacts['marks']): string {
  let classes = 'line';
  const own = marks.get(line);
  for (const mark of own ?? []) classes += ` ${mark}`;
  if (!own?.has('hl') && inRanges(meta.highlight, line)) classes += ' hl';
  if (!own?.has('focus') && inRanges(meta.focus, line)) classes += ' focus';
  return classes;
}

type RangeFinder = (index: number, tokens: readonly HighlightedToken[]) => LineRange[];

/** Matches the marked words and the explained names of a line; undefined if a block has neither. */
function rangeFinder(words: readonly MarkedWord[], explained: ExplainedCode | undefined): RangeFinder | undefined {
  // Nearly every block returns here.
  if (words.length === 0 && explained === undefined) return undefined;
  const hints = Map.groupBy(explained?.hints ?? [], ({ line }) => line);
  const noted = Map.groupBy(
    (explained?.notes ?? []).filter(({ length }) => length > 0),
    ({ line }) => line,
  );
  if (words.length === 0 && hints.size === 0 && noted.size === 0) return undefined;
  return (index, tokens) => {
    const faults = (noted.get(index) ?? []).filter(({ kind }) => kind === 'error' || kind === 'warning');
    return [
      ...faults.map(({ start, length, kind }) => range(start, length, `<span class="d-code-fault" data-kind="${kind}">`)),
      ...(hints.get(index) ?? []).map(({ start, length, text, docs }) => range(start, length, hintTag(text, docs))),
      ...wordRanges(words, index + 1, tokens),
    ];
  };
}

function range(start: number, length: number, open: string): LineRange {
  return { start, end: start + length, open, close: '</span>' };
}

/** The title works without scripts; the custom element in the browser improves on it. */
function hintTag(text: string, docs: string | undefined): string {
  return `<span class="d-hint" title="${escapeHtml(docs === undefined ? text : `${text}\n\n${docs}`)}">`;
}

function wordRanges(words: readonly MarkedWord[], line: number, tokens: readonly HighlightedToken[]): LineRange[] {
  const wanted = words.filter(({ from, to }) => line >= from && line <= to);
  if (wanted.length === 0) return [];
  const text = tokens.map((token) => token.text).join('');
  const found: LineRange[] = [];
  for (const { word } of wanted) {
    for (let at = text.indexOf(word); at >= 0 && found.length < MAX_WORDS_IN_LINE; at = text.indexOf(word, at + word.length))
      found.push({ start: at, end: at + word.length, open: '<mark class="d-code-word">', close: '</mark>' });
  }
  return found;
}

/** Notes of a compiler below a line. They are not part of the code, so copying skips them. */
function notesByLine(notes: readonly CodeNote[]): Map<number, string> | undefined {
  if (notes.length === 0) return undefined;
  const byLine = new Map<number, string>();
  for (const { line, start, kind, text } of notes) {
    const indent = Math.min(start, 60);
    const markup = `<span class="d-code-note" data-kind="${kind}" style="--d-indent:${indent}ch">${escapeHtml(text)}</span>`;
    byLine.set(line, (byLine.get(line) ?? '') + markup);
  }
  return byLine;
}
