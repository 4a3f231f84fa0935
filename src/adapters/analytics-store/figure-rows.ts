import { type RawBuilder, sql } from 'kysely';
import type { DayFigure } from '../../core/analytics/count-figures.ts';
import { sumNames } from '../../core/analytics/reports.ts';

/** Columns of `analytics_days` for the fields that are summed, in the same order. */
export const SUM_COLUMNS = sumNames.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const COLUMNS: readonly (readonly [column: string, field: keyof DayFigure, type: string])[] = [
  ['site_id', 'siteId', 'text'],
  ['day', 'day', 'date'],
  ...(['dimension', 'scope', 'path', 'version', 'language', 'key', 'detail'] as const).map(
    (name) => [name, name, 'text'] as const,
  ),
  ...sumNames.map((name, index) => [SUM_COLUMNS[index] as string, name, 'bigint'] as const),
  ['last_at', 'lastAt', 'timestamptz'],
];
export const FIGURE_COLUMNS = sql.raw(COLUMNS.map(([column]) => column).join(', '));

/** Figures as rows of a query. */
export function figureRows(figures: readonly DayFigure[]): RawBuilder<unknown> {
  const lists = COLUMNS.map(([, field, type]) => {
    const values = figures.map((figure) => (field === 'lastAt' ? figure.lastAt.toISOString() : figure[field]));
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(lists)}) figure (${FIGURE_COLUMNS})`;
}
