import type { DayFigure } from './count-figures.ts';
import { type Dimension, type Sums, sumNames } from './reports.ts';

export interface SummedFigure extends Sums {
  name: string;
  detail: string;
}

/** What figures are sorted by; those without any are left out. `readings`: views by readers and AI. */
export type FigureOrder = keyof Sums | 'readings';

/** Sums the figures of a dimension of the whole site, or of its pages, largest first. */
export function sumFigures(
  figures: readonly DayFigure[],
  { dimension, by, order }: { dimension: Dimension; by: 'all' | 'day' | 'path' | 'key'; order: FigureOrder },
): SummedFigure[] {
  const rank = (row: Sums) => (order === 'readings' ? row.human + row.ai : row[order]);
  const rows = new Map<string, SummedFigure>();
  for (const figure of figures) {
    if (figure.dimension !== dimension || figure.scope !== (by === 'path' ? 'path' : 'all')) continue;
    const name = by === 'all' ? '' : figure[by];
    const detail = by === 'key' ? figure.detail : '';
    const id = `${name}\0${detail}`;
    const row = rows.get(id);
    if (row) for (const sum of sumNames) row[sum] += figure[sum];
    else rows.set(id, { ...figure, name, detail });
  }
  const found = [...rows.values()].filter((row) => rank(row) > 0);
  if (by === 'day') return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found.sort((a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1));
}
