import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rankPassages } from '../src/core/assistant/extractive/choose-quotes.ts';
import {
  type AnswerWeights,
  answerEvidence,
  COVERED_COLUMNS,
  chance,
  RIGHT_COLUMNS,
  valuesOf,
} from '../src/core/assistant/extractive/confidence.ts';
import { QuestionWords } from '../src/core/assistant/extractive/question-words.ts';
import { sectionWeights } from '../src/core/assistant/extractive/section-weights.ts';
import { offTopicQuestions } from './off-topic-questions.ts';
import { type AskedSite, forEachSite } from './train/asked-sites.ts';
import { type Case, fitLogistic } from './train/fit-logistic.ts';
import type { CandidateList } from './train/fit-softmax.ts';
import { projectsOf, readQuestions } from './train/read-examples.ts';
import { firstIsRight, fitSections, sectionWeightsFile } from './train/section-model.ts';

/*
 * Trains which section of a page answers without a language model, and how confidently, and writes the weights.
 *
 *   npm run train:answers [-- <corpora folder> <retrieval folder>] [--dry]
 *
 * The folders are those of `bench/train.ts`. The sections are trained on the questions whose sections are named in
 * `train/section-labels.json`. For the confidence, each project is asked its own questions, questions of the other projects, and
 * questions that no documentation answers; an answer counts as right if its first quote is from a correct page. Prints the results for
 * the questions of each project with weights and thresholds that were computed without it, and without the half of the off-topic
 * questions that it is asked; then writes the weights of all projects to `section-weights.ts` and `answer-weights.ts` in
 * `src/core/assistant/extractive` (nothing with `--dry`). Run it after `npm run train`, and after every change of the passage
 * ranking.
 */

type Kind = 'own' | 'other' | 'offTopic';

interface Row {
  project: string;
  kind: Kind;
  /** The half that an off-topic question belongs to: 0 or 1. */
  half?: number;
  /** Undefined if nothing was found. */
  covered?: number[];
  right?: number[];
  /** The first quote, and one of the first two pages, is from a correct page. */
  isRight: boolean;
  isAmongTwo: boolean;
}

/** Questions of each other project that a project is asked. */
const OTHERS = 4;
const PENALTY = { covered: 3, right: 5 };
/** Total weight of the questions of a kind relative to a project's own. Some of those of other projects have an answer here. */
const WORTH: Readonly<Record<Kind, number>> = { own: 1, other: 0.13, offTopic: 0.95 };
/** Allowed shares of false positives: off-topic questions as nearest and as answered, wrong answers as answered. */
const MAX_NEAREST = 0.1;
const MAX_ANSWERED = 0.01;
const MAX_WRONG = 0.03;

const target = (file: string) => fileURLToPath(new URL(`../src/core/assistant/extractive/${file}`, import.meta.url));
const shared = fileURLToPath(new URL('../../shared', import.meta.url));
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const [corpora = `${shared}/corpora`, retrieval = `${shared}/retrieval`] = given;
await run();

async function run(): Promise<void> {
  const rows: Row[] = [];
  const lists: CandidateList[] = [];
  const rightOf: number[] = [];
  await forEachSite(corpora, retrieval, async (site) => {
    rows.push(...(await rowsOf(site)));
    lists.push(...site.sections);
    rightOf.push(firstIsRight(site.sections, sectionWeights) * site.sections.length);
  });
  const right = rightOf.reduce((sum, count) => sum + count, 0);
  if (lists.length > 0)
    process.stdout.write(`Of the right page, the first section is right for ${right} of ${lists.length} questions.\n\n`);
  const projects = [...new Set(rows.map(({ project }) => project))];
  const scores = new Map<Row, Scores>();
  for (const [at, left] of projects.entries()) {
    const half = at % 2;
    const models = fitModels(rows.filter((row) => row.project !== left && row.half !== half));
    for (const row of rows) if (row.project === left && row.half !== 1 - half) scores.set(row, scoresOf(row, models));
  }
  const scored = rows.filter((row) => scores.has(row));
  printTable(scored, projects, scores);
  const all = { ...fitModels(rows), ...thresholds(scored, scores) };
  if (process.argv.includes('--dry')) return;
  writeFileSync(target('answer-weights.ts'), weightsFile(all, rows.filter(({ kind }) => kind === 'own').length));
  if (lists.length > 0) writeFileSync(target('section-weights.ts'), sectionWeightsFile(fitSections(lists), lists.length));
  process.stderr.write('weights written\n');
}

async function rowsOf({ project, questions, ask }: AskedSite): Promise<Row[]> {
  const projects = projectsOf(retrieval);
  const asked: { q: string; kind: Kind; half?: number; relevant: readonly string[] }[] = questions.map((one) => ({
    ...one,
    kind: 'own',
  }));
  for (const other of projects.filter((one) => one !== project)) {
    const from = (projects.indexOf(project) + projects.indexOf(other)) % 5;
    const some = readQuestions(retrieval, other).filter((_, at) => at % 5 === from);
    asked.push(...some.slice(0, OTHERS).map(({ q }) => ({ q, kind: 'other' as const, relevant: [] })));
  }
  asked.push(...offTopicQuestions.map((q, at) => ({ q, kind: 'offTopic' as const, half: at % 2, relevant: [] })));
  const rows: Row[] = [];
  for (const { q, kind, half, relevant } of asked) {
    const { passages } = await ask(q);
    const words = new QuestionWords(q);
    const ranked = rankPassages(q, words, passages);
    const [first] = ranked;
    const row: Row = { project, kind, half, isRight: false, isAmongTwo: false };
    rows.push(row);
    if (first === undefined) continue;
    const evidence = answerEvidence(words, ranked, passages);
    row.covered = valuesOf(evidence, COVERED_COLUMNS);
    row.right = valuesOf(evidence, RIGHT_COLUMNS);
    const second = ranked.find(({ passage }) => passage.path !== first.passage.path);
    row.isRight = relevant.includes(first.passage.path);
    row.isAmongTwo = row.isRight || relevant.includes(second?.passage.path ?? '');
  }
  return rows;
}

