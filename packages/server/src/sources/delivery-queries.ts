import type { QueryRunner } from '../ports/database.ts';

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

/** Deletes deliveries that arrived before that time. */
export async function deleteOldDeliveries(queries: QueryRunner, before: Date): Promise<void> {
  await queries.deleteFrom('git_deliveries').where('received_at', '<', before).execute();
}
