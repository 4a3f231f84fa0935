import type { FeedbackStatus } from '@docent/format/analytics/feedback.ts';
import { type SelectQueryBuilder, sql } from 'kysely';

/** A position in a list that is ordered by a time and an id: that of a row. */
export interface ListPlace {
  at: Date;
  id: string;
}

/** One page of such a list: up to `limit` rows after a position, or from the start. */
export interface ListSlice {
  after?: ListPlace | undefined;
  limit: number;
}

/**
 * Restricts a query to one page of a list that is ordered by these columns, descending or
 * ascending: `query.$call(onPage(…))`.
 */
export function onPage(
  { after, limit }: ListSlice,
  [time, id]: readonly [string, string],
  order: 'desc' | 'asc' = 'desc',
) {
  const isAfter = after
    ? sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${order === 'desc' ? sql`<` : sql`>`} (${after.at}::timestamptz, ${after.id})`
    : sql<boolean>`true`;
  return <Db, Table extends keyof Db, Row>(query: SelectQueryBuilder<Db, Table, Row>) =>
    query.where(isAfter).orderBy(sql.ref(time), order).orderBy(sql.ref(id), order).limit(limit);
}

/** A range of time; without an end where that is absent. */
export interface TimeRange {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Returns the condition that the time in a column is in a range. */
export function isWithin(column: string, { from, to }: TimeRange) {
  const isSince = from ? sql`${sql.ref(column)} >= ${from}` : sql`true`;
  return sql<boolean>`(${isSince} AND ${to ? sql`${sql.ref(column)} < ${to}` : sql`true`})`;
}

/**
 * Returns the fields of a filter that are set: `where(({ and }) => and(given({ … })))` restricts a
 * query to these.
 */
export function given<Filter extends object>(filter: Filter): Filter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, wanted]) => wanted !== undefined),
  ) as Filter;
}

type ColumnName<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : Name;

type FieldName<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldName<Rest>>}`
  : Name;

/** A row by the names of its fields: `site_id` becomes `siteId`. */
export type Fields<Row> = { [Column in keyof Row as FieldName<Column>]: Row[Column] };

/**
 * Returns a row by the names of its columns: `siteId` becomes `site_id`. A query leaves out columns
 * that are undefined.
 */
export function columnsOf<Row extends object>(row: Row) {
  const columns = renamed(row, (name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return columns as { [Field in keyof Row as ColumnName<Field>]: Row[Field] };
}

/** Returns a row by the names of its fields. */
export function fieldsOf<Row extends object>(row: Row) {
  return renamed(row, (name) =>
    name.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase()),
  ) as Fields<Row>;
}

function renamed(row: object, nameOf: (name: string) => string): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]));
}

/** Returns the first row of a query, by the names of its fields. */
export async function firstOf<Row extends object>(query: {
  executeTakeFirst(): Promise<Row | undefined>;
}) {
  const row = await query.executeTakeFirst();
  return row && fieldsOf(row);
}

/** Returns the rows of a query, by the names of their fields. */
export async function allOf<Row extends object>(query: { execute(): Promise<Row[]> }) {
  return (await query.execute()).map((row) => fieldsOf(row));
}

/** Returns whether a query finds, or changes, a row. */
export async function hasRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** Returns how many rows a query finds. */
export async function countRows<Db, Table extends keyof Db>(
  query: SelectQueryBuilder<Db, Table, object>,
): Promise<number> {
  const row = await query
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return (row as { count: number }).count;
}

/** The status of feedback that is sent again; the one that an owner has set stays. */
export const unlessHandled = (status: FeedbackStatus) =>
  sql<FeedbackStatus>`CASE WHEN feedback.handled_by IS NULL THEN ${status} ELSE feedback.status END`;