type Models = Pick<AnswerWeights, 'covered' | 'right'>;
type Scores = Record<keyof Models, number>;
type Thresholds = Omit<AnswerWeights, keyof Models>;

function fitModels(rows: readonly Row[]): Models {
  const own = rows.filter(({ kind }) => kind === 'own');
  const worth = (wanted: Kind) => (WORTH[wanted] * own.length) / Math.max(1, rows.filter(({ kind }) => kind === wanted).length);
  const worths = { own: 1, other: worth('other'), offTopic: worth('offTopic') };
  const cases = (columns: 'covered' | 'right', isSo: (row: Row) => boolean, some: readonly Row[]): Case[] =>
    some.flatMap((row) => {
      const values = row[columns];
      return values === undefined ? [] : [{ columns: values, isSo: isSo(row), worth: worths[row.kind] }];
    });
  return {
    covered: fitLogistic(
      cases('covered', ({ kind }) => kind === 'own', rows),
      PENALTY.covered,
    ),
    right: fitLogistic(
      cases('right', ({ isRight }) => isRight, own),
      PENALTY.right,
    ),
  };
}

function scoresOf({ covered, right }: Row, models: Models): Scores {
  if (covered === undefined || right === undefined) return { covered: 0, right: 0 };
  return { covered: chance(models.covered, covered), right: chance(models.right, right) };
}

/** Returns the thresholds, from figures of models that did not know the question's project. */
function thresholds(rows: readonly Row[], scores: ReadonlyMap<Row, Scores>): Thresholds {
  const of = (kind: Kind, score: keyof Scores, isIn = (_: Row) => true) =>
    rows.filter((row) => row.kind === kind && isIn(row)).map((row) => (scores.get(row) as Scores)[score]);
  const offTopic = of('offTopic', 'covered');
  const covered = above(offTopic, MAX_ANSWERED * offTopic.length);
  const own = rows.filter(({ kind }) => kind === 'own');
  const wrong = of('own', 'right', (row) => !row.isRight && (scores.get(row) as Scores).covered >= covered);
  return {
    nearestFrom: above(offTopic, MAX_NEAREST * offTopic.length),
    answersFrom: { covered, right: above(wrong, MAX_WRONG * own.length) },
  };
}

/** Returns the lowest threshold that at most this many values reach. */
function above(values: readonly number[], most: number): number {
  const sorted = [...values].sort((a, b) => b - a);
  const next = sorted[Math.floor(most)];
  return next === undefined ? 0 : Math.ceil(next * 1000 + 1e-6) / 1000;
}

function printTable(rows: readonly Row[], projects: readonly string[], scores: ReadonlyMap<Row, Scores>): void {
  const lines = new Map<Row, string>();
  for (const left of projects) {
    const { nearestFrom, answersFrom } = thresholds(
      rows.filter(({ project }) => project !== left),
      scores,
    );
    for (const row of rows.filter(({ project }) => project === left)) {
      const { covered, right } = scores.get(row) as Scores;
      const isSure = covered >= answersFrom.covered && right >= answersFrom.right;
      lines.set(row, covered < nearestFrom ? 'none' : isSure ? 'answer' : 'nearest');
    }
  }
  const cells = (some: readonly Row[], isRight: (row: Row) => boolean) =>
    ['answer', 'nearest', 'none'].map((tier) => {
      const ofTier = some.filter((row) => lines.get(row) === tier);
      return `${ofTier.length} (${ofTier.filter(isRight).length})`;
    });
  process.stdout.write(
    '| asked | questions | answer (first page right) | nearest (one of two pages right) | none |\n| --- | --- | --- | --- | --- |\n',
  );
  const print = (name: string, some: readonly Row[]) => {
    const [answer] = cells(some, ({ isRight }) => isRight);
    const [, nearest, none] = cells(some, ({ isAmongTwo }) => isAmongTwo);
    process.stdout.write(`| ${name} | ${some.length} | ${answer} | ${nearest} | ${none} |\n`);
  };
  for (const project of projects)
    print(
      project,
      rows.filter((row) => row.project === project && row.kind === 'own'),
    );
  const names = { own: 'all', other: 'questions of other projects', offTopic: 'off-topic' };
  for (const [kind, name] of Object.entries(names))
    print(
      name,
      rows.filter((row) => row.kind === kind),
    );
}

function weightsFile({ covered, right, nearestFrom, answersFrom }: AnswerWeights, questions: number): string {
  const short = (number: number) => Number(number.toPrecision(5));
  const model = ({ intercept, columns }: AnswerWeights['covered'], names: readonly string[]) =>
    `{\n    intercept: ${short(intercept)},\n    columns: [\n${columns.map((weight, at) => `      // ${names[at]}\n      ${short(weight)},`).join('\n')}\n    ],\n  }`;
  return `/** Generated by \`npm run train:answers\` from ${questions} questions; do not edit. */
export const answerWeights = {
  covered: ${model(covered, COVERED_COLUMNS)},
  right: ${model(right, RIGHT_COLUMNS)},
  nearestFrom: ${nearestFrom},
  answersFrom: { covered: ${answersFrom.covered}, right: ${answersFrom.right} },
};
`;
}
