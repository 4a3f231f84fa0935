import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/** Advisory lock numbers, unique in this database: changing figures, and storing events. */
export const FIGURES_LOCK = sql.raw('4718331915');
export const EVENTS_LOCK = sql.raw('4718331916');

/** Waits until no other transaction changes figures, and keeps others from it until this one ends. */
export async function lockFigures(transaction: QueryRunner): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FIGURES_LOCK})`.execute(transaction);
}
