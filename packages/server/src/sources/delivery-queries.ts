import type { LookResult } from '@docent/format/sources/delivery.ts';
import { type Selectable, sql } from 'kysely';
import { allOf, columnsOf, type Fields, type ListSlice, onPage } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** An entry of the log of a source. */
export type LoggedDelivery = Fields<Selectable<Tables['git_delivery_log']>>;

/** Of each source. What anybody can send never displaces what the repository sent. */
const MAX_LOGGED = 200;

/**
 * Records what identifies a delivery.
 * @returns whether all of it is new; if not, the delivery came before
 */
export async function noteDelivery(
  queries: QueryRunner,
  sourceId: string,
  keys: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = keys.map((key) => ({ source_id: sourceId, delivery_id: key, received_at: now }));
  const insert = queries.insertInto('git_deliveries').values(rows);
  const stored = await insert
    .onConflict((conflict) => conflict.doNothing())
    .returning('delivery_id')
    .execute();
  return stored.length === keys.length;
}

/** Adds an entry to the log of a source, and deletes the oldest beyond the limit. */
export async function logDelivery(queries: QueryRunner, entry: LoggedDelivery): Promise<void> {
  await queries.insertInto('git_delivery_log').values(columnsOf(entry)).execute();
  const isOfStranger = sql<boolean>`(outcome IN ('refused', 'repeated')) = ${entry.outcome === 'refused' || entry.outcome === 'repeated'}`;
  await queries
    .deleteFrom('git_delivery_log')
    .where('id', 'in', (query) =>
      query
        .selectFrom('git_delivery_log')
        .select('id')
        .where('source_id', '=', entry.sourceId)
        .where(isOfStranger)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_LOGGED),
    )
    .execute();
}

/**
 * Returns the deliveries about a branch, or about a pull request, that wait for a look: read before
 * the look begins, because it does not answer those that arrive later.
 */
export async function waitingDeliveries(
  queries: QueryRunner,
  { sourceId, number }: { sourceId: string; number: number | null },
): Promise<string[]> {
  const rows = await queries
    .selectFrom('git_delivery_log')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('pull_number', 'is not distinct from', number)
    .where('outcome', '=', 'accepted')
    .execute();
  return rows.map(({ id }) => id);
}

/** Records what a look led to, for the deliveries that waited for it. */
export async function settleDeliveries(
  queries: QueryRunner,
  ids: readonly string[],
  result: LookResult,
): Promise<void> {
  if (ids.length === 0) return;
  await queries
    .updateTable('git_delivery_log')
    .set({ ...result })
    .where('id', 'in', ids)
    .where('outcome', '=', 'accepted')
    .execute();
}

/** Returns the log of a source, newest first. */
export async function listLoggedDeliveries(
  queries: QueryRunner,
  sourceId: string,
  slice: ListSlice,
): Promise<LoggedDelivery[]> {
  const page = onPage(slice, ['received_at', 'id']);
  return allOf(
    queries
      .selectFrom('git_delivery_log')
      .selectAll()
      .where('source_id', '=', sourceId)
      .$call(page),
  );
}

/** Deletes deliveries that arrived before that time. */
export async function deleteOldDeliveries(queries: QueryRunner, before: Date): Promise<void> {
  await queries.deleteFrom('git_deliveries').where('received_at', '<', before).execute();
  await queries.deleteFrom('git_delivery_log').where('received_at', '<', before).execute();
}
