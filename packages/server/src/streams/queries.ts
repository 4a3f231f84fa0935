import { type Selectable, sql } from 'kysely';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import { allOf, columnsOf, type Fields, firstOf, hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** A stored stream, with who created it. Secrets are encrypted. */
export type AnalyticsStream = Fields<Selectable<Tables['analytics_streams']>> & {
  maker: NamedActor | null;
};

const selectStreams = (queries: QueryRunner) =>
  queries.selectFrom('analytics_streams').selectAll().select(actorIn('made_by').as('maker'));

export async function insertStream(
  queries: QueryRunner,
  stream: Pick<
    AnalyticsStream,
    | 'id'
    | 'siteId'
    | 'name'
    | 'enabled'
    | 'target'
    | 'secret'
    | 'lastEvent'
    | 'madeBy'
    | 'createdAt'
  >,
): Promise<void> {
  await queries
    .insertInto('analytics_streams')
    .values(
      columnsOf({ ...stream, target: JSON.stringify(stream.target), deliverAt: stream.createdAt }),
    )
    .execute();
}

/** Returns the streams of a site, oldest first. */
export async function listStreams(
  queries: QueryRunner,
  siteId: string,
): Promise<AnalyticsStream[]> {
  return allOf(selectStreams(queries).where('site_id', '=', siteId).orderBy('id'));
}

export async function findStream(
  queries: QueryRunner,
  id: string,
): Promise<AnalyticsStream | undefined> {
  return firstOf(selectStreams(queries).where('id', '=', id));
}

/**
 * Updates changed columns.
 * @param where only updates if the stream still has this last event; otherwise another process has
 *   delivered its batch
 * @returns whether it was updated
 */
export async function updateStream(
  queries: QueryRunner,
  { id, lastEvent: expected }: { id: string; lastEvent?: number },
  changes: Partial<Omit<AnalyticsStream, 'id' | 'siteId' | 'createdAt' | 'dropped' | 'maker'>>,
): Promise<boolean> {
  if (Object.values(changes).every((value) => value === undefined)) return true;
  const row = columnsOf({ ...changes, target: changes.target && JSON.stringify(changes.target) });
  let update = queries.updateTable('analytics_streams').set(row).where('id', '=', id);
  if (expected !== undefined) update = update.where('last_event', '=', expected);
  return hasRow(update.returning('id'));
}

/** @returns whether it existed */
export async function deleteStream(queries: QueryRunner, id: string): Promise<boolean> {
  return hasRow(queries.deleteFrom('analytics_streams').where('id', '=', id).returning('id'));
}

/**
 * Claims the streams whose next batch is due, and postpones them until `again`, so that no other
 * process takes them meanwhile and a delivery that never happens is repeated.
 */
export async function takeDueStreams(
  queries: QueryRunner,
  { now, again, limit }: { now: Date; again: Date; limit: number },
) {
  return queries
    .with('due', (due) =>
      due
        .selectFrom('analytics_streams')
        .select('id')
        .where('enabled', '=', sql<boolean>`true`)
        .where('deliver_at', '<=', now)
        .orderBy('deliver_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('analytics_streams')
    .from('due')
    .set({ deliver_at: again })
    .whereRef('analytics_streams.id', '=', 'due.id')
    .returning([
      'analytics_streams.id',
      'analytics_streams.site_id as siteId',
      'analytics_streams.last_event as lastEvent',
    ])
    .execute();
}
