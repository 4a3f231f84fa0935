import { sql } from 'kysely';
import type { Queries } from '../../ports/database.ts';

/** A process that has not been seen for this long has ended. */
const ALIVE_SECONDS = 120;

/** A process of the platform. */
export interface ProcessRow {
  id: string;
  version: string;
  /** The newest number of each stored form that it reads. */
  reads: Record<string, number>;
}

/**
 * Records that a process is alive, by the clock of the database, and deletes the rows of those that
 * ended a day ago.
 */
export async function recordProcess(
  queries: Queries,
  { id, version, reads }: ProcessRow,
): Promise<void> {
  await queries
    .insertInto('processes')
    .values({ id, version, reads: JSON.stringify(reads) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`now()` }))
    .execute();
  await queries
    .deleteFrom('processes')
    .where('seen_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

export async function deleteProcess(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('processes').where('id', '=', id).execute();
}

/** Returns the processes that are alive. */
export async function findProcesses(queries: Queries): Promise<ProcessRow[]> {
  return queries
    .selectFrom('processes')
    .select(['id', 'version', 'reads'])
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${ALIVE_SECONDS})`)
    .execute();
}

/** Returns the newest number of each form in the store, with the version that wrote it first. */
export async function findStoredForms(
  queries: Queries,
): Promise<{ name: string; number: number; version: string }[]> {
  return queries.selectFrom('stored_forms').select(['name', 'number', 'version']).execute();
}

/** Records that a version writes forms; a lower number than the recorded one changes nothing. */
export async function recordStoredForms(
  queries: Queries,
  version: string,
  forms: Record<string, number>,
): Promise<void> {
  const rows = Object.entries(forms).map(([name, number]) => ({ name, number, version }));
  await queries
    .insertInto('stored_forms')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({
          number: row.ref('excluded.number'),
          version: row.ref('excluded.version'),
          written_at: sql`now()`,
        }))
        .whereRef('stored_forms.number', '<', 'excluded.number'),
    )
    .execute();
}
