import type { Passage } from '../chat/chat-request.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import { union } from './passage-candidates.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { answerWeights } from './weights.ts';

/** Evidence that the documentation covers the question. */
export const COVERED_COLUMNS = [
  'known',
  'missingNames',
  'quotedPage',
  'alone',
  'bestScore',
] as const;
/** Evidence that the first quote is from the right page. */
export const RIGHT_COLUMNS = ['known', 'margin', 'pageProbability', 'heading'] as const;

type Column = (typeof COVERED_COLUMNS)[number] | (typeof RIGHT_COLUMNS)[number];

/** The features of the best candidate, by the names of the columns. */
export interface Evidence extends Record<Column, number> {
  /** Share of the question in the section, its title and the headings above it. */
  inSection: number;
  /** As in `RankedCandidate`. */
  probability: number;
  isContrary: boolean;
}

/** A logistic model: weights in the order of the columns, and a bias. */
export interface LogisticWeights {
  intercept: number;
  columns: number[];
}

/** How confidently an answer is presented. */
export type Tier = 'answer' | 'nearest' | 'none';

/**
 * Share of the question that the quoted section and the headings above it contain, from which it is
 * said with certainty.
 */
const MIN_IN_SECTION = 0.6;
/** Probability of the quoted section among all, from which it is said with certainty. */
const MIN_PROBABILITY = 0.4;
/** A question of several words is not answered by a page that shares one of them. */
const MIN_SHARED_WORDS = 2;
const SEVERAL_WORDS = 3;
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
): Evidence {
  const [first] = ranked as readonly [RankedCandidate, ...RankedCandidate[]];
  const { path, share = 0 } = first.passage;
  const byPage = Map.groupBy(ranked, (candidate) => candidate.passage.path);
  const sharesOf = [...byPage].map(([of, some]) => ({
    of,
    share: words.share(union(some.map((candidate) => candidate.matched))),
  }));
  const quotedPage = sharesOf.find(({ of }) => of === path)?.share ?? 0;
  const closenessByWord = union(ranked.map((candidate) => candidate.matched));
  const next = Math.max(
    0,
    ...passages.filter((passage) => passage.path !== path).map((passage) => passage.share ?? 0),
  );
  return {
    known: words.share(closenessByWord),
    missingNames: words.missingNames(closenessByWord),
    quotedPage,
    // The words of a foreign question meet on one page by chance; those of the site's subject are
    // on several.
    alone:
      quotedPage -
      Math.max(0, ...sharesOf.filter(({ of }) => of !== path).map((pageShare) => pageShare.share)),
    bestScore: Math.max(...passages.map((passage) => passage.metadata.score)),
    margin: Math.log((share + MIN_MARGIN) / (next + MIN_MARGIN)),
    pageProbability: (byPage.get(path) ?? []).reduce(
      (sum, candidate) => sum + candidate.probability,
      0,
    ),
    heading: first.evidence.heading,
    inSection: words.share(union([first.titleFound, first.headFound, first.bodyFound])),
    probability: first.probability,
    isContrary: first.isContrary,
  };
}

/** Returns the probability that a model predicts for a row of features. */
export function chance({ intercept, columns }: LogisticWeights, values: readonly number[]): number {
  const sum = columns.reduce(
    (total, weight, column) => total + weight * (values[column] as number),
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Returns how confidently to present an answer that starts with the best candidate. The length of
 * the question is no evidence: any page has some words of a long one by chance.
 */
export function tierOf(
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  passages: readonly Passage[],
): Tier {
  const [first] = ranked;
  if (first === undefined) return 'none';
  if (first.evidence.named === 1) return 'answer';
  if (
    words.count >= SEVERAL_WORDS &&
    ranked.every(({ matched }) => words.countOf(matched) < MIN_SHARED_WORDS)
  )
    return 'none';
  const evidence = answerEvidence(words, ranked, passages);
  const { nearestFrom, answersFrom } = answerWeights;
  // Less likely, the documentation does not cover the question; if both are likely, the first quote
  // is presented as the answer.
  if (coveredChance(evidence) < nearestFrom) return 'none';
  const maySay = words.count > 1 && mayBeSure(evidence);
  if (maySay && answerChance(evidence) >= answersFrom) return 'answer';
  return 'nearest';
}

/**
 * The subject of the question must be where it is answered, or in the headings above it, no other
 * section may be nearly as likely, and its heading must not say the opposite.
 */
export function mayBeSure({ inSection, probability, isContrary }: Evidence): boolean {
  return inSection >= MIN_IN_SECTION && probability >= MIN_PROBABILITY && !isContrary;
}

/** Returns the probability that the documentation covers the question. */
export function coveredChance(
  evidence: Evidence,
  { covered }: Pick<typeof answerWeights, 'covered'> = answerWeights,
): number {
  return chance(covered, valuesOf(evidence, COVERED_COLUMNS));
}

/**
 * Returns the probability that the first quote answers: the documentation covers the question, and
 * the page is the right one.
 */
export function answerChance(
  evidence: Evidence,
  weights: Pick<typeof answerWeights, 'covered' | 'right'> = answerWeights,
): number {
  return (
    coveredChance(evidence, weights) * chance(weights.right, valuesOf(evidence, RIGHT_COLUMNS))
  );
}

/** Returns the values of some columns, in their order. */
export function valuesOf(evidence: Evidence, columns: readonly Column[]): number[] {
  return columns.map((column) => evidence[column]);
}
