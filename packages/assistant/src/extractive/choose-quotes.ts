import type { Passage } from '../chat-request.ts';
import { MAX_PART_LENGTH } from '../join-passages.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { readCandidates, union } from './passage-candidates.ts';
import { questionTraits } from './question-kind.ts';
import { QuestionWords } from './question-words.ts';
import { quoteCandidate, quoteOperation } from './quote-candidate.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';
import { answerWeights } from './weights.ts';

/** A part of a passage, ready to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
}

export interface ChosenQuotes {
  tier: Tier;
  /** Best first; none if nothing answers the question. */
  quotes: Quote[];
}

const MAX_FIRST_QUOTE = MAX_PART_LENGTH;
const MAX_FURTHER_QUOTE = 1400;
/** A shorter section rarely answers without those around it, unless its heading is the question. */
const MIN_COMPLETE = 550;
const QUESTION = /[?？]\s*$/;
/** A name that only programs use: of a setting, an option, a value. */
const IDENTIFIER = /^--[a-z]|\w_\w/;
const JOINT =
  /(?:[?？]\s*(?:and\s+)?|(?:[,;]|(?<!\s))\s+(?:and|und|et|y|e)\s+(?=(?:how|what|which|when|where|who|why|can|could|is|are|does|do|will|should|wie|was|welche|wann|wo|kann|comment|quel|où|cómo|qué|cuál|dónde)\b))/iu;
/** Minimum share of the question in a heading that names it. */
const NAMED_FROM = 0.9;
/** Minimum probability, relative to the first, of another section of the same page to be quoted too. */
const FURTHER_FROM = 0.1;
/** Texts with the same beginning are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;
/** A part of a question gets its own quote if a candidate covers this share of it. */
const PART_SHARE_FROM = 0.6;
const MIN_WORDS_OF_PART = 2;
const MAX_PASSAGES_OF_PART = 20;

/**
 * Chooses the quotes for a question: the section that answers, plus a second one if the question has two parts or another section of
 * the page fits too. If the first one may not answer, the best one of another page comes next: it is more likely to than one of the
 * same page.
 */
export function chooseQuotes(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
  frames: AnswerFrames,
): ChosenQuotes {
  const ranked = rankPassages(question, words, passages);
  const tier = tierOf(words, ranked, passages);
  const [first, ...others] = ranked;
  if (first === undefined || tier === 'none') return { tier: 'none', quotes: [] };
  const isNear = tier === 'nearest';
  const further = others.map((candidate) => ({
    one: candidate,
    of: words,
    isOfPage: candidate.passage.path === first.passage.path,
  }));
  const parts = bestOfParts(question, passages).filter(({ one }) => placeOf(one) !== placeOf(first));
  const mayFit = isNear || !first.isEntry;
  const fits = further.filter(({ one, isOfPage }) => mayFit && isOfPage && one.probability >= first.probability * FURTHER_FROM);
  const ofOthers = isNear ? further.filter(({ isOfPage }) => !isOfPage) : [];
  const quotes = [quoteOf(withPart(question, words, ranked, first, MAX_FIRST_QUOTE), words, frames, MAX_FIRST_QUOTE)];
  // The best of each list that says something new.
  for (const choices of [ofOthers, [...parts, ...fits]]) {
    for (const { one, of } of choices) {
      const quote = quoteOf(withPart(question, words, ranked, one, MAX_FURTHER_QUOTE), of, frames, MAX_FURTHER_QUOTE);
      if (quotes.some(({ markdown }) => repeats(markdown, quote.markdown))) continue;
      quotes.push(quote);
      break;
    }
  }
  return { tier, quotes };
}

/** Returns the quote from the section of the reader's selection. */
export function quoteSelected(question: string, section: Passage, frames: AnswerFrames): Quote[] {
  const words = new QuestionWords(question);
  const [best] = rankPassages(question, words, [section]);
  return best === undefined ? [] : [quoteOf(best, words, frames, MAX_FIRST_QUOTE)];
}

/** Returns the possible quotes for a question, best first. Those that contain the identifiers of the question come before others. */
export function rankPassages(question: string, words: QuestionWords, passages: readonly Passage[]): RankedCandidate[] {
  const traits = questionTraits(question);
  const ranked = rankCandidates(words, readCandidates(words, passages, traits), traits);
  const identifiers = question.split(/[^\w-]+/).filter((word) => IDENTIFIER.test(word));
  if (identifiers.length === 0) return ranked;
  const containedIn = ({ blocks, passage: { path, headings, metadata } }: RankedCandidate) => {
    const texts = [path, metadata.title, ...headings, ...blocks.map(({ markdown }) => markdown)];
    return identifiers.filter((identifier) => texts.some((text) => text.includes(identifier))).length;
  };
  const counts = new Map(ranked.map((candidate) => [candidate, containedIn(candidate)]));
  return ranked.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
}

/**
 * One of the candidates, or the part of its page around it if that ranks higher or the section is too short to be complete. A section
 * whose heading is the question needs nothing of what is beside it.
 */
function withPart(
  question: string,
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  candidate: RankedCandidate,
  longest: number,
): RankedCandidate {
  const { passage, place } = candidate;
  const { part } = passage;
  if (part === undefined || part.content.length > longest || candidate.isOperation || candidate.isEntry) return candidate;
  const heading = passage.headings.at(-1) ?? '';
  const isNamed = QUESTION.test(heading) || words.share(words.found(heading)) >= NAMED_FROM;
  if (isNamed && part.headings.length < passage.headings.length) return candidate;
  const traits = questionTraits(question);
  const [whole, ...others] = readCandidates(words, [{ ...passage, ...part }], traits);
  if (whole === undefined || others.length > 0) return candidate;
  const again = rankCandidates(words, [...ranked, { ...whole, place }], traits);
  const isComplete = passage.content.length >= MIN_COMPLETE;
  return again.find(({ blocks }) => blocks === whole.blocks || (isComplete && blocks === candidate.blocks)) ?? candidate;
}

