import type { Passage } from '../chat-request.ts';
import { questionParts } from '../question-parts.ts';
import { type Tier, tierOf } from './confidence.ts';
import { readCandidates } from './passage-candidates.ts';
import { askedFor } from './question-kind.ts';
import { QuestionWords } from './question-words.ts';
import { quoteCandidate } from './quote-candidate.ts';
import { quoteOperation } from './quote-operation.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';
import type { QuoteFrames } from './shorten-block.ts';

/** A piece of a passage, fit to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
}

export interface ChosenQuotes {
  tier: Tier;
  /** Best first; none where nothing answers. */
  quotes: Quote[];
}

const MAX_FIRST_QUOTE = 1400;
const MAX_SECOND_QUOTE = 900;
/** Another section of the same page is quoted too where it is so probable, relatively. */
const SECOND_FROM = 0.3;
/** Texts that begin alike are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;
/** A part of a question gets a quote of its own where one has so much of it. */
const PART_SHARE_FROM = 0.6;
const MIN_WORDS_OF_PART = 2;
const MAX_PASSAGES_OF_PART = 20;

/**
 * Chooses what to quote for a question: the section that answers, and a second one where the question has two parts, where two
 * sections of the page fit alike, or, from another page, where it is not sure that the first one answers.
 */
export function chooseQuotes(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
  frames: QuoteFrames,
): ChosenQuotes {
  const ranked = rankPassages(question, words, passages);
  const tier = tierOf(words, ranked, passages);
  const [first, ...others] = ranked;
  if (first === undefined || tier === 'none') return { tier: 'none', quotes: [] };
  const quotes = [quoteOf(first, words, frames, MAX_FIRST_QUOTE)];
  for (const { one, of } of secondsFor(tier, { question, passages, words, first, others })) {
    const quote = quoteOf(one, of, frames, MAX_SECOND_QUOTE);
    if (quotes.some(({ markdown }) => repeats(markdown, quote.markdown))) continue;
    quotes.push(quote);
    break;
  }
  return { tier, quotes };
}

/** What to quote of the section that the reader selected something in. */
export function quoteSelected(question: string, section: Passage, frames: QuoteFrames): Quote[] {
  const words = new QuestionWords(question);
  const [best] = rankPassages(question, words, [section]);
  return best === undefined ? [] : [quoteOf(best, words, frames, MAX_FIRST_QUOTE)];
}

/** What may be quoted for a question, best first. */
export function rankPassages(question: string, words: QuestionWords, passages: readonly Passage[]): RankedCandidate[] {
  const asked = askedFor(question);
  return rankCandidates(words, readCandidates(words, passages, asked), asked);
}

function quoteOf(one: RankedCandidate, of: QuestionWords, frames: QuoteFrames, longest: number): Quote {
  const markdown = one.isOperation ? quoteOperation(of, one) : quoteCandidate(of, one, longest, frames);
  return { passage: one.passage, markdown };
}

interface Second {
  one: RankedCandidate;
  of: QuestionWords;
}

interface Choice {
  question: string;
  passages: readonly Passage[];
  words: QuestionWords;
  first: RankedCandidate;
  others: readonly RankedCandidate[];
}

/** What may be quoted beside the first, best first. */
function secondsFor(tier: Tier, { question, passages, words, first, others }: Choice): Second[] {
  const parts = bestOfParts(question, passages).filter(({ one }) => placeOf(one) !== placeOf(first));
  const isOfPage = (one: RankedCandidate) => one.passage.path === first.passage.path;
  const fits = (one: RankedCandidate) =>
    tier === 'nearest' ? !isOfPage(one) : !first.isEntry && isOfPage(one) && one.probability >= first.probability * SECOND_FROM;
  return [...parts, ...others.filter(fits).map((one) => ({ one, of: words }))];
}

/** What answers each part of a question that has several. */
function bestOfParts(question: string, passages: readonly Passage[]): Second[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  const nearest = passages.slice(0, MAX_PASSAGES_OF_PART);
  return parts.flatMap((part) => {
    const of = new QuestionWords(part);
    if (of.count < MIN_WORDS_OF_PART) return [];
    const [one] = rankPassages(part, of, nearest);
    return one !== undefined && of.share(one.found) >= PART_SHARE_FROM ? [{ one, of }] : [];
  });
}

function placeOf({ passage, blocks }: RankedCandidate): string {
  return `${passage.url}\n${blocks[0]?.markdown}`;
}

/** The same text often stands on several pages, with another name in it. */
function repeats(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => [...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]) as [string[], string[]];
  if (a.slice(0, SAME_BEGINNING).join(' ') === b.slice(0, SAME_BEGINNING).join(' ')) return true;
  const [small, large] = a.length < b.length ? [a, new Set(b)] : [b, new Set(a)];
  const words = new Set(small);
  let same = 0;
  for (const word of words) if (large.has(word)) same++;
  return same >= words.size * SAME_WORDS;
}
