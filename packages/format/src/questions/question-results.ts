import { type QuestionRules, questionKey } from './question-file.ts';

/** What search and the assistant, without a language model, make of a question. */
export interface QuestionResult {
  question: string;
  version?: string | undefined;
  language?: string | undefined;
  /** Place of its page among the first five, from 1; null if none of its pages is there. */
  rank: number | null;
  /** The first five pages, best first. */
  results: string[];
  /** How far the assistant answers it, in the words of `AnswerStatus`. */
  status: 'answered' | 'partly' | 'not_in_docs' | 'refused';
  /** Pages that the answer quotes. */
  quoted: string[];
  /** Words of the question that the answer lacks; of alternatives, the first. */
  missingWords: string[];
  /** Answered without reservation, from one of its pages, with its words. */
  isAnswered: boolean;
  /** Nobody named a page yet. */
  isOpen: boolean;
}

/** Counts of results; open questions are only in `open`. */
export interface QuestionCounts {
  questions: number;
  /** The page is the first result. */
  first: number;
  /** It is among the first five. */
  inFive: number;
  answered: number;
  open: number;
}

export function countResults(results: readonly QuestionResult[]): QuestionCounts {
  const tested = results.filter(({ isOpen }) => !isOpen);
  const count = (test: (result: QuestionResult) => boolean) => tested.filter(test).length;
  return {
    questions: tested.length,
    first: count(({ rank }) => rank === 1),
    inFive: count(({ rank }) => rank !== null),
    answered: count(({ isAnswered }) => isAnswered),
    open: results.length - tested.length,
  };
}

/**
 * How the answers differ from those of another version of the site: the questions, as they are
 * asked.
 */
export interface QuestionChanges {
  gained: string[];
  lost: string[];
  /** Neither version answers them. */
  open: string[];
}

type Compared = Pick<QuestionResult, 'question' | 'version' | 'language' | 'isAnswered'>;

/**
 * @param before results of the other version, in any order; a question that it was not asked is no
 *   gain
 */
export function compareResults(
  results: readonly Compared[],
  before: readonly Compared[],
): QuestionChanges {
  const answers = new Map(before.map((result) => [questionKey(result), result.isAnswered]));
  const textsOf = (test: (result: Compared) => boolean) =>
    results.filter(test).map(({ question }) => question);
  return {
    gained: textsOf((result) => result.isAnswered && answers.get(questionKey(result)) === false),
    lost: textsOf((result) => !result.isAnswered && answers.get(questionKey(result)) === true),
    open: textsOf((result) => !result.isAnswered && answers.get(questionKey(result)) !== true),
  };
}

/**
 * A rule of the file, what it requires, and what was measured: percentages, or the number of lost
 * questions.
 */
export interface RuleResult {
  rule: keyof QuestionRules;
  limit: number;
  value: number;
  holds: boolean;
}

/** @param changes compared with another version, if there is one */
export function checkRules(
  rules: QuestionRules,
  counts: QuestionCounts,
  changes?: QuestionChanges,
): RuleResult[] {
  const { questions } = counts;
  const shares = (['first', 'inFive', 'answered'] as const).flatMap((rule) => {
    const limit = rules[rule];
    if (limit === undefined) return [];
    const value = questions === 0 ? 100 : (counts[rule] / questions) * 100;
    return [{ rule, limit, value, holds: value >= limit }];
  });
  if (changes === undefined) return shares;
  const value = changes.lost.length;
  return [...shares, { rule: 'lost', limit: rules.lost, value, holds: value <= rules.lost }];
}
