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

/** Restricts a query to one page of a list that is ordered by these columns, descending or ascending: `query.$call(onPage(…))`. */
export function onPage({ after, limit }: ListSlice, [time, id]: readonly [string, string], order: 'desc' | 'asc' = 'desc') {
  const isAfter = after
    ? sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${order === 'desc' ? sql`<` : sql`>`} (${after.at}::timestamptz, ${after.id})`
    : sql<boolean>`true`;
  return <Db, Table extends keyof Db, Row>(query: SelectQueryBuilder<Db, Table, Row>) =>
    query.where(isAfter).orderBy(sql.ref(time), order).orderBy(sql.ref(id), order).limit(limit);
}
