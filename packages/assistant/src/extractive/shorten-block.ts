import {
  listItems,
  type MarkdownBlock,
  markdownBlocks,
  sentences,
  visibleLength,
} from '../chat/markdown-blocks.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';

const MAX_PARAGRAPH_LENGTH = 700;
/** So is half a procedure: every step is named, the most relevant ones are quoted in full. */
const MAX_STEPS_LENGTH = 1100;
/** A secondary quote does not include a whole procedure. */
const ROOM_FOR_STEPS = 500;
const MAX_LIST_ITEMS = 20;
/** A step with a shorter first paragraph is only named by it. */
const MIN_LEAD_LENGTH = 60;
const MAX_ROWS = 6;
/** A table with at most this many rows, or this share of the limit, is shown whole if it fits. */
const FEW_ROWS = 8;
const SHARE_OF_TABLE = 0.5;
/** Minimum score of a row, relative to the best one, to be shown with it. */
const ROW_WORTH = 0.5;
const ORDERED = /^\d{1,9}[.)][ \t]/;
/** An item that explains a field, a setting or a code. */
const ENTRY = /^[-*+][ \t]+(?:`[^`\n]+`|\*\*[^*\n]+\*\*)/;

/** A tip or note inside an item, with the white space before it; no warning. */
const ASIDE = /(?<=\S)\s*\n[ \t]*> \*\*(?:Tip|Note|Info|Check):\*\*.*(?:\n[ \t]*>.*)*/g;

/**
 * Returns a block if it is short enough, otherwise the most relevant part of it, with “…” for
 * omissions.
 */
export function shortenBlock(
  words: QuestionWords,
  block: MarkdownBlock,
  longest: number,
  frames: AnswerFrames,
): string {
  const { kind, markdown } = block;
  if (kind === 'table') return shortTable(words, markdown, longest);
  if (kind === 'code')
    return markdown.length <= longest ? markdown : cutCode(words, markdown, longest);
  if (kind === 'list') return shortList(words, markdown, longest, frames);
  const limit = kind === 'paragraph' ? Math.min(longest, MAX_PARAGRAPH_LENGTH) : longest;
  if (visibleLength(markdown) <= limit) return markdown;
  if (markdown.startsWith('>')) return shortCallout(words, markdown, limit, frames);
  return window(words, sentences(markdown), limit, ' ');
}

function shortList(
  words: QuestionWords,
  list: string,
  longest: number,
  frames: AnswerFrames,
): string {
  const items = listItems(list);
  const isProcedure = ORDERED.test(list) && items.length > 1;
  const limit = isProcedure && longest >= ROOM_FOR_STEPS ? MAX_STEPS_LENGTH : longest;
  if (visibleLength(list) <= limit && items.length <= MAX_LIST_ITEMS) return list;
  if (isProcedure) return shortSteps(words, items.map(withoutAsides), limit, frames);
  // Of a reference list, the requested items.
  const isReference = items.filter((item) => ENTRY.test(item)).length * 2 > items.length;
  const best = isReference ? chosen(words, items, longest) : [];
  return best.length === 0
    ? window(words, items, longest, '\n')
    : withGaps(items, best, '…').join('\n');
}

/**
 * Every step by its beginning, the most relevant ones whole; if even that is too long, the number
 * of further steps.
 */
function shortSteps(
  words: QuestionWords,
  steps: readonly string[],
  limit: number,
  { moreSteps }: AnswerFrames,
): string {
  const lengthOf = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + visibleLength(text), 0);
  const leads = [
    steps.map((step) => leadOf(step, MIN_LEAD_LENGTH)),
    steps.map((step) => leadOf(step, 0)),
    steps.map(firstSentence),
  ].reduce((long, short) => (lengthOf(long) <= limit ? long : short));
  let left = limit - lengthOf(leads);
  const shortenedSteps = [...leads];
  for (const { index } of byWorth(words, steps)) {
    const lead = leads[index] as string;
    const more = beginningOf(steps[index] as string, visibleLength(lead) + left);
    if (visibleLength(more) <= visibleLength(lead)) continue;
    left -= visibleLength(more) - visibleLength(lead);
    shortenedSteps[index] = more;
  }
  let count = 0;
  for (let room = limit; count < shortenedSteps.length; count++) {
    room -= visibleLength(shortenedSteps[count] as string);
    if (room < 0 && count > 0) break;
  }
  const kept = shortenedSteps.slice(0, count).join('\n');
  return count === shortenedSteps.length
    ? kept
    : `${kept}\n\n${moreSteps.replace('{count}', String(shortenedSteps.length - count))}`;
}

/** As many paragraphs and code blocks of a step as fit, with “…” for the rest. */
function beginningOf(step: string, longest: number): string {
  if (visibleLength(step) <= longest) return step;
  let end = 0;
  let isCode = false;
  for (const { 0: line, index } of step.matchAll(/\n[^\n]*/g)) {
    const isFence = /^\s*(?:`{3}|~{3})/.test(line);
    // Before a code block, after one, and between paragraphs.
    if (!isCode && (isFence || line.trim() === '') && index <= longest - 2) end = index;
    if (isFence) isCode = !isCode;
  }
  return end === 0 ? '' : `${step.slice(0, end).trimEnd()} …`;
}

