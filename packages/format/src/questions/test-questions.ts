import type { AnswerStatus } from '@docent/assistant/answer-status.ts';
import type { AssistantQuestion } from '@docent/assistant/chat-request.ts';
import { extractiveAnswer, statusOfQuotes } from '@docent/assistant/extractive/extractive-answer.ts';
import { type RetrieveOptions, retrieve } from '@docent/assistant/retrieve.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import { type QuestionRules, questionKey, type TestQuestion } from './question-file.ts';

/** As many pages as the assistant answers from. */
const PAGES = 5;

/** What search and the assistant, without a language model, make of a question. */
export interface QuestionResult {
  question: string;
  version?: string | undefined;
  language?: string | undefined;
  /** Place of its page among the first five, from 1; null if none of its pages is there. */
  rank: number | null;
  /** The first five pages, best first. */
  results: string[];
  status: AnswerStatus;
  /** Pages that the answer quotes. */
  quoted: string[];
  /** Words of the question that the answer lacks; of alternatives, the first. */
  missingWords: string[];
  /** Answered without reservation, from one of its pages, with its words. */
  isAnswered: boolean;
  /** Nobody named a page yet. */
  isOpen: boolean;
}

/** The index of a site, or of a folder that was built, and how it is searched. */
export interface QuestionSite extends Pick<RetrieveOptions, 'defaults' | 'search'> {
  index: SearchIndex;
}

/** Asks one question. */
export async function testQuestion(site: QuestionSite, test: TestQuestion): Promise<QuestionResult> {
  const { question, pages, version, language } = test;
  const turns: AssistantQuestion['turns'] = [{ role: 'user', text: question }];
  const assistantQuestion: AssistantQuestion = {
    ...{ fp: 'anonymous', question, turns, context: [], images: [], continuesAssistant: false, pageSize: PAGES },
    ...{ wire: 'full', searchForm: 'object', onlyNewest: false, filter: { version, language } },
  };
  const {
    pages: retrieved,
    passages,
    note,
    pointsAt,
  } = await retrieve(site.index, assistantQuestion, { ...site, publicUrl: '' });
  const answer = extractiveAnswer({ instructions: '', turns, passages, note, pointsAt, language, steps: [], mayUseTools: false });
  const text = answer.pieces.join('').toLowerCase();
  const missingWords = test.words.flatMap((word) => {
    const choices = [word].flat();
    return choices.some((choice) => text.includes(choice.toLowerCase())) ? [] : [choices[0] as string];
  });
  const results = retrieved.map(({ path }) => path);
  const rank = results.findIndex((path) => pages.includes(path)) + 1;
  const status = statusOfQuotes(answer);
  const isRight = answer.sources.some((path) => pages.includes(path)) && missingWords.length === 0;
  return {
    ...{ question, version, language, results, status, quoted: answer.sources, missingWords },
    rank: rank === 0 ? null : rank,
    isAnswered: status === 'answered' && isRight,
    isOpen: pages.length === 0,
  };
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

/** How the answers differ from those of another version of the site: the questions, as they are asked. */
export interface QuestionChanges {
  gained: string[];
  lost: string[];
  /** Neither version answers them. */
  open: string[];
}

/** @param before results of the other version, in any order; a question that it was not asked is as good as unanswered */
export function compareResults(results: readonly QuestionResult[], before: readonly QuestionResult[]): QuestionChanges {
  const answered = new Set(before.filter(({ isAnswered }) => isAnswered).map(questionKey));
  const those = (isNow: boolean, isBefore: boolean) =>
    results
      .filter((result) => result.isAnswered === isNow && answered.has(questionKey(result)) === isBefore)
      .map(({ question }) => question);
  return { gained: those(true, false), lost: those(false, true), open: those(false, false) };
}

/** A rule of the file, what it requires, and what was measured: percentages, or the number of lost questions. */
export interface RuleResult {
  rule: keyof QuestionRules;
  limit: number;
  value: number;
  holds: boolean;
}

/** @param changes compared with another version, if there is one */
export function checkRules(rules: QuestionRules, counts: QuestionCounts, changes?: QuestionChanges): RuleResult[] {
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
