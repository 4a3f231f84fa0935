import { type RawBuilder, sql } from 'kysely';

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

/** Returns the condition of the rows after a position in a list that is ordered by these columns, descending or ascending. */
export function isAfter(
  place: ListPlace | undefined,
  [time, id]: readonly [string, string],
  order: 'desc' | 'asc' = 'desc',
): RawBuilder<boolean> {
  if (!place) return sql<boolean>`true`;
  const compared = order === 'desc' ? sql`<` : sql`>`;
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${compared} (${place.at}::timestamptz, ${place.id})`;
}
