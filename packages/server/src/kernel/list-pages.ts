import { DocentError } from '@docent/format/errors.ts';
import type { ListPlace, ListSlice } from './db/query-parts.ts';

/** Which page of a list a caller asks for. */
export interface PageRequest {
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** A page of a list, and the cursor of the next one; null on the last. */
export interface ListPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * Returns a page of a list that is ordered by a time and an id.
 * @param read returns up to `limit` rows after a position
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function readPage<Row>(
  { cursor, limit }: PageRequest,
  read: (slice: ListSlice) => Promise<Row[]>,
  placeOf: (row: Row) => ListPlace,
): Promise<ListPage<Row>> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const fetchedRows = await read({ after, limit: limit + 1 });
  const rows = fetchedRows.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: fetchedRows.length > rows.length && last ? writeCursor(placeOf(last)) : null,
  };
}

/** The position of a row with the usual columns. */
export const byCreation = ({ createdAt, id }: { createdAt: Date; id: string }): ListPlace => ({
  at: createdAt,
  id,
});

/** Yields every row of a list, page by page. */
export async function* allRows<Row>(
  limit: number,
  read: (request: PageRequest) => Promise<ListPage<Row>>,
): AsyncGenerator<Row> {
  let page = await read({ limit });
  yield* page.rows;
  while (page.nextCursor !== null) {
    page = await read({ cursor: page.nextCursor, limit });
    yield* page.rows;
  }
}

function writeCursor({ at, id }: ListPlace): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

function readCursor(cursor: string): ListPlace {
  const [, time, id] =
    /^(\d{1,14}) ([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (time === undefined || id === undefined) throw foreignCursor();
  return { at: new Date(Number(time)), id };
}

/** Creates the error for a cursor that this server did not create for the list. */
export function foreignCursor(): DocentError {
  return new DocentError(
    'invalid_request',
    'The cursor does not belong to this list; start again without it.',
    {
      errors: [{ path: '/cursor', message: 'Send the nextCursor of the previous page.' }],
    },
  );
}

const ITEMS_AT_A_TIME = 200;

/** Splits a long list into groups for one query each. */
export async function* inGroups<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < ITEMS_AT_A_TIME) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
