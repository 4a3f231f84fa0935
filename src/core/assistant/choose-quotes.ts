import type { Passage } from './chat-request.ts';
import { readCandidates, union } from './passage-candidates.ts';
import { askedFor } from './question-kind.ts';
import { questionParts } from './question-parts.ts';
import { QuestionWords } from './question-words.ts';
import { quoteCandidate } from './quote-candidate.ts';
import { quoteOperation } from './quote-operation.ts';
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
const LONGEST_OTHER_QUOTE = 900;
const MOST_QUOTES = 4;
/** Others are quoted until it is so probable that the answer is among them. */
const SURE_ENOUGH = 0.8;
/** Another quote must be so probable beside the first. */
const OTHERS_FROM = 0.12;
/** How much more a quote is worth that says what those before it do not. */
const NEWNESS = 2;
/** Texts that begin alike are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;
/** A part of a question gets a quote of its own where one has so much of it. */
const PART_SHARE_FROM = 0.6;
const FEWEST_WORDS_OF_PART = 2;
const MOST_PASSAGES_OF_PART = 20;

/** Chooses what to quote for a question: the passage that says most about it, and up to three others. */
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
    const markdown = one.isOperation ? quoteOperation(of, one) : quoteCandidate(of, one, longest);
    const quote = { passage: one.passage, markdown };
    if (!quotes.some(({ markdown }) => repeats(markdown, quote.markdown))) quotes.push(quote);
  };
  add(first, words);
  for (const { one, of } of bestOfParts(question, passages)) if (quotes.length < MOST_QUOTES) add(one, of);
  const others = new NextQuotes(words, ranked);
  while (quotes.length < MOST_QUOTES) {
    const next = others.take();
    if (next === undefined) break;
    add(next, words);
  }
  return { quotes, confidence: confidenceOf(words, ranked, passages) };
}

function rank(question: string, words: QuestionWords, passages: readonly Passage[]): RankedCandidate[] {
  const asked = askedFor(question);
  return rankCandidates(words, readCandidates(words, passages, asked.kind === 'how-to'), asked);
}

/** Gives what to quote after the first, until it is probable enough that the answer is among what was given. */
class NextQuotes {
  private readonly words: QuestionWords;
  private readonly left: RankedCandidate[];
  private readonly least: number;
  private sum: number;
  private covered: Float32Array;

  /** @param ranked best first; at least one */
  constructor(words: QuestionWords, [first, ...left]: readonly RankedCandidate[]) {
    const { probability, found } = first as RankedCandidate;
    this.words = words;
    this.left = left;
    this.least = probability * OTHERS_FROM;
    this.sum = probability;
    this.covered = found;
  }

  take(): RankedCandidate | undefined {
    if (this.sum >= SURE_ENOUGH || this.left.length === 0) return undefined;
    const known = this.words.share(this.covered);
    const worths = this.left.map(({ probability, found }) => {
      const news = this.words.share(union([this.covered, found])) - known;
      return probability * Math.exp(NEWNESS * news);
    });
    const at = worths.indexOf(Math.max(...worths));
    if ((worths[at] as number) < this.least) return undefined;
    const [next] = this.left.splice(at, 1) as [RankedCandidate];
    this.sum += next.probability;
    this.covered = union([this.covered, next.found]);
    return next;
  }
}

/** What answers each part of a question that has several. */
function bestOfParts(question: string, passages: readonly Passage[]): { one: RankedCandidate; of: QuestionWords }[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  const nearest = passages.slice(0, MOST_PASSAGES_OF_PART);
  return parts.slice(0, MOST_QUOTES).flatMap((part) => {
    const of = new QuestionWords(part);
    if (of.count < FEWEST_WORDS_OF_PART) return [];
    const [one] = rank(part, of, nearest);
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

/**
 * A logistic model of four things that questions about something else have not: how much of the question the passages know
 * together, and the page that is quoted alone; how well the search liked the best; and whether they speak of what the question names.
 */
const CONFIDENCE = { known: 2.8, page: 5.8, bestScore: 4.5, missingNames: -2.6, nothing: -7 };

function confidenceOf(words: QuestionWords, ranked: readonly RankedCandidate[], passages: readonly Passage[]): number {
  const bestScore = Math.max(...passages.map((passage) => passage.metadata.score));
  const known = union(ranked.map((one) => one.found));
  const quoted = ranked[0]?.passage.path;
  const page = union(ranked.filter((one) => one.passage.path === quoted).map((one) => one.found));
  const evidence =
    CONFIDENCE.known * words.share(known) +
    CONFIDENCE.page * words.share(page) +
    CONFIDENCE.bestScore * bestScore +
    CONFIDENCE.missingNames * words.missingNames(known) +
    CONFIDENCE.nothing;
  return 1 / (1 + Math.exp(-evidence));
}
