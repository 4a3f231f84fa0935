import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** A table of the platform, as copies describe it. */
export interface CopiedTable {
  name: string;
  columns: { name: string; type: string }[];
}

/** A sequence and the last number that it returned; null if it returned none. */
export interface CopiedSequence {
  name: string;
  last: number | null;
}

/**
 * Tables that copies leave out: the schema's own record, which the migrations of the copy write;
 * what belongs to running processes; and events, which have their own form, because they may be
 * outside this database.
 */
const LEFT_OUT = ['schema_migrations', 'processes', 'rate_limits', 'analytics_events'];
/** Rows are read in parts of about this size. */
const PART_BYTES = 2 * 1024 * 1024;
const FIRST_ROWS = 50;
const MAX_ROWS = 5000;

/** Returns the tables that a copy contains, as they are in this database, whatever its version. */
export async function listTables(queries: QueryRunner): Promise<CopiedTable[]> {
  const { rows } = await sql<CopiedTable>`
    SELECT relname AS name, json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> ALL(${LEFT_OUT}::text[])
    GROUP BY relname ORDER BY relname`.execute(queries);
  return rows;
}

/**
 * Yields the rows of a table in parts. A row is a JSON list of its columns, each as the text that
 * PostgreSQL itself reads back, so that nothing of any type is lost.
 * @param transaction its snapshot is what is read
 */
export async function* readRows(
  transaction: QueryRunner,
  { name, columns }: CopiedTable,
): AsyncGenerator<string[]> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`));
  await sql`DECLARE copied NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS row FROM ${sql.table(name)}`.execute(
    transaction,
  );
  for (let count = FIRST_ROWS; ; ) {
    const { rows } = await sql<{
      row: string;
    }>`FETCH ${sql.raw(String(count))} FROM copied`.execute(transaction);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < count) break;
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0);
    count = Math.min(MAX_ROWS, count * 4, Math.max(1, Math.floor((PART_BYTES * count) / bytes)));
  }
  await sql`CLOSE copied`.execute(transaction);
}

/** Stores rows that `readRows` returned. */
export async function insertRows(
  queries: QueryRunner,
  { name, columns }: CopiedTable,
  rows: readonly string[],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  // The type is a name from this database, as `requireSameTables` checks.
  const values = sql.join(
    columns.map(({ type }, index) => sql`(value ->> ${sql.lit(index)})::${sql.raw(type)}`),
  );
  await sql`INSERT INTO ${sql.table(name)} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) value`.execute(
    queries,
  );
}

/** Returns whether this database has exactly these tables and columns. */
export async function hasTables(
  queries: QueryRunner,
  tables: readonly CopiedTable[],
): Promise<boolean> {
  // Columns that were added in another order are the same.
  const form = (of: readonly CopiedTable[]) =>
    of
      .map(
        ({ name, columns }) =>
          `${name}(${columns.map((column) => `${column.name} ${column.type}`).sort()})`,
      )
      .sort();
  return JSON.stringify(form(await listTables(queries))) === JSON.stringify(form(tables));
}

/**
 * Returns the sequences of this database. Read them after the rows: their numbers are of no
 * snapshot.
 */
export async function readSequences(queries: QueryRunner): Promise<CopiedSequence[]> {
  const { rows } = await sql<CopiedSequence>`
    SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = current_schema() ORDER BY name`.execute(
    queries,
  );
  return rows;
}

export async function setSequences(
  queries: QueryRunner,
  sequences: readonly CopiedSequence[],
): Promise<void> {
  for (const { name, last } of sequences) {
    if (last !== null)
      await sql`SELECT setval(quote_ident(${name})::regclass, ${last}::bigint)`.execute(queries);
  }
}

/**
 * Deletes what the migrations of a new database have written, and its foreign keys. @returns
 * statements that add the keys again
 */
export async function emptyTables(
  queries: QueryRunner,
  tables: readonly CopiedTable[],
): Promise<string[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`.execute(
    queries,
  );
  for (const { table, name } of rows)
    await sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`).execute(queries);
  await sql`TRUNCATE ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(queries);
  return rows.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
  );
}

