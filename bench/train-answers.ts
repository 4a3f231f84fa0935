import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rankPassages } from '../packages/assistant/src/extractive/choose-quotes.ts';
import {
  answerChance,
  answerEvidence,
  COVERED_COLUMNS,
  coveredChance,
  type Evidence,
  mayBeSure,
  RIGHT_COLUMNS,
  valuesOf,
} from '../packages/assistant/src/extractive/confidence.ts';
import {
  type answerWeights,
  sectionWeights,
} from '../packages/assistant/src/extractive/weights.ts';
import { QuestionWords } from '../packages/assistant/src/retrieve/question-words.ts';
import { offTopicQuestions } from './off-topic-questions.ts';
import { type AskedSite, forEachSite } from './train/asked-sites.ts';
import { type Case, fitLogistic } from './train/fit-logistic.ts';
import type { CandidateList } from './train/fit-softmax.ts';
import { type TrainingData, trainingData } from './train/public-projects.ts';
import { firstIsRight, fitSections, sectionWeightsSource } from './train/section-model.ts';
import { fitUnits, unitWeightsSource } from './train/unit-model.ts';

/*
 * Trains which section of a page answers without a language model, and how confidently, and writes
 * the weights.
 *
 *   npm run train:answers [-- <corpora folder> <retrieval folder>] [--dry]
 *
 * The folders are those of `bench/train.ts`. The sections are trained on the questions whose
 * sections are named in
 * `train/section-labels.json`, and what is quoted of them on the questions with words in
 * `train/answer-phrases.json`. For the confidence, each project is asked its own questions, all questions of the other projects, and
 * questions that no documentation answers; an answer counts as right if its first quote is from a
 * correct page. Prints the results for the questions of each project with weights and thresholds
 * that were computed without it, in both directions, and without the half of the off-topic
 * questions that it is asked; then writes the weights of all projects to `weights.ts` in
 * `packages/assistant/src/extractive` (nothing with `--dry`). Run it after `npm run train`, and after every change of the passage
 * ranking.
 */

type Kind = 'own' | 'other' | 'offTopic';

interface Row {
  project: string;
  kind: Kind;
  /** The project that a question of another one belongs to. */
  from?: string | undefined;
  /** The half that an off-topic question belongs to: 0 or 1. */
  half?: number | undefined;
  /** Undefined if nothing was found. */
  evidence?: Evidence;
  /** The first quote, and one of the first two pages, is from a correct page. */
  isRight: boolean;
  isAmongTwo: boolean;
}

const PENALTY = { covered: 3, right: 5 };
/**
 * Total weight of the questions of a kind relative to a project's own. Some of those of other
 * projects have an answer here.
 */
const WORTH: Readonly<Record<Kind, number>> = { own: 1, other: 1, offTopic: 0.5 };
/**
 * Allowed shares: of off-topic questions as nearest, of questions of other projects as answered.
 */
const MAX_NEAREST = 0.2;
const MAX_ANSWERED = 0.01;
/**
 * What is presented as the answer is at least this likely: below it, a third of the answers on six
 * other projects (of 90 questions) were about something near.
 */
const LEAST_SURE = 0.81;

const target = fileURLToPath(
  new URL('../packages/assistant/src/extractive/weights.ts', import.meta.url),
);
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
await run(trainingData(given));

async function run(data: TrainingData): Promise<void> {
  const rows: Row[] = [];
  const lists: CandidateList[] = [];
  const units: CandidateList[] = [];
  const rightOf: number[] = [];
  await forEachSite(data, async (site, sites) => {
    rows.push(...(await rowsOf(site, sites)));
    lists.push(...site.sections);
    units.push(...site.units);
    rightOf.push(firstIsRight(site.sections, sectionWeights) * site.sections.length);
  });
  const right = rightOf.reduce((sum, count) => sum + count, 0);
  if (lists.length > 0)
    process.stdout.write(
      `Of the right page, the first section is right for ${right} of ${lists.length} questions.\n\n`,
    );
  const projects = [...new Set(rows.map(({ project }) => project))];
  const scores = new Map<Row, Scores>();
  for (const [at, left] of projects.entries()) {
    const half = at % 2;
    const models = fitModels(
      rows.filter((row) => row.project !== left && row.from !== left && row.half !== half),
    );
    for (const row of rows)
      if (row.project === left && row.half !== 1 - half) scores.set(row, scoresOf(row, models));
  }
  const scored = rows.filter((row) => scores.has(row));
  printTable(scored, projects, scores);
  const all = { ...fitModels(rows), ...thresholds(scored, scores) };
  if (process.argv.includes('--dry')) return;
  const answers = answerWeightsSource(all, rows.filter(({ kind }) => kind === 'own').length);
  const sections = sectionWeightsSource(
    lists.length > 0 ? fitSections(lists) : sectionWeights,
    lists.length,
  );
  writeFileSync(
    target,
    `// Generated by \`npm run train:answers\`; do not edit.\n\n${answers}\n${sections}\n${unitWeightsSource(fitUnits(units), units.length)}`,
  );
  process.stderr.write('weights written\n');
}

