import type { MarkdownBlock } from '../markdown-blocks.ts';
import type { ReadBlock } from './code-choices.ts';
import { announces, introduces } from './passage-candidates.ts';
import type { QuestionWords } from './question-words.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { type QuoteFrames, shortenBlock } from './shorten-block.ts';

/** A quote that is shorter than this share of the limit also contains the next block, however long that is. */
const MIN_SHARE_OF_LIMIT = 0.25;
/** Content that a sentence announces is included even over the limit: “in the following ways:” alone is useless. */
const MIN_FOLLOWER_LENGTH = 400;

/**
 * Selects the quoted part of a candidate: all of it if it is short, otherwise the best block with as much of its context as fits:
 * the sentence that introduces it and the code that follows, then the beginning and the rest. An entry keeps its title.
 */
export function quoteCandidate(words: QuestionWords, candidate: RankedCandidate, longest: number, frames: QuoteFrames): string {
  const { blocks, blockShares, isEntry } = candidate;
  const texts = blocks.map((block) => shortenBlock(words, block, longest, frames));
  if (texts.join('\n\n').length <= longest) return closed(texts.join('\n\n'));
  const first = isEntry ? 1 : 0;
  const best = bestBlock(blockShares, first);
  let length = (texts[best] as string).length + (isEntry ? (texts[0] as string).length : 0);
  const take = (index: number): boolean => {
    const added = index >= first && index < blocks.length ? (texts[index] as string).length : Number.POSITIVE_INFINITY;
    if (length + added > longest) return false;
    length += added;
    return true;
  };
  let from = best;
  let to = best;
  // An answer starts at its beginning.
  while ((isEntry || needsLeadIn(blocks[from] as ReadBlock)) && take(from - 1)) from--;
  while (to + 1 < blocks.length && belongs(candidate, to, best) && take(to + 1)) to++;
  // A section is easier to understand from its beginning, if that leaves room, and what follows explains what stands before.
  const lead = texts.slice(first, from).reduce((sum, text) => sum + text.length, 0);
  if (length + lead <= longest) while (take(from - 1)) from--;
  while (take(to + 1)) to++;
  // A remark beside code that is too long would be all: then the code may exceed the limit.
  while (length < longest * MIN_SHARE_OF_LIMIT && to - from + 1 < blocks.length - first) {
    length += (texts[to + 1 < blocks.length ? ++to : --from] as string).length;
  }
  const helps = solutionAfter(blocks, best);
  if (helps > to) {
    // The reader asks for the solution, not the problem.
    [from, to, length] = [helps, helps, (texts[helps] as string).length];
    while (!isLabel(blocks[to + 1]) && take(to + 1)) to++;
  }
  const follower = blocks[to + 1];
  const rest = follower === undefined ? '' : shortenBlock(words, follower, MIN_FOLLOWER_LENGTH, frames);
  const hasCode = blocks.slice(from, to + 1).some(({ kind }) => kind === 'code');
  const isNeeded = announces(blocks[to] as ReadBlock) || (follower?.kind === 'code' && !hasCode && rest.length <= longest);
  const quoted = texts.slice(from, to + 1).concat(isNeeded ? rest : []);
  // What is not quoted needs no label.
  while (!isNeeded && follower !== undefined && quoted.length > 1 && introduces(blocks[from + quoted.length - 1])) quoted.pop();
  if (isEntry) quoted.unshift(texts[0] as string);
  return closed(quoted.join('\n\n'));
}

/** Index of the solution in a section that states the problem first; -1 if there is none. */
function solutionAfter(blocks: readonly MarkdownBlock[], from: number): number {
  return blocks.findIndex(({ markdown }, at) => at >= from && SOLUTION.test(markdown));
}

/** `**Solution:** Restart it.` */
const SOLUTION = /^\*\*(?:solutions?|fix|resolution|workaround|remedy|how to fix(?: (?:it|this))?)\b/i;

/** A paragraph that starts with a label for its contents. */
function isLabel(block: MarkdownBlock | undefined): boolean {
  return block !== undefined && /^\*\*[^*\n]{2,40}\*\*/.test(block.markdown);
}

/** If no block matches the question, an entry's answer is its first block. */
function bestBlock(shares: readonly number[], first: number): number {
  const rest = shares.slice(first);
  return first + rest.indexOf(Math.max(...rest));
}

function needsLeadIn({ kind, markdown }: MarkdownBlock): boolean {
  return kind === 'code' || kind === 'list' || kind === 'table' || REFERS_BACK.test(markdown);
}

/** A paragraph that refers to the one before it. */
const REFERS_BACK =
  /^(?:it|they|this|these|that|those|then|however|otherwise|instead|also|but|and|so|in this case|in th(?:is|e above) example|(?:as )?you can see|as (?:shown|mentioned|described|noted))\b/i;

/** Whether the block after `index` is the second half of it. */
function belongs({ blocks }: RankedCandidate, index: number, best: number): boolean {
  const next = blocks[index + 1] as ReadBlock;
  return (
    announces(blocks[index] as ReadBlock) ||
    next.kind === 'code' ||
    ((next.kind === 'list' || next.kind === 'table') && index === best)
  );
}

/** Closes a code block that would otherwise contain the rest of the answer. */
function closed(markdown: string): string {
  const fences = markdown.match(/^[ \t>]*(?:`{3,}|~{3,})/gm) ?? [];
  return fences.length % 2 === 1 ? `${markdown}\n${(fences.at(-1) as string).trim()}` : markdown;
}
