import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** Deletes sessions, links to reset a password, steps of a sign-in and invitations that have expired. */
export async function deleteExpiredAccountRecords(queries: QueryRunner, now: Date): Promise<void> {
  for (const table of ['user_sessions', 'user_verifications', 'invitations']) {
    await sql`DELETE FROM ${sql.table(table)} WHERE expires_at < ${now}`.execute(queries);
  }
}