async function rowsOf(
  { project, questions, ask }: AskedSite,
  sites: readonly AskedSite[],
): Promise<Row[]> {
  const examples: (Pick<Row, 'kind' | 'half' | 'from'> & {
    q: string;
    relevant: readonly string[];
  })[] = questions.map((question) => ({ ...question, kind: 'own' as const }));
  for (const other of sites.filter((site) => site.project !== project))
    examples.push(
      ...other.questions.map(({ q }) => ({
        q,
        kind: 'other' as const,
        from: other.project,
        relevant: [],
      })),
    );
  examples.push(
    ...offTopicQuestions.map((q, at) => ({
      q,
      kind: 'offTopic' as const,
      half: at % 2,
      relevant: [],
    })),
  );
  const rows: Row[] = [];
  for (const { q, kind, half, from, relevant } of examples) {
    const { passages } = await ask(q);
    const words = new QuestionWords(q);
    const ranked = rankPassages(q, words, passages);
    const [first] = ranked;
    const row: Row = { project, kind, half, from, isRight: false, isAmongTwo: false };
    rows.push(row);
    if (first === undefined) continue;
    row.evidence = answerEvidence(words, ranked, passages);
    const second = ranked.find(({ passage }) => passage.path !== first.passage.path);
    row.isRight = relevant.includes(first.passage.path);
    row.isAmongTwo = row.isRight || relevant.includes(second?.passage.path ?? '');
  }
  return rows;
}

/** The trained models and the probability thresholds for an answer. */
type AnswerWeights = typeof answerWeights;
type Models = Pick<AnswerWeights, 'covered' | 'right'>;
type Scores = Record<'covered' | 'sure', number>;
type Thresholds = Omit<AnswerWeights, keyof Models>;

function fitModels(rows: readonly Row[]): Models {
  const own = rows.filter(({ kind }) => kind === 'own');
  const worth = (wanted: Kind) =>
    (WORTH[wanted] * own.length) / Math.max(1, rows.filter(({ kind }) => kind === wanted).length);
  const worths = { own: 1, other: worth('other'), offTopic: worth('offTopic') };
  const cases = (
    columns: Parameters<typeof valuesOf>[1],
    isSo: (row: Row) => boolean,
    some: readonly Row[],
  ): Case[] =>
    some.flatMap((row) =>
      row.evidence === undefined
        ? []
        : [{ columns: valuesOf(row.evidence, columns), isSo: isSo(row), worth: worths[row.kind] }],
    );
  return {
    covered: fitLogistic(
      cases(COVERED_COLUMNS, ({ kind }) => kind === 'own', rows),
      PENALTY.covered,
    ),
    right: fitLogistic(
      cases(RIGHT_COLUMNS, ({ isRight }) => isRight, own),
      PENALTY.right,
    ),
  };
}

/**
 * The probability that the documentation covers the question, and that the first quote may be said
 * with certainty.
 */
function scoresOf({ evidence }: Row, models: Models): Scores {
  if (evidence === undefined) return { covered: 0, sure: 0 };
  return {
    covered: coveredChance(evidence, models),
    sure: mayBeSure(evidence) ? answerChance(evidence, models) : 0,
  };
}

/** Returns the thresholds, from figures of models that did not know the question's project. */
function thresholds(rows: readonly Row[], scores: ReadonlyMap<Row, Scores>): Thresholds {
  const of = (kind: Kind, score: keyof Scores) =>
    rows.filter((row) => row.kind === kind).map((row) => (scores.get(row) as Scores)[score]);
  const [offTopic, others] = [of('offTopic', 'covered'), of('other', 'sure')];
  return {
    nearestFrom: above(offTopic, MAX_NEAREST * offTopic.length),
    answersFrom: Math.max(LEAST_SURE, above(others, MAX_ANSWERED * others.length)),
  };
}

/** Returns the lowest threshold that at most this many values reach. */
function above(values: readonly number[], most: number): number {
  const sorted = [...values].sort((a, b) => b - a);
  const next = sorted[Math.floor(most)];
  return next === undefined ? 0 : Math.ceil(next * 1000 + 1e-6) / 1000;
}

function printTable(
  rows: readonly Row[],
  projects: readonly string[],
  scores: ReadonlyMap<Row, Scores>,
): void {
  const lines = new Map<Row, string>();
  for (const left of projects) {
    const { nearestFrom, answersFrom } = thresholds(
      rows.filter(({ project }) => project !== left),
      scores,
    );
    for (const row of rows.filter(({ project }) => project === left)) {
      const { covered, sure } = scores.get(row) as Scores;
      const isSure = sure >= answersFrom;
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

function answerWeightsSource(
  { covered, right, nearestFrom, answersFrom }: AnswerWeights,
  questions: number,
): string {
  const short = (number: number) => Number(number.toPrecision(5));
  const model = ({ intercept, columns }: AnswerWeights['covered'], names: readonly string[]) =>
    `{\n    intercept: ${short(intercept)},\n    columns: [\n${columns.map((weight, at) => `      ${short(weight)}, // ${names[at]}`).join('\n')}\n    ],\n  }`;
  return `/** The confidence of an answer, from ${questions} questions. */
export const answerWeights = {
  covered: ${model(covered, COVERED_COLUMNS)},
  right: ${model(right, RIGHT_COLUMNS)},
  nearestFrom: ${nearestFrom},
  answersFrom: ${answersFrom},
};
`;
}