/**
 * A step without its tips and notes: where not everything fits, what to do and the code come first.
 */
function withoutAsides(step: string): string {
  return step.replaceAll(ASIDE, '').trimEnd();
}

/**
 * The first paragraph of a step, with the next one if it is a mere title shorter than that; “…”
 * marks omissions.
 */
function leadOf(step: string, shortest: number): string {
  const ends = [...step.matchAll(/\n(?=[ \t]*\n)|\n(?=[ \t]*(?:`{3}|~{3}))/g)].map(
    ({ index }) => index,
  );
  const [first = step.length, second = step.length] = ends;
  const next = step.slice(first, second);
  const end = first < shortest && !/^\s*(?:`{3}|~{3})/.test(next) ? second : first;
  return end >= step.length ? step : `${step.slice(0, end).trimEnd()} …`;
}

/** The first sentence of a step; “…” marks omissions. */
function firstSentence(step: string): string {
  const mark = ORDERED.exec(step)?.[0] ?? '';
  const lead = leadOf(step, 0).replace(/ …$/, '');
  const [first = ''] = sentences(lead.slice(mark.length));
  const short = `${mark}${first}`;
  return short.length < step.trimEnd().length ? `${short} …` : step;
}

/** Some of the pieces, with a mark where others are left out. */
function withGaps(pieces: readonly string[], kept: readonly number[], mark: string): string[] {
  const keptPieces = kept.flatMap((index, at) => [
    ...(index > (kept[at - 1] ?? -1) + 1 ? [mark] : []),
    pieces[index] as string,
  ]);
  return kept.at(-1) === pieces.length - 1 ? keptPieces : [...keptPieces, mark];
}

/** Indices of the most relevant pieces, in order; only the best ones, and only as many as fit. */
function chosen(words: QuestionWords, pieces: readonly string[], limit: number): number[] {
  const order = byWorth(words, pieces);
  const best = order[0]?.worth ?? 0;
  let left = limit;
  return order
    .filter(({ worth }) => worth >= best * ROW_WORTH)
    .slice(0, MAX_ROWS)
    .filter(({ index }) => {
      left -= (pieces[index] as string).length;
      return left >= 0;
    })
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}

/** Best first. */
function byWorth(
  words: QuestionWords,
  pieces: readonly string[],
): { index: number; worth: number }[] {
  return pieces
    .map((piece, index) => ({ index, worth: words.share(words.found(piece)) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
}

/** The run of pieces around the most relevant one; marks omissions. */
function window(
  words: QuestionWords,
  pieces: readonly string[],
  limit: number,
  joint: string,
): string {
  const scores = pieces.map((piece) => words.share(words.found(piece)));
  const best = scores.indexOf(Math.max(...scores));
  const lengthTo = pieces.slice(0, best + 1).reduce((sum, piece) => sum + piece.length, 0);
  // A piece is easier to understand from its beginning.
  let from = lengthTo <= limit ? 0 : best;
  let to = best;
  let length = from === 0 ? lengthTo : (pieces[best] ?? '').length;
  if (length > limit)
    return `${from > 0 ? `…${joint}` : ''}${cutLines(pieces[from] as string, limit)}`;
  while (to + 1 < pieces.length && length + (pieces[to + 1] as string).length <= limit)
    length += (pieces[++to] as string).length;
  while (from > 0 && length + (pieces[from - 1] as string).length <= limit)
    length += (pieces[--from] as string).length;
  const text = pieces.slice(from, to + 1).join(joint);
  return `${from > 0 ? `…${joint}` : ''}${text}${to + 1 < pieces.length ? `${joint}…` : ''}`;
}

/** The first lines of an item with many below it; code is not cut in the middle. */
function cutLines(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit);
  const cut = end <= 0 ? cutText(text, limit) : text.slice(0, end);
  const isOpen = (cut.match(/^[ \t]*(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1;
  return isOpen ? text : `${cut}\n…`;
}

/** A callout may contain tables and lists: its most relevant blocks, each cut by its own rules. */
function shortCallout(
  words: QuestionWords,
  callout: string,
  limit: number,
  frames: AnswerFrames,
): string {
  const inner = markdownBlocks(callout.replaceAll(/^[ \t]*> ?/gm, ''));
  const short = inner.map((block) =>
    block.markdown.startsWith('>')
      ? cutText(block.markdown, limit)
      : shortenBlock(words, block, limit, frames),
  );
  return `> ${window(words, short, limit, '\n\n').replaceAll('\n', '\n> ')}`;
}

/** Callouts inside callouts are too rare to handle separately. */
function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', limit)))} …`;
}

/** A small table whole; of a larger one the header and the most relevant rows, without padding. */
function shortTable(words: QuestionWords, table: string, limit: number): string {
  const [header = '', rule = '', ...rows] = table
    .split('\n')
    .map((row) => row.replaceAll(/[ \t]{2,}/g, ' ').replaceAll(/-{4,}/g, '---'));
  const room = limit - header.length - rule.length;
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  const fits = length <= room && (rows.length <= FEW_ROWS || length <= limit * SHARE_OF_TABLE);
  const visibleRows = fits
    ? rows
    : withGaps(rows, withGroups(rows, chosen(words, rows, room)), '| … |');
  return [header, rule, ...visibleRows].join('\n');
}

/**
 * A row whose first cell is empty belongs to the row above that has one: alone it would seem to
 * belong to another.
 */
function withGroups(rows: readonly string[], kept: readonly number[]): number[] {
  const groups = kept.map((index) =>
    rows.findLastIndex((row, at) => at <= index && !/^\|\s*\|/.test(row)),
  );
  return [...new Set([...groups.filter((at) => at >= 0), ...kept])].sort((a, b) => a - b);
}

/** A difference that sums in another order can have. */
const EQUAL = 1e-6;

/** Those lines of long code, one after another, that answer best together. */
function cutCode(words: QuestionWords, code: string, limit: number): string {
  const [fence = '```', ...lines] = code.split('\n');
  const end = lines.pop() ?? '```';
  const room = limit - fence.length - end.length;
  const shares = lines.map((line) => words.share(words.found(line)));
  let best = { from: 0, to: 0, share: -1 };
  let [from, length, share] = [0, 0, 0];
  for (let to = 0; to < lines.length; to++) {
    length += (lines[to] as string).length + 1;
    share += shares[to] as number;
    while (length > room && from < to) {
      length -= (lines[from] as string).length + 1;
      share -= shares[from++] as number;
    }
    const more = share - best.share;
    // Of several with as much, the first one, as long as it can be.
    if (more > EQUAL || (more > -EQUAL && from === best.from)) best = { from, to, share };
  }
  while (best.from < best.to && lines[best.from]?.trim() === '') best.from++;
  const text = lines.slice(best.from, best.to + 1);
  const before = best.from > 0 ? ['…'] : [];
  const after = best.to + 1 < lines.length ? ['…'] : [];
  return [fence, ...before, ...text, ...after, end].join('\n');
}
