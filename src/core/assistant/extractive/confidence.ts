import type { Passage } from '../chat-request.ts';
import { answerWeights } from './answer-weights.ts';
import { union } from './passage-candidates.ts';
import type { QuestionWords } from './question-words.ts';
import type { RankedCandidate } from './rank-candidates.ts';

/** Evidence that the documentation covers the question at all. */
export const COVERED_COLUMNS = ['known', 'missingNames', 'quotedPage', 'bestScore', 'words'] as const;
/** Evidence that the first quote is from the right page. */
export const RIGHT_COLUMNS = ['share', 'margin', 'pageProbability', 'quotedPage', 'heading', 'densest', 'words'] as const;

type Column = (typeof COVERED_COLUMNS)[number] | (typeof RIGHT_COLUMNS)[number];

/** A logistic model: the columns in their order, and what is added to their sum. */
export interface LogisticWeights {
  intercept: number;
  columns: readonly number[];
}

/** The trained models, and the chances from which an answer is given. `npm run train:answers` writes them. */
export interface AnswerWeights {
  covered: LogisticWeights;
  right: LogisticWeights;
  /** Below this chance, the documentation does not cover the question. */
  nearestFrom: number;
  /** Where both chances are at least this, the first quote is given as the answer. */
  answersFrom: { covered: number; right: number };
}

/** How confident an answer may be. */
export type Tier = 'answer' | 'nearest' | 'none';

/** Logarithms of shares begin here. */
const MIN_SHARE = 0.003;
const MIN_MARGIN = 0.01;

/**
 * What speaks for the best candidate, by the names of the columns.
 * @param ranked best first; at least one
 */
export function answerEvidence(
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  passages: readonly Passage[],
): Record<Column, number> {
  const [first] = ranked as readonly [RankedCandidate, ...RankedCandidate[]];
  const { path, share = 0 } = first.passage;
  const ofPage = ranked.filter((one) => one.passage.path === path);
  const known = union(ranked.map((one) => one.found));
  const next = Math.max(0, ...passages.filter((passage) => passage.path !== path).map((passage) => passage.share ?? 0));
  return {
    known: words.share(known),
    missingNames: words.missingNames(known),
    quotedPage: words.share(union(ofPage.map((one) => one.found))),
    bestScore: Math.max(...passages.map((passage) => passage.metadata.score)),
    words: Math.log(1 + words.count),
    share: Math.log(share + MIN_SHARE),
    margin: Math.log((share + MIN_MARGIN) / (next + MIN_MARGIN)),
    pageProbability: ofPage.reduce((sum, one) => sum + one.probability, 0),
    heading: first.evidence.heading,
    densest: first.evidence.densest,
  };
}

/** The chance that a model gives for what is the case in its columns. */
export function chance({ intercept, columns }: LogisticWeights, values: readonly number[]): number {
  const sum = columns.reduce((total, weight, column) => total + weight * (values[column] as number), intercept);
  return 1 / (1 + Math.exp(-sum));
}

/** How confident an answer may be that begins with the best candidate. */
export function tierOf(words: QuestionWords, ranked: readonly RankedCandidate[], passages: readonly Passage[]): Tier {
  if (ranked.length === 0) return 'none';
  const evidence = answerEvidence(words, ranked, passages);
  const { covered, right, nearestFrom, answersFrom } = answerWeights;
  const coveredChance = chance(covered, valuesOf(evidence, COVERED_COLUMNS));
  if (coveredChance < nearestFrom) return 'none';
  const isSure = coveredChance >= answersFrom.covered && chance(right, valuesOf(evidence, RIGHT_COLUMNS)) >= answersFrom.right;
  return isSure ? 'answer' : 'nearest';
}

/** The values of some columns, in their order. */
export function valuesOf(evidence: Record<Column, number>, columns: readonly Column[]): number[] {
  return columns.map((column) => evidence[column]);
}
