import { DocentError } from '../core/errors.ts';
import type { ListPlace } from '../db/conversations.ts';

/** The cursor that names a place of a list. */
function writeCursor({ at, id }: ListPlace): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/**
 * @param isId what an id of that list looks like
 * @throws DocentError `invalid_request` for a cursor that `writeCursor` did not make
 */
export function readCursor(cursor: string, isId: (id: string) => boolean): ListPlace {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (!/^\d{1,14}$/.test(time) || !isId(id)) {
    throw new DocentError('invalid_request', 'The cursor is not one of this list; start again without it.', {
      errors: [{ path: '/cursor', message: 'Send the nextCursor of the page before.' }],
    });
  }
  return { at: new Date(Number(time)), id };
}

/** A page of a list, and the cursor of the next one; null on the last. */
export interface ListPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * @param found one row more than asked for, where there are so many
 * @param placeOf where a row stands in the list
 */
export function pageOf<Row>(found: Row[], limit: number, placeOf: (row: Row) => ListPlace): ListPage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > rows.length && last ? writeCursor(placeOf(last)) : null };
}
