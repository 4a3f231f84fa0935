import { DocentError } from '../core/errors.ts';
import type { ListPlace } from '../db/conversations.ts';

/** Returns the cursor of a position in a list. */
function writeCursor({ at, id }: ListPlace): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/**
 * @param isId returns whether a text has the format of an id of that list
 * @throws DocentError `invalid_request` for a cursor that `writeCursor` did not create
 */
export function readCursor(cursor: string, isId: (id: string) => boolean): ListPlace {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (!/^\d{1,14}$/.test(time) || !isId(id)) {
    throw new DocentError('invalid_request', 'The cursor does not belong to this list; start again without it.', {
      errors: [{ path: '/cursor', message: 'Send the nextCursor of the previous page.' }],
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
 * @param found up to one row more than requested, if there are more
 * @param placeOf returns the position of a row in the list
 */
export function pageOf<Row>(found: Row[], limit: number, placeOf: (row: Row) => ListPlace): ListPage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > rows.length && last ? writeCursor(placeOf(last)) : null };
}
