import type { Passage } from './chat-request.ts';
import { readCandidates, union } from './passage-candidates.ts';
import { questionKind } from './question-kind.ts';
import { questionParts } from './question-parts.ts';
import { QuestionWords } from './question-words.ts';
import { quoteCandidate } from './quote-candidate.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';

/** A piece of a passage, fit to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
}

export interface ChosenQuotes {
  /** Best first; none where nothing was found. */
  quotes: Quote[];
  /** How surely they answer, 0–1. */
  confidence: number;
}

const LONGEST_MAIN_QUOTE = 1400;
const LONGEST_OTHER_QUOTE = 600;
const MOST_QUOTES = 3;
/** Others are quoted until it is so probable that the answer is among them. */
const SURE_ENOUGH = 0.75;
/** The second and the third quote must be so probable beside the first. */
const OTHERS_FROM = [0.12, 0.2];
/** Texts that begin alike are copies that differ in a name. */
const SAME_BEGINNING = 60;
/** A part of a question gets a quote of its own where one has so much of it. */
const PART_SHARE_FROM = 0.6;
const FEWEST_WORDS_OF_PART = 2;

/** Chooses what to quote for a question: the passage that says most about it, and up to two others. */
export function chooseQuotes(question: string, words: QuestionWords, passages: readonly Passage[]): ChosenQuotes {
  const ranked = rank(question, words, passages);
  const [first] = ranked;
  if (first === undefined) return { quotes: [], confidence: 0 };
  const quotes: Quote[] = [];
  const taken = new Set<string>();
  const add = (one: RankedCandidate, of: QuestionWords) => {
    if (taken.has(placeOf(one))) return;
    taken.add(placeOf(one));
    const longest = quotes.length === 0 ? LONGEST_MAIN_QUOTE : LONGEST_OTHER_QUOTE;
    const quote = { passage: one.passage, markdown: quoteCandidate(of, one, longest) };
    if (!quotes.some(({ markdown }) => repeats(markdown, quote.markdown))) quotes.push(quote);
  };
  add(first, words);
  for (const { one, of } of bestOfParts(question, passages)) if (quotes.length < MOST_QUOTES) add(one, of);
  let sum = first.probability;
  for (const one of ranked.slice(1)) {
    const from = OTHERS_FROM[quotes.length - 1];
    if (from === undefined || sum >= SURE_ENOUGH || one.probability < first.probability * from) break;
    add(one, words);
    sum += one.probability;
  }
  return { quotes, confidence: confidenceOf(words, ranked, passages) };
}

function rank(question: string, words: QuestionWords, passages: readonly Passage[]): RankedCandidate[] {
  return rankCandidates(words, readCandidates(words, passages), passages, questionKind(question));
}

/** What answers each part of a question that has several. */
function bestOfParts(question: string, passages: readonly Passage[]): { one: RankedCandidate; of: QuestionWords }[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  return parts.slice(0, MOST_QUOTES).flatMap((part) => {
    const of = new QuestionWords(part);
    if (of.count < FEWEST_WORDS_OF_PART) return [];
    const [one] = rank(part, of, passages);
    return one !== undefined && of.share(one.found) >= PART_SHARE_FROM ? [{ one, of }] : [];
  });
}

function placeOf({ passage, blocks }: RankedCandidate): string {
  return `${passage.url}\n${blocks[0]?.markdown}`;
}

/** The same text often stands on several pages. */
function repeats(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  ) as [string, string];
  return a.slice(0, SAME_BEGINNING) === b.slice(0, SAME_BEGINNING) || a.includes(b) || b.includes(a);
}

/**
 * A logistic model of three things that questions about something else have not: how much of the question the passages know
 * together, how well the search liked the best, and whether they speak of what the question names.
 */
const CONFIDENCE = { known: 6, bestScore: 6.8, missingNames: -2.4, nothing: -6.9 };

function confidenceOf(words: QuestionWords, ranked: readonly RankedCandidate[], passages: readonly Passage[]): number {
  const bestScore = Math.max(...passages.map((passage) => passage.metadata.score));
  const known = union(ranked.map((one) => one.found));
  const evidence =
    CONFIDENCE.known * words.share(known) +
    CONFIDENCE.bestScore * bestScore +
    CONFIDENCE.missingNames * words.missingNames(known) +
    CONFIDENCE.nothing;
  return 1 / (1 + Math.exp(-evidence));
}
