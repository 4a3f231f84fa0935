/** The candidates of one question: their columns, row by row, and which of them answer it. */
export interface CandidateList {
  columns: Float64Array;
  isRelevant: readonly boolean[];
}

const MAX_STEPS = 20;
const MIN_STEP = 1e-4;
const MIN_GAIN = 1e-5;

/**
 * Fits a linear model whose softmax is the probability of each candidate of a list to be the
 * correct one: Newton's method with an L2 penalty, deterministic.
 * @param width number of columns; they should have about the same scale
 * @param assumed the weights without any list, which the penalty prefers; default: zeros
 */
export function fitSoftmax(
  lists: readonly CandidateList[],
  width: number,
  penalty: number,
  assumed: Float64Array = new Float64Array(width),
): Float64Array {
  const known = lists.filter(
    ({ isRelevant }) => isRelevant.some(Boolean) && !isRelevant.every(Boolean),
  );
  const preference = { penalty, assumed };
  let weights = Float64Array.from(assumed);
  let loss = lossOf(known, weights, preference);
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = newtonDirection(known, weights, preference);
    let size = 1;
    let next = weights;
    let nextLoss = loss;
    for (; size > MIN_STEP; size /= 2) {
      next = weights.map((weight, column) => weight - size * (direction[column] as number));
      nextLoss = lossOf(known, next, preference);
      if (nextLoss < loss) break;
    }
    const gain = loss - nextLoss;
    if (gain <= 0) break;
    [weights, loss] = [next, nextLoss];
    if (gain < MIN_GAIN) break;
  }
  return weights;
}

/** Returns the score of each candidate of a list. */
export function sumsOf(
  { columns, isRelevant }: CandidateList,
  weights: Float64Array,
): Float64Array {
  const width = weights.length;
  return Float64Array.from(isRelevant, (_, row) => {
    let sum = 0;
    for (let column = 0; column < width; column++)
      sum += (columns[row * width + column] as number) * (weights[column] as number);
    return sum;
  });
}

/** Returns the probabilities of the candidates, and the total of the relevant ones. */
function chances(
  list: CandidateList,
  weights: Float64Array,
): { all: Float64Array; relevant: number } {
  const sums = sumsOf(list, weights);
  const top = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const all = powers.map((power) => power / total);
  const relevant = all.reduce((sum, chance, row) => sum + (list.isRelevant[row] ? chance : 0), 0);
  return { all, relevant: Math.max(relevant, 1e-30) };
}

interface Preference {
  penalty: number;
  assumed: Float64Array;
}

function lossOf(
  lists: readonly CandidateList[],
  weights: Float64Array,
  { penalty, assumed }: Preference,
): number {
  const misses = lists.reduce((sum, list) => sum - Math.log(chances(list, weights).relevant), 0);
  return (
    misses +
    (penalty / 2) *
      weights.reduce((sum, weight, at) => sum + (weight - (assumed[at] as number)) ** 2, 0)
  );
}

function newtonDirection(
  lists: readonly CandidateList[],
  weights: Float64Array,
  { penalty, assumed }: Preference,
): Float64Array {
  const width = weights.length;
  const slope = weights.map((weight, at) => penalty * (weight - (assumed[at] as number)));
  const bend = Array.from({ length: width }, (_, column) =>
    new Float64Array(width).fill(penalty, column, column + 1),
  );
  const mean = new Float64Array(width);
  const centred = new Float64Array(width);
  for (const list of lists) {
    const { columns, isRelevant } = list;
    const { all, relevant } = chances(list, weights);
    mean.fill(0);
    all.forEach((chance, row) => {
      const pull = chance - (isRelevant[row] ? chance / relevant : 0);
      for (let column = 0; column < width; column++) {
        const value = columns[row * width + column] as number;
        (slope[column] as number) += pull * value;
        (mean[column] as number) += chance * value;
      }
    });
    all.forEach((chance, row) => {
      for (let column = 0; column < width; column++)
        centred[column] = (columns[row * width + column] as number) - (mean[column] as number);
      for (let a = 0; a < width; a++) {
        const line = bend[a] as Float64Array;
        const scaled = chance * (centred[a] as number);
        for (let b = 0; b <= a; b++) (line[b] as number) += scaled * (centred[b] as number);
      }
    });
  }
  return solve(bend, slope);
}

/**
 * Solves a symmetric system by Cholesky decomposition; reads and overwrites the lower half of the
 * matrix.
 */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const at = (row: number, column: number) => (matrix[row] as Float64Array)[column] as number;
  for (let row = 0; row < right.length; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = at(row, column);
      for (let k = 0; k < column; k++) rest -= at(row, k) * at(column, k);
      (matrix[row] as Float64Array)[column] =
        row === column ? Math.sqrt(Math.max(rest, 1e-9)) : rest / at(column, column);
    }
  }
  const solved = right.slice();
  for (let row = 0; row < right.length; row++) {
    for (let k = 0; k < row; k++) (solved[row] as number) -= at(row, k) * (solved[k] as number);
    (solved[row] as number) /= at(row, row);
  }
  for (let row = right.length - 1; row >= 0; row--) {
    for (let k = row + 1; k < right.length; k++)
      (solved[row] as number) -= at(k, row) * (solved[k] as number);
    (solved[row] as number) /= at(row, row);
  }
  return solved;
}
