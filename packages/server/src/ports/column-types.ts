import type { ColumnType } from 'kysely';

/** Set by the database, never changed later. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type UpdatedAt = ColumnType<Date, Date | undefined, Date>;
/**
 * Read as a value, written as its JSON text. If left out, it is `null`, or `[]` for a list that
 * cannot be null.
 */
export type Json<Value> = ColumnType<Value, string | undefined, string>;
