import type { LogisticWeights } from '../../packages/assistant/src/extractive/confidence.ts';

/** One case: its columns, its outcome, and its weight. */
export interface Case {
  columns: readonly number[];
  isSo: boolean;
  worth: number;
}

const STEPS = 20;

/**
 * Fits a logistic model by Newton's method with an L2 penalty on columns of the same scale:
 * deterministic.
 */
export function fitLogistic(cases: readonly Case[], penalty: number): LogisticWeights {
  const width = cases[0]?.columns.length ?? 0;
  const columns = Array.from({ length: width }, (_, column) =>
    cases.map((one) => one.columns[column] as number),
  );
  const means = columns.map(mean);
  const scales = columns.map(
    (values, at) =>
      Math.sqrt(mean(values.map((value) => (value - (means[at] as number)) ** 2))) + 1e-6,
  );
  const rows = cases.map((one) => [
    1,
    ...one.columns.map((value, at) => (value - (means[at] as number)) / (scales[at] as number)),
  ]);
  let weights: number[] = new Array(width + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -penalty * weight));
    const bend = weights.map((_, at) =>
      weights.map((_, other) => (at !== other ? 0 : at === 0 ? 1e-6 : penalty)),
    );
    rows.forEach((row, at) => {
      const { isSo, worth } = cases[at] as Case;
      const chance = 1 / (1 + Math.exp(-dot(row, weights)));
      row.forEach((value, i) => {
        (slope[i] as number) += worth * ((isSo ? 1 : 0) - chance) * value;
        const line = bend[i] as number[];
        for (let j = 0; j <= width; j++)
          (line[j] as number) += worth * chance * (1 - chance) * value * (row[j] as number);
      });
    });
    const change = solve(bend, slope);
    weights = weights.map((weight, at) => weight + (change[at] as number));
  }
  const [constant = 0, ...others] = weights;
  const raw = others.map((weight, at) => weight / (scales[at] as number));
  return { intercept: constant - dot(raw, means), columns: raw };
}

/** Gauss–Jordan elimination with partial pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number]);
  const at = (row: number, column: number) => (rows[row] as number[])[column] as number;
  for (let i = 0; i < rows.length; i++) {
    let pivot = i;
    for (let row = i + 1; row < rows.length; row++)
      if (Math.abs(at(row, i)) > Math.abs(at(pivot, i))) pivot = row;
    [rows[i], rows[pivot]] = [rows[pivot] as number[], rows[i] as number[]];
    for (let row = 0; row < rows.length; row++) {
      if (row === i) continue;
      const factor = at(row, i) / at(i, i);
      for (let column = i; column <= rows.length; column++)
        ((rows[row] as number[])[column] as number) -= factor * at(i, column);
    }
  }
  return rows.map((row, i) => (row.at(-1) as number) / at(i, i));
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
