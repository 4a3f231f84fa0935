import type { Passage } from '../chat-request.ts';
import { union } from './passage-candidates.ts';
import type { QuestionWords } from './question-words.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { answerWeights } from './weights.ts';

/** Evidence that the documentation covers the question. */
export const COVERED_COLUMNS = ['known', 'missingNames', 'quotedPage', 'alone', 'bestScore', 'words'] as const;
/** Evidence that the first quote is from the right page. */
export const RIGHT_COLUMNS = ['known', 'margin', 'pageProbability', 'heading', 'words'] as const;

type Column = (typeof COVERED_COLUMNS)[number] | (typeof RIGHT_COLUMNS)[number];

/** A logistic model: weights in the order of the columns, and a bias. */
export interface LogisticWeights {
  intercept: number;
  columns: readonly number[];
}

/** The trained models and the probability thresholds for an answer. Written by `npm run train:answers`. */
export interface AnswerWeights {
  covered: LogisticWeights;
  right: LogisticWeights;
  /** Below this probability, the documentation does not cover the question. */
  nearestFrom: number;
  /** If both probabilities reach this, the first quote is presented as the answer. */
  answersFrom: { covered: number; right: number };
}

/** How confidently an answer is presented. */
export type Tier = 'answer' | 'nearest' | 'none';

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
  const byPage = Map.groupBy(ranked, (one) => one.passage.path);
  const sharesOf = [...byPage].map(([of, some]) => ({ of, share: words.share(union(some.map((one) => one.found))) }));
  const quotedPage = sharesOf.find(({ of }) => of === path)?.share ?? 0;
  const known = union(ranked.map((one) => one.found));
  const next = Math.max(0, ...passages.filter((passage) => passage.path !== path).map((passage) => passage.share ?? 0));
  return {
    known: words.share(known),
    missingNames: words.missingNames(known),
    quotedPage,
    // The words of a foreign question meet on one page by chance; those of the site's subject are on several.
    alone: quotedPage - Math.max(0, ...sharesOf.filter(({ of }) => of !== path).map((one) => one.share)),
    bestScore: Math.max(...passages.map((passage) => passage.metadata.score)),
    words: Math.log(1 + words.count),
    margin: Math.log((share + MIN_MARGIN) / (next + MIN_MARGIN)),
    pageProbability: (byPage.get(path) ?? []).reduce((sum, one) => sum + one.probability, 0),
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
  if (coveredChance < nearestFrom) return 'none';
  const isSure = coveredChance >= answersFrom.covered && chance(right, valuesOf(evidence, RIGHT_COLUMNS)) >= answersFrom.right;
  return isSure ? 'answer' : 'nearest';
}

/** Returns the values of some columns, in their order. */
export function valuesOf(evidence: Record<Column, number>, columns: readonly Column[]): number[] {
  return columns.map((column) => evidence[column]);
}
