import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DocentError } from '@docent/format/errors.ts';
import { sql } from 'kysely';
import type { Queries, QueryRunner } from '../../ports/database.ts';

/** One numbered step of the schema. */
export interface Migration {
  /** File name without `.sql`. */
  name: string;
  text: string;
  /** Hex SHA-256 of the text. */
  hash: string;
  /** Whether versions that do not know it can work with it: its file begins with `-- additive`. */
  isAdditive: boolean;
}

interface AppliedMigration {
  hash: string;
  isAdditive: boolean;
}

const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url));

/** Number of the advisory lock of migrations; unique in this database. */
const lockId = 4_718_331_902;

/**
 * Returns the steps in order of application. Throws if a file name does not match `0001-name.sql`.
 */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map((file, index) => readMigration(folder, file, index + 1)));
}

async function readMigration(folder: string, file: string, number: number): Promise<Migration> {
  if (!new RegExp(`^${String(number).padStart(4, '0')}-[a-z0-9-]+\\.sql$`).test(file)) {
    throw new Error(
      `The migration ${file} breaks the sequence: number ${number} must come here, as in 0001-name.sql.`,
    );
  }
  const text = await readFile(`${folder}/${file}`, 'utf8');
  return {
    name: file.slice(0, -'.sql'.length),
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    isAdditive: /^-- additive\s/.test(text),
  };
}

/** Returns whether these are all steps of this version. */
export async function areAllMigrations(
  steps: readonly { name: string; hash: string }[],
): Promise<boolean> {
  const all = (await readMigrations()).map(({ name, hash }) => `${name} ${hash}`);
  return all.join() === steps.map(({ name, hash }) => `${name} ${hash}`).join();
}

/** Returns one hash over all steps, which identifies what a prepared database was built from. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations())
    hash.update(`${migration.name} ${migration.hash}\n`);
  return hash.digest('hex');
}

/**
 * Migrates the schema to the current version. Safe to run from many processes at once: each step
 * runs in its own transaction under one lock. Resolves to the names of the steps applied here;
 * empty if the schema was up to date.
 *
 * @throws DocentError `database_too_new` if a newer version applied a step that this one does not
 *   know and that is not additive; an additive one leaves an older version working, so that a
 *   rollout can be rolled back
 * @throws Error if an applied step was changed afterwards
 */
export async function migrate(queries: Queries, folder?: string): Promise<string[]> {
  return applyAll(queries, await readMigrations(folder));
}

/**
 * Migrates an empty database only as far as these steps, for data of an older version; `migrate`
 * does the rest.
 * @throws DocentError `database_too_new` if this version does not know one of them
 */
export async function migrateTo(
  queries: Queries,
  steps: readonly { name: string; hash: string }[],
): Promise<void> {
  const hashes = new Map(steps.map(({ name, hash }) => [name, hash]));
  const migrations = await readMigrations();
  for (const { name, hash } of migrations) {
    if (hashes.has(name) && hashes.get(name) !== hash) throw changedAfterwards(name);
    hashes.delete(name);
  }
  for (const name of hashes.keys()) throw tooNew(name);
  const names = new Set(steps.map(({ name }) => name));
  await applyAll(
    queries,
    migrations.filter(({ name }) => names.has(name)),
  );
}

/**
 * Returns the names of the steps that this version would apply.
 * @throws DocentError `database_too_new` as `migrate` does
 */
export async function pendingMigrations(runner: QueryRunner): Promise<string[]> {
  return pendingOf(await readMigrations(), await readApplied(runner)).map(({ name }) => name);
}

async function applyAll(queries: Queries, migrations: Migration[]): Promise<string[]> {
  if (pendingOf(migrations, await readApplied(queries)).length === 0) return [];
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await applyOnce(queries, migrations, migration)) applied.push(migration.name);
  }
  return applied;
}

async function applyOnce(
  queries: Queries,
  migrations: Migration[],
  migration: Migration,
): Promise<boolean> {
  return queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${lockId})`.execute(transaction);
    await sql`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        name text PRIMARY KEY,
        hash text NOT NULL,
        applied_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(transaction);
    await sql`ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS additive boolean NOT NULL DEFAULT false`.execute(
      transaction,
    );
    // Another process may have applied it while this one waited for the lock.
    if (!pendingOf(migrations, await readApplied(transaction)).includes(migration)) return false;
    await sql.raw(migration.text).execute(transaction);
    await sql`INSERT INTO schema_migrations (name, hash, additive)
      VALUES (${migration.name}, ${migration.hash}, ${migration.isAdditive})`.execute(transaction);
    return true;
  });
}

async function readApplied(runner: QueryRunner): Promise<Map<string, AppliedMigration>> {
  const exists = await sql<{
    found: boolean;
  }>`SELECT to_regclass('schema_migrations') IS NOT NULL AS found`.execute(runner);
  if (!exists.rows[0]?.found) return new Map();
  // Goes through JSON, because the first versions created the table without the column.
  const { rows } = await sql<{ name: string; hash: string; additive: string | null }>`
    SELECT name, hash, to_jsonb(schema_migrations) ->> 'additive' AS additive FROM schema_migrations`.execute(
    runner,
  );
  return new Map(
    rows.map(({ name, hash, additive }) => [name, { hash, isAdditive: additive === 'true' }]),
  );
}

function pendingOf(migrations: Migration[], applied: Map<string, AppliedMigration>): Migration[] {
  const migrationNames = new Set(migrations.map((migration) => migration.name));
  for (const [name, { isAdditive }] of applied) {
    if (migrationNames.has(name) || isAdditive) continue;
    throw tooNew(name);
  }
  return migrations.filter((migration) => {
    const hash = applied.get(migration.name)?.hash;
    if (hash !== undefined && hash !== migration.hash) {
      throw changedAfterwards(migration.name);
    }
    return hash === undefined;
  });
}

function tooNew(name: string): DocentError {
  return new DocentError(
    'database_too_new',
    `A newer version of Docent has changed the database (${name}); run that version, or restore a backup from before.`,
  );
}

function changedAfterwards(name: string): Error {
  return new Error(
    `The migration ${name} was changed after it was applied. Restore it and add a new one instead.`,
  );
}
