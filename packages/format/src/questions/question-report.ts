import type { TestQuestion } from './question-file.ts';
import {
  compareResults,
  type QuestionCounts,
  type QuestionResult,
  type RuleResult,
} from './question-results.ts';

/**
 * A question in the report of a build. Reports from before they were stored have no `pages` and
 * `words`.
 */
export type ReportedQuestion = Pick<
  QuestionResult,
  'question' | 'version' | 'language' | 'rank' | 'status' | 'isAnswered' | 'isOpen'
> &
  Partial<Pick<TestQuestion, 'pages' | 'words'>>;

/** How a build answers the questions of its repository. */
export interface QuestionReport {
  counts: QuestionCounts;
  rules: RuleResult[];
  results: ReportedQuestion[];
  /**
   * Compared with what was live when it was built; absent until it is compared, and if nothing that
   * was live was asked.
   */
  changes?: { comparedWith: string; gained: string[]; lost: string[]; openCount: number };
}

export function reportedQuestion(
  result: QuestionResult,
  { pages, words }: Pick<TestQuestion, 'pages' | 'words'>,
): ReportedQuestion {
  const { question, version, language, rank, status, isAnswered, isOpen } = result;
  const needed = { pages, ...(words.length > 0 && { words }) };
  return { question, version, language, rank, status, isAnswered, isOpen, ...needed };
}

/** Adds what a build gains and loses, compared with the report of the deployment that is live. */
export function compareReports(
  report: QuestionReport | undefined,
  live: { deploymentId: string; questions: QuestionReport | undefined },
): void {
  if (report === undefined || live.questions === undefined) return;
  const { gained, lost, open } = compareResults(report.results, live.questions.results);
  report.changes = { comparedWith: live.deploymentId, gained, lost, openCount: open.length };
}
