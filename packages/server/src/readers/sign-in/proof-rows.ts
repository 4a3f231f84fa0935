import { hasRow } from '../../kernel/db/query-parts.ts';
import type { QueryRunner } from '../../ports/database.ts';

/** Remembers a proof until it expires. @returns false if it was used before */
export async function useProof(
  queries: QueryRunner,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  const insert = queries.insertInto('reader_proofs').values({ id, expires_at: expiresAt });
  return hasRow(insert.onConflict((conflict) => conflict.doNothing()).returning('id'));
}

/** Returns whether a proof was used. */
export async function isUsedProof(queries: QueryRunner, id: string): Promise<boolean> {
  return hasRow(queries.selectFrom('reader_proofs').select('id').where('id', '=', id));
}

export async function deleteExpiredProofs(queries: QueryRunner, now: Date): Promise<void> {
  await queries.deleteFrom('reader_proofs').where('expires_at', '<', now).execute();
}
