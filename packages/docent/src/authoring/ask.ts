import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type QuestionSite, testQuestion } from '@docent/assistant/test-question.ts';
import { buildSite } from '@docent/compiler/build-site.ts';
import { describeFile, type FileSink } from '@docent/compiler/files/file-sink.ts';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { DocentError } from '@docent/format/errors.ts';
import { nearestName } from '@docent/format/nearest-name.ts';
import {
  parseQuestions,
  QUESTION_FILE,
  type TestQuestion,
} from '@docent/format/questions/question-file.ts';
import {
  checkRules,
  compareResults,
  countResults,
  type QuestionChanges,
  type QuestionCounts,
  type QuestionResult,
  type RuleResult,
} from '@docent/format/questions/question-results.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { gitFactsOf } from '@docent/server/start/git-facts.ts';
import type { Output } from '../kernel/output.ts';

export interface AskCommandOptions {
  /** Another version of the documentation folder. */
  against?: string;
  /** Also print the questions that are answered. */
  all?: boolean;
}

const INDEX_TYPE = 'application/octet-stream';

interface AskResult {
  counts: QuestionCounts;
  changes: QuestionChanges | null;
  rules: RuleResult[];
  results: QuestionResult[];
}

/**
 * `docent ask <folder> [questions.yaml]`: asks a documentation folder questions, without a language model, and prints which pages search
 * finds and which questions are answered.
 * @returns exit code: 1 if a rule of the file does not hold, else 0
 * @throws DocentError `invalid_setting` if the folder or the file does not exist or the file is not
 *   valid; `build_failed`
 */
export async function runAsk(
  folder: string,
  file: string | undefined,
  { against, all = false }: AskCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<number> {
  const path = file ?? join(folder, QUESTION_FILE);
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new DocentError('invalid_setting', `There is no file ${path} with questions.`, { cause });
  });
  const { questions, rules } = parseQuestions(text, basename(path));
  const site = await siteOf(folder, output, fetchOutside);
  refuseUnknownPages(questions, site.paths, basename(path));
  const results = await askAll(site, questions);
  const before =
    against === undefined
      ? undefined
      : await askAll(await siteOf(against, output, fetchOutside), questions);
  const counts = countResults(results);
  const changes = before && compareResults(results, before);
  const result: AskResult = {
    counts,
    changes: changes ?? null,
    rules: checkRules(rules, counts, changes),
    results,
  };
  output.result(askText(result, questions, all), result);
  return result.rules.every(({ holds }) => holds) ? 0 : 1;
}

async function askAll(
  site: QuestionSite,
  questions: readonly TestQuestion[],
): Promise<QuestionResult[]> {
  const results: QuestionResult[] = [];
  for (const question of questions) results.push(await testQuestion(site, question));
  return results;
}

/** Builds a folder as publishing does, and keeps only its search index. */
async function siteOf(
  folder: string,
  output: Output,
  fetchOutside: FetchOutside | undefined,
): Promise<QuestionSite & { paths: Set<string> }> {
  const root = resolve(folder);
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new DocentError('invalid_setting', `There is no folder ${folder}.`);
  const binaries = new Map<string, Uint8Array>();
  const sink: FileSink = {
    async add(bytes, type, sha256) {
      const file = describeFile(bytes, type, sha256);
      if (type === INDEX_TYPE) binaries.set(file.sha256, bytes);
      return file;
    },
  };
  const build = await buildSite(root, sink, {
    threads: 1,
    fetchOutside,
    gitFacts: await gitFactsOf(root),
    onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
  });
  const index = loadSearchIndex(binaries.get(build.searchIndex.sha256) as Uint8Array);
  return {
    index,
    defaults: defaultLabels(build),
    paths: new Set(build.pages.map(({ path }) => path)),
  };
}

/** A page that was moved or deleted makes its questions fail for a reason that nobody sees. */
function refuseUnknownPages(
  questions: readonly TestQuestion[],
  paths: ReadonlySet<string>,
  name: string,
): void {
  const faults = questions.flatMap(({ pages }, index) =>
    pages
      .filter((path) => !paths.has(path))
      .map((path) => {
        const nearest = nearestName(path, [...paths]);
        return `${name}: question ${index + 1}: there is no page ${path}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
      }),
  );
  if (faults.length > 0) throw new DocentError('invalid_setting', faults.join('\n'));
}

/**
 * Formats the results for people: the questions with a problem, the counts, the changes and the
 * rules.
 */
export function askText(
  { counts, changes, rules, results }: AskResult,
  questions: readonly TestQuestion[],
  all: boolean,
): string {
  const { first, inFive, answered, open, questions: tested } = counts;
  const parts = [
    ...results.flatMap((result, index) =>
      all || !result.isAnswered
        ? [questionText(result, (questions[index] as TestQuestion).pages)]
        : [],
    ),
    `${tested} questions: ${first} found first, ${inFive} among the first five, ${tested - inFive} not; ${answered} answered${open > 0 ? `; ${open} without a page` : ''}`,
  ];
  if (changes) parts.push(changesText(changes));
  if (rules.length > 0) parts.push(rules.map(ruleText).join('\n'));
  return parts.join('\n\n');
}

function questionText(result: QuestionResult, pages: readonly string[]): string {
  const { question, rank, results, status, quoted, missingWords, isAnswered, isOpen } = result;
  const place =
    rank === null ? 'not among the first five' : rank === 1 ? 'first' : `number ${rank}`;
  const best = rank === 1 || results[0] === undefined ? '' : `; first is ${results[0]}`;
  const search = isOpen ? 'no page yet' : `${pages.join(' or ')}: ${place}${best}`;
  const missing = missingWords.length === 0 ? '' : `; without “${missingWords.join('”, “')}”`;
  return `${isAnswered ? '✓' : '✗'} ${question}\n    ${search}\n    ${STATUS_WORDS[status]}${quoted.length === 0 ? '' : ` from ${quoted.join(', ')}`}${missing}`;
}

const STATUS_WORDS = {
  answered: 'answered',
  partly: 'answered with reservation',
  not_in_docs: 'not answered',
  refused: 'refused',
} as const;

function changesText({ gained, lost, open }: QuestionChanges): string {
  const lines = [
    ...lost.map((question) => `- ${question}`),
    ...gained.map((question) => `+ ${question}`),
  ];
  return [
    `Answers ${gained.length} more, loses ${lost.length}, ${open.length} open`,
    ...lines,
  ].join('\n');
}

const RULE_WORDS = {
  first: 'found first',
  inFive: 'among the first five',
  answered: 'answered',
  lost: 'lost',
} as const;

function ruleText({ rule, limit, value, holds }: RuleResult): string {
  const measured =
    rule === 'lost'
      ? `${value}, at most ${limit}`
      : `${(Math.floor(value * 10) / 10).toString()} %, at least ${limit} %`;
  return `${holds ? 'passed' : 'FAILED'}: ${RULE_WORDS[rule]} ${measured}`;
}
