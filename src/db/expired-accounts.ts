import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** Deletes expired sessions, password reset links, sign-in steps and invitations. */
export async function deleteExpiredAccountRecords(queries: QueryRunner, now: Date): Promise<void> {
  for (const table of ['user_sessions', 'user_verifications', 'invitations']) {
    await sql`DELETE FROM ${sql.table(table)} WHERE expires_at < ${now}`.execute(queries);
  }
}
