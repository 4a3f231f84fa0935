import { listItems, type MarkdownBlock, markdownBlocks, sentences } from './markdown-blocks.ts';
import type { QuestionWords } from './question-words.ts';

const LONGEST_PARAGRAPH = 700;
/** Half a program helps nobody, so code is given whole unless it is very long. */
const LONGEST_CODE = 2300;
const MOST_LIST_ITEMS = 20;
const MOST_TABLE_ROWS = 6;

/** A block where it is short enough, otherwise the part of it that says most, with “…” where something is left out. */
export function shortenBlock(words: QuestionWords, block: MarkdownBlock, longest: number): string {
  const { kind, markdown } = block;
  const limit = kind === 'code' ? LONGEST_CODE : Math.min(longest, kind === 'paragraph' ? LONGEST_PARAGRAPH : longest);
  const isLong = markdown.length > limit || (kind === 'list' && listItems(markdown).length > MOST_LIST_ITEMS);
  if (kind === 'table') return shortTable(words, markdown, limit);
  if (!isLong) return markdown;
  if (kind === 'list') return window(words, listItems(markdown), limit, '\n');
  if (kind === 'code') return cutCode(markdown, limit);
  if (markdown.startsWith('>')) return shortCallout(words, markdown, limit);
  return window(words, sentences(markdown), limit, ' ');
}

/** The run of pieces around the one that says most; marks what is left out. */
function window(words: QuestionWords, pieces: readonly string[], limit: number, joint: string): string {
  const scores = pieces.map((piece) => words.share(words.found(piece)));
  let from = scores.indexOf(Math.max(...scores));
  let to = from;
  let length = (pieces[from] ?? '').length;
  while (to + 1 < pieces.length && length + (pieces[to + 1] as string).length <= limit) length += (pieces[++to] as string).length;
  while (from > 0 && length + (pieces[from - 1] as string).length <= limit) length += (pieces[--from] as string).length;
  const text = pieces.slice(from, to + 1).join(joint);
  return `${from > 0 ? `…${joint}` : ''}${text}${to + 1 < pieces.length ? `${joint}…` : ''}`;
}

/** A callout may hold tables and lists of its own: those of its blocks that say most, each cut as it is by itself. */
function shortCallout(words: QuestionWords, callout: string, limit: number): string {
  const inner = markdownBlocks(callout.replaceAll(/^[ \t]*> ?/gm, ''));
  const short = inner.map((block) =>
    block.markdown.startsWith('>') ? cutText(block.markdown, limit) : shortenBlock(words, block, limit),
  );
  return `> ${window(words, short, limit, '\n\n').replaceAll('\n', '\n> ')}`;
}

/** Callouts in callouts are seldom, and not worth more care. */
function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', limit)))} …`;
}

/** The header of a table and the rows that say most, without the padding that only the source needs. */
function shortTable(words: QuestionWords, table: string, limit: number): string {
  const [header = '', rule = '', ...rows] = table
    .split('\n')
    .map((row) => row.replaceAll(/[ \t]{2,}/g, ' ').replaceAll(/-{4,}/g, '---'));
  const judged = rows.map((row, index) => ({ row, index, score: words.share(words.found(row)) }));
  const best = [...judged].sort((a, b) => b.score - a.score || a.index - b.index).slice(0, MOST_TABLE_ROWS);
  let left = limit - header.length - rule.length;
  const kept = best.filter(({ row }) => {
    left -= row.length;
    return left >= 0;
  });
  const inOrder = kept.sort((a, b) => a.index - b.index).map(({ row }) => row);
  return [header, rule, ...inOrder].join('\n');
}

/** The beginning of a long code block, closed again. */
function cutCode(code: string, limit: number): string {
  const cut = code.slice(0, code.lastIndexOf('\n', limit));
  const fence = /^[ \t]*(`{3,}|~{3,})/.exec(code)?.[1] ?? '```';
  return `${cut}\n…\n${fence}`;
}
