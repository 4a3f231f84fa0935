import { PAGE_COLUMNS } from '../../packages/search/src/second-stage/page-facts.ts';
import { QUERY_COLUMNS } from '../../packages/search/src/second-stage/query-columns.ts';
import { type CandidateList, fitSoftmax, sumsOf } from './fit-softmax.ts';
import type { Example } from './read-examples.ts';

/** A larger value keeps the weights smaller; between 30 and 60 it matters little. */
const PENALTY = 60;

/**
 * Evidence that never counts against a page. The questions were written in other words than the
 * titles, so a free fit learns that words in a title speak against a page; readers often use the
 * words of the title.
 */
const NEVER_AGAINST = (
  ['inTitle', 'inTrail', 'inTheme', 'headings', 'sectionHeading'] as const
).map((name) => PAGE_COLUMNS.length + QUERY_COLUMNS.indexOf(name));

/** A trained model: a candidate's score is the sum of (value − mean) × weight. */
export interface Model {
  means: number[];
  weights: number[];
}

/** Trains on examples after scaling every column. */
export function train(examples: readonly Example[]): Model {
  const rows = examples.flatMap((example) => example.rows);
  const width = rows[0]?.length ?? 0;
  const means = Array.from({ length: width }, (_, column) =>
    meanOf(rows.map((row) => row[column] as number)),
  );
  const scales = means.map((_, column) => spreadOf(examples, column) + 1e-6);
  const dropped = new Set<number>();
  const refit = (): Float64Array => {
    const lists = examples.map(({ rows: own, isRelevant }): CandidateList => {
      const columns = new Float64Array(own.length * width);
      own.forEach((row, at) => {
        row.forEach((value, column) => {
          if (!dropped.has(column)) {
            columns[at * width + column] =
              (value - (means[column] as number)) / (scales[column] as number);
          }
        });
      });
      return { columns, isRelevant };
    });
    return fitSoftmax(lists, width, PENALTY);
  };
  let fitted = refit();
  for (;;) {
    const against = NEVER_AGAINST.filter((column) => (fitted[column] as number) < 0);
    if (against.length === 0) break;
    for (const column of against) dropped.add(column);
    fitted = refit();
  }
  return {
    means,
    weights: Array.from(fitted, (weight, column) => weight / (scales[column] as number)),
  };
}

/**
 * Returns the usual deviation of a column, from the mean of all candidates or, if it depends on the
 * question, from that of the question's candidates, which are what it distinguishes.
 */
function spreadOf(examples: readonly Example[], column: number): number {
  const groups = examples.map(({ rows }) => rows.map((row) => row[column] as number));
  const lists = column < PAGE_COLUMNS.length ? [groups.flat()] : groups;
  const squares = lists.flatMap((values) => {
    const mean = meanOf(values);
    return values.map((value) => (value - mean) ** 2);
  });
  return Math.sqrt(meanOf(squares));
}

/** Returns the rank of the first correct page, from 1; infinite if none was found. */
export function placeBefore({ isRelevant }: Example): number {
  const at = isRelevant.indexOf(true);
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

/** The same after the model has ordered the candidates. */
export function placeAfter({ rows, isRelevant }: Example, { weights }: Model): number {
  const columns = Float64Array.from(rows.flatMap((row) => [...row]));
  const sums = sumsOf({ columns, isRelevant }, Float64Array.from(weights));
  const order = isRelevant
    .map((_, at) => at)
    .sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
  const at = order.findIndex((candidate) => isRelevant[candidate]);
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

/** Returns the rank of each example with a model that was trained without its project. */
export function leaveOneOut(examples: readonly Example[]): number[] {
  const projects = [...new Set(examples.map(({ project }) => project))];
  const models = new Map(
    projects.map((left) => [left, train(examples.filter(({ project }) => project !== left))]),
  );
  return examples.map((example) => placeAfter(example, models.get(example.project) as Model));
}

/** hit@1, hit@5 and MRR@10. */
export function measures(places: readonly number[]): [hit1: number, hit5: number, mrr10: number] {
  return [
    meanOf(places.map((place) => (place === 1 ? 1 : 0))),
    meanOf(places.map((place) => (place <= 5 ? 1 : 0))),
    meanOf(places.map(reciprocal)),
  ];
}

const ROUNDS = 4000;

/**
 * Paired bootstrap: returns the interval of the gain of one order over another in 95 of 100
 * resamples of the questions.
 */
export function gains(
  after: readonly number[],
  before: readonly number[],
): { hit1: [number, number]; mrr10: [number, number] } {
  const random = dice(7);
  const hit = (place: number) => (place === 1 ? 1 : 0);
  const differences = after.map((place, at) => [
    hit(place) - hit(before[at] as number),
    reciprocal(place) - reciprocal(before[at] as number),
  ]);
  const drawn = Array.from({ length: ROUNDS }, () => {
    const sum = [0, 0];
    for (let i = 0; i < after.length; i++) {
      const one = differences[random(after.length)] as number[];
      sum[0] = (sum[0] as number) + (one[0] as number);
      sum[1] = (sum[1] as number) + (one[1] as number);
    }
    return sum.map((value) => value / after.length);
  });
  const between = (measure: number): [number, number] => {
    const sorted = drawn.map((round) => round[measure] as number).sort((a, b) => a - b);
    return [
      sorted[Math.floor(ROUNDS * 0.025)] as number,
      sorted[Math.floor(ROUNDS * 0.975)] as number,
    ];
  };
  return { hit1: between(0), mrr10: between(1) };
}

function reciprocal(place: number): number {
  return place <= 10 ? 1 / place : 0;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