function quoteOf(candidate: RankedCandidate, of: QuestionWords, frames: AnswerFrames, longest: number): Quote {
  const markdown = candidate.isOperation ? quoteOperation(of, candidate) : quoteCandidate(of, candidate, longest, frames);
  return { passage: candidate.passage, markdown };
}

/** A candidate to be quoted for a question, or for a part of it. */
interface Further {
  one: RankedCandidate;
  of: QuestionWords;
}

/** Returns the candidates that answer each part of a question with several parts. */
function bestOfParts(question: string, passages: readonly Passage[]): Further[] {
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

/** The same text often appears on several pages with another name in it. */
function repeats(markdown: string, other: string): boolean {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [a, b] = [wordsOf(markdown), wordsOf(other)];
  if (a.slice(0, SAME_BEGINNING).join(' ') === b.slice(0, SAME_BEGINNING).join(' ')) return true;
  const [small, large] = a.length < b.length ? [new Set(a), new Set(b)] : [new Set(b), new Set(a)];
  return small.intersection(large).size >= small.size * SAME_WORDS;
}

/** Returns the questions within a question: “How do I import it, and how big may it be?” contains two. */
function questionParts(question: string): string[] {
  return question
    .split(JOINT)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Evidence that the documentation covers the question. */
export const COVERED_COLUMNS = ['known', 'missingNames', 'quotedPage', 'alone', 'bestScore', 'words'] as const;
/** Evidence that the first quote is from the right page. */
export const RIGHT_COLUMNS = ['known', 'margin', 'pageProbability', 'heading', 'words'] as const;

type Column = (typeof COVERED_COLUMNS)[number] | (typeof RIGHT_COLUMNS)[number];

/** A logistic model: weights in the order of the columns, and a bias. */
export interface LogisticWeights {
  intercept: number;
  columns: number[];
}

/** How confidently an answer is presented. */
export type Tier = 'answer' | 'nearest' | 'none';

/** More words are no more evidence: any page has some words of a long question by chance. */
const MAX_COUNTED_WORDS = 10;
/** Lower bound of shares before taking their logarithm. */
const MIN_MARGIN = 0.01;

/**
 * Returns the features of the best candidate, by the names of the columns.
 * @param ranked best first; at least one
 */
export function answerEvidence(
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  passages: readonly Passage[],
): Record<Column, number> {
  const [first] = ranked as readonly [RankedCandidate, ...RankedCandidate[]];
  const { path, share = 0 } = first.passage;
  const byPage = Map.groupBy(ranked, (candidate) => candidate.passage.path);
  const sharesOf = [...byPage].map(([of, some]) => ({ of, share: words.share(union(some.map((candidate) => candidate.found))) }));
  const quotedPage = sharesOf.find(({ of }) => of === path)?.share ?? 0;
  const closenessByWord = union(ranked.map((candidate) => candidate.found));
  const next = Math.max(0, ...passages.filter((passage) => passage.path !== path).map((passage) => passage.share ?? 0));
  return {
    known: words.share(closenessByWord),
    missingNames: words.missingNames(closenessByWord),
    quotedPage,
    // The words of a foreign question meet on one page by chance; those of the site's subject are on several.
    alone: quotedPage - Math.max(0, ...sharesOf.filter(({ of }) => of !== path).map((pageShare) => pageShare.share)),
    bestScore: Math.max(...passages.map((passage) => passage.metadata.score)),
    words: Math.log(1 + Math.min(words.count, MAX_COUNTED_WORDS)),
    margin: Math.log((share + MIN_MARGIN) / (next + MIN_MARGIN)),
    pageProbability: (byPage.get(path) ?? []).reduce((sum, candidate) => sum + candidate.probability, 0),
    heading: first.evidence.heading,
  };
}

/** Returns the probability that a model predicts for a row of features. */
export function chance({ intercept, columns }: LogisticWeights, values: readonly number[]): number {
  const sum = columns.reduce((total, weight, column) => total + weight * (values[column] as number), intercept);
  return 1 / (1 + Math.exp(-sum));
}

/** Returns how confidently to present an answer that starts with the best candidate. */
export function tierOf(words: QuestionWords, ranked: readonly RankedCandidate[], passages: readonly Passage[]): Tier {
  const [first] = ranked;
  if (first === undefined) return 'none';
  if (first.evidence.named === 1) return 'answer';
  const evidence = answerEvidence(words, ranked, passages);
  const { covered, right, nearestFrom, answersFrom } = answerWeights;
  const coveredChance = chance(covered, valuesOf(evidence, COVERED_COLUMNS));
  // Less likely, the documentation does not cover the question; if both are likely, the first quote is presented as the answer.
  if (coveredChance < nearestFrom) return 'none';
  const isSure = coveredChance >= answersFrom.covered && chance(right, valuesOf(evidence, RIGHT_COLUMNS)) >= answersFrom.right;
  return isSure ? 'answer' : 'nearest';
}

/** Returns the values of some columns, in their order. */
export function valuesOf(evidence: Record<Column, number>, columns: readonly Column[]): number[] {
  return columns.map((column) => evidence[column]);
}
