import type { Passage } from './chat-request.ts';
import { listItems, type MarkdownBlock, markdownBlocks, sentences } from './markdown-blocks.ts';
import type { QuestionWords } from './question-words.ts';

/** A piece of a passage, fit to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
  /**
   * How surely it answers, 0–1: the share of the question that its section speaks of, times how well the search liked the
   * best of all. Either alone is fooled by questions about something else.
   */
  confidence: number;
}

interface JudgedPassage {
  passage: Passage;
  blocks: MarkdownBlock[];
  blockScores: number[];
  /** Which block says most. */
  best: number;
  share: number;
  score: number;
}

const MOST_QUOTES = 3;
const LONGEST_MAIN_QUOTE = 1400;
const LONGEST_OTHER_QUOTE = 600;
const LONGEST_PARAGRAPH = 700;
/** A further passage is quoted only where it says nearly as much as the first. */
const OTHERS_FROM = 0.8;
const OTHERS_SHARE_FROM = 0.35;
const MOST_LIST_ITEMS = 10;
const MOST_TABLE_ROWS = 6;
/** How strongly the order of the search counts against what the text itself says: powers of the relative scores. */
const PAGE_RANK_POWER = 10;
const SECTION_RANK_POWER = 1;
/** One block with many words of the question tells less than a section that is about them. */
const BEST_BLOCK_WORTH = 0.5;
const HEAD_WORTH = 0.5;

/** Chooses what to quote for a question: the passage that says most about it, and up to two others. Best first. */
export function chooseQuotes(words: QuestionWords, passages: readonly Passage[]): Quote[] {
  const rarity = rarityOf(words, passages);
  const rank = rankFactors(passages);
  const judged = passages
    .map((passage) => judge(words, passage, rarity, rank(passage)))
    .filter((one) => one !== undefined)
    .sort((a, b) => b.score - a.score);
  const [first] = judged;
  if (first === undefined) return [];
  const bestScore = Math.max(...passages.map((passage) => passage.metadata.score));
  const others = judged
    .slice(1)
    .filter(
      (one) =>
        one.score >= first.score * OTHERS_FROM && one.share >= OTHERS_SHARE_FROM && one.passage.path !== first.passage.path,
    );
  const fromOtherPages = others.filter(
    (one, index) => others.findIndex((other) => other.passage.path === one.passage.path) === index,
  );
  return [first, ...fromOtherPages.slice(0, MOST_QUOTES - 1)].map((one, index) => ({
    passage: one.passage,
    markdown: quoteAround(words, one, index === 0 ? LONGEST_MAIN_QUOTE : LONGEST_OTHER_QUOTE),
    confidence: one.share * bestScore,
  }));
}

/** A word that all passages have does not tell them apart. */
function rarityOf(words: QuestionWords, passages: readonly Passage[]): Float32Array | undefined {
  const all = passages.map((passage) => words.found(passageText(passage)));
  const counts = all.reduce<Float32Array | undefined>(
    (sum, found) => sum?.map((count, i) => count + (found[i] as number)) ?? found.slice(),
    undefined,
  );
  return counts?.map((count) => Math.log(1 + passages.length / (0.5 + count)));
}

/** What the order of the search says: the page of a passage against the best page, the passage against the best of its page. */
function rankFactors(passages: readonly Passage[]): (passage: Passage) => number {
  const bestOfPage = new Map<string, number>();
  for (const { path, metadata } of passages) bestOfPage.set(path, Math.max(metadata.score, bestOfPage.get(path) ?? 0.001));
  const best = Math.max(...bestOfPage.values());
  return ({ path, metadata }) => {
    const page = bestOfPage.get(path) as number;
    return (page / best) ** PAGE_RANK_POWER * (metadata.score / page) ** SECTION_RANK_POWER;
  };
}

function headOf(passage: Passage): string {
  return [passage.metadata.title, ...passage.headings].join(' ');
}

function passageText(passage: Passage): string {
  return `${headOf(passage)} ${passage.content}`;
}

function judge(
  words: QuestionWords,
  passage: Passage,
  rarity: Float32Array | undefined,
  rank: number,
): JudgedPassage | undefined {
  const blocks = markdownBlocks(withoutImages(passage.content));
  if (!blocks.some((block) => block.kind !== 'heading')) return undefined;
  const blockScores = blocks.map((block) => (block.kind === 'heading' ? 0 : words.share(words.found(block.markdown), rarity)));
  const best = blockScores.indexOf(Math.max(...blockScores));
  const all = words.found(passageText(passage));
  const share = words.share(all);
  const head = words.share(words.found(headOf(passage)), rarity);
  const score = (words.share(all, rarity) + (blockScores[best] as number) * BEST_BLOCK_WORTH + head * HEAD_WORTH) * rank;
  return { passage, blocks, blockScores, best, share, score };
}

function withoutImages(markdown: string): string {
  return markdown.replaceAll(/!\[[^[\]\n]*\]\([^()\n]*\)/g, '');
}

/** The block that says most with what belongs to it: the sentence that leads in, the code that follows, and near blocks that say as much. */
function quoteAround(words: QuestionWords, { blocks, blockScores, best }: JudgedPassage, longest: number): string {
  const textOf = (index: number) => shortened(words, blocks[index] as MarkdownBlock, longest);
  const whole = blocks.map((_, index) => textOf(index)).join('\n\n');
  if (whole.length <= longest) return whole;
  let from = best;
  let to = best;
  let length = textOf(best).length;
  const take = (index: number): boolean => {
    const added = index >= 0 && index < blocks.length ? textOf(index).length : Number.POSITIVE_INFINITY;
    if (length + added > longest) return false;
    length += added;
    return true;
  };
  while (needsLeadIn(blocks[from] as MarkdownBlock) && take(from - 1)) from--;
  while (to + 1 < blocks.length && belongs(blocks, blockScores, to, best) && take(to + 1)) to++;
  while (from > 0 && (blockScores[from - 1] as number) >= (blockScores[best] as number) * 0.6 && take(from - 1)) from--;
  return blocks
    .slice(from, to + 1)
    .map((_, index) => textOf(from + index))
    .join('\n\n');
}

function needsLeadIn(block: MarkdownBlock): boolean {
  return block.kind === 'code' || block.kind === 'list' || block.kind === 'table';
}

/** Whether the block after `index` belongs to what is quoted. */
function belongs(blocks: readonly MarkdownBlock[], scores: readonly number[], index: number, best: number): boolean {
  const next = blocks[index + 1] as MarkdownBlock;
  const announced = (blocks[index] as MarkdownBlock).markdown.trimEnd().endsWith(':');
  return (
    announced ||
    next.kind === 'code' ||
    (next.kind === 'list' && index === best) ||
    (scores[index + 1] as number) >= (scores[best] as number) * 0.5
  );
}

function shortened(words: QuestionWords, block: MarkdownBlock, longest: number): string {
  const limit = Math.min(longest, block.kind === 'paragraph' ? LONGEST_PARAGRAPH : longest);
  const isLong =
    block.markdown.length > limit || (block.kind === 'list' && listItems(block.markdown).length > MOST_LIST_ITEMS * 2);
  if (!isLong && block.kind !== 'table') return block.markdown;
  if (block.kind === 'paragraph') return window(words, sentences(block.markdown), limit, ' ');
  if (block.kind === 'list') return window(words, listItems(block.markdown), Math.min(limit, LONGEST_PARAGRAPH), '\n');
  if (block.kind === 'table') return shortTable(words, block.markdown, limit);
  return cutCode(block.markdown, limit);
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