/**
 * Queues again what was queued or running when the copy was made: the job queue is not part of it.
 */
export async function requeueUnfinished(queries: QueryRunner): Promise<void> {
  await sql`UPDATE deployments SET status = 'queued', waiting = true WHERE status IN ('queued', 'in_progress')`.execute(
    queries,
  );
  await sql`UPDATE export_jobs SET status = 'queued', waiting = true, run_id = NULL WHERE status IN ('queued', 'running')`.execute(
    queries,
  );
}

/**
 * Returns whether nobody has used this database: it has no site, no account and no key. It may have
 * been started.
 */
export async function isUnused(queries: QueryRunner): Promise<boolean> {
  const names = ['sites', 'users', 'api_keys'];
  for (const name of names) {
    const { rows } = await sql<{
      exists: boolean;
    }>`SELECT to_regclass(${name}) IS NOT NULL AS exists`.execute(queries);
    if (!rows[0]?.exists) continue;
    const { rows: tableRows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(
      queries,
    );
    if (tableRows.length > 0) return false;
  }
  return true;
}

/**
 * Returns the migrations of this database in order, with the hash of each. Empty for an empty
 * database.
 */
export async function readSchemaMigrations(
  queries: QueryRunner,
): Promise<{ name: string; hash: string }[]> {
  const { rows } = await sql<{
    exists: boolean;
  }>`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`.execute(queries);
  if (!rows[0]?.exists) return [];
  return (
    await sql<{
      name: string;
      hash: string;
    }>`SELECT name, hash FROM schema_migrations ORDER BY name`.execute(queries)
  ).rows;
}

/**
 * Moves all tables from the schema `from` to the current one in one transaction, in place of those
 * with the same names, and deletes the job queue of the earlier ones.
 */
export async function moveSchema(queries: QueryRunner, from: string): Promise<void> {
  const relations = async (condition: string) => {
    const { rows } = await sql<{ name: string }>`
      SELECT quote_ident(relname) AS name FROM pg_class WHERE relnamespace = ${from}::regnamespace AND ${sql.raw(condition)}`.execute(
      queries,
    );
    return rows.map(({ name }) => name);
  };
  const source = `"${from}"`;
  const { rows } = await sql<{
    schema: string;
  }>`SELECT quote_ident(current_schema()) AS schema`.execute(queries);
  const target = rows[0]?.schema as string;
  const tables = await relations(`relkind IN ('r', 'p')`);
  const isFree = `relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))`;
  const sequences = await relations(isFree);
  // With the views of former names, and the functions of triggers, without which the triggers would
  // be dropped too.
  const views = await relations(`relkind = 'v'`);
  const { rows: functions } = await sql<{ name: string }>`
    SELECT quote_ident(proname) || '(' || pg_get_function_identity_arguments(oid) || ')' AS name
    FROM pg_proc WHERE pronamespace = ${from}::regnamespace`.execute(queries);
  const moved: [kind: string, name: string][] = [
    ...views.map((name): [string, string] => ['VIEW', name]),
    ...tables.map((name): [string, string] => ['TABLE', name]),
    ...sequences.map((name): [string, string] => ['SEQUENCE', name]),
    ...functions.map(({ name }): [string, string] => ['FUNCTION', name]),
  ];
  for (const [kind, name] of moved)
    await sql.raw(`DROP ${kind} IF EXISTS ${target}.${name} CASCADE`).execute(queries);
  for (const [kind, name] of moved.toReversed())
    await sql.raw(`ALTER ${kind} ${source}.${name} SET SCHEMA ${target}`).execute(queries);
  await sql.raw(`DROP SCHEMA ${source} CASCADE`).execute(queries);
  await sql`DROP SCHEMA IF EXISTS pgboss CASCADE`.execute(queries);
}
