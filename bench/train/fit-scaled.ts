import { type CandidateList, fitSoftmax } from './fit-softmax.ts';

/**
 * Fits a weight for each named column, whatever their scales are.
 * @param assumed the weights without any list, which the penalty prefers, in the order of the columns
 * @param kept columns that keep the assumed weight
 */
export function fitScaled<Column extends string>(
  lists: readonly CandidateList[],
  assumed: Readonly<Record<Column, number>>,
  { kept, penalty }: { kept: ReadonlySet<Column>; penalty: number },
): Record<Column, number> {
  const names = Object.keys(assumed) as Column[];
  const width = names.length;
  const rows = lists.reduce((sum, { isRelevant }) => sum + isRelevant.length, 0);
  const moment = (power: number, around: Float64Array = new Float64Array(width)): Float64Array => {
    const sums = new Float64Array(width);
    for (const { columns } of lists)
      columns.forEach((value, at) => {
        (sums[at % width] as number) +=
          (value - (around[at % width] as number)) ** power / Math.max(1, rows);
      });
    return sums;
  };
  const means = moment(1);
  const scales = moment(2, means).map((square) => Math.sqrt(square) + 1e-6);
  const scaled = lists.map(({ columns, isRelevant }) => ({
    columns: columns.map((value, at) =>
      kept.has(names[at % width] as Column)
        ? 0
        : (value - (means[at % width] as number)) / (scales[at % width] as number),
    ),
    isRelevant,
  }));
  const scaledAssumed = Float64Array.from(
    names,
    (name, at) => assumed[name] * (scales[at] as number),
  );
  const fitted = fitSoftmax(scaled, width, penalty, scaledAssumed);
  return Object.fromEntries(
    names.map((name, at) => [name, (fitted[at] as number) / (scales[at] as number)]),
  ) as Record<Column, number>;
}

/** Returns weights as source. */
export function weightsSource(
  constant: string,
  comment: string,
  weights: Readonly<Record<string, number>>,
): string {
  const lines = Object.entries(weights).map(
    ([name, weight]) => `  ${name}: ${Number(weight.toPrecision(5))},`,
  );
  return `/** ${comment} */\nexport const ${constant} = {\n${lines.join('\n')}\n};\n`;
}
