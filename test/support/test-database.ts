import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { isUsableTemplate } from '../../packages/server/src/adapters/database/database-template.ts';
import { openPgliteDatabase } from '../../packages/server/src/adapters/database/pglite.ts';
import {
  pooledDatabase,
  valueTypes,
} from '../../packages/server/src/adapters/database/postgres.ts';
import type { Database } from '../../packages/server/src/ports/database.ts';
import { buildDatabaseTemplate, templateFile } from '../../scripts/build-database-template.ts';
import { endWithUs } from './end-with-us.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * Databases of this worker that the next test can use: opening one takes 1.8 s of CPU, resetting it
 * 0.04 s. They end with the worker.
 */
const idle: ResettableDatabase[] = [];

interface ResettableDatabase {
  database: Database;
  reset(): Promise<void>;
}

/**
 * Opens a migrated database in memory, from the template, which is built on first use. Close it
 * after the test.
 */
export async function testDatabase(): Promise<Database> {
  const database = await openPgliteDatabase({
    folder: 'memory',
    templateFile: await testTemplate(),
    logger: silentLogger,
  });
  await database.migrate();
  return database;
}

/**
 * Returns an empty database that the files of a worker share, one after the other: closing it
 * resets it for the next one.
 */
export async function sharedTestDatabase(): Promise<Database> {
  const { database, reset } = idle.pop() ?? (await resettableDatabase());
  const close = async () => {
    await reset();
    idle.push({ database, reset });
  };
  return { ...database, close };
}

/**
 * Opens the same engine in a process of its own. The system copies the tables of a process's memory
 * each time that it starts another one, and the engine's 270 MB in a worker of tests made the
 * hundreds of runs of Git take five times the CPU time.
 */
async function databaseInProcess(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-database-'));
  const program = fileURLToPath(new URL('database-process.ts', import.meta.url));
  const port = 5432;
  const path = join(folder, `.s.PGSQL.${port}`);
  const child = spawn(process.execPath, [program, path, await testTemplate()], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endWithUs(folder, [child.pid]);
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The database of the tests ended with ${code} before it was ready.`);
    }),
  ]);
  // Two connections would share one session, and so each other's transactions.
  const single = { max: 1, idleTimeoutMillis: 0 };
  const pool = new pg.Pool({ ...single, host: folder, port, user: 'postgres', types: valueTypes });
  const database = pooledDatabase('pglite', pool, async () => {});
  await database.migrate();
  return database;
}

async function resettableDatabase(): Promise<ResettableDatabase> {
  const database = await databaseInProcess();
  const { queries } = database;
  const namesIn = async (view: 'pg_tables' | 'pg_sequences', column: string) => {
    const named = sql<{
      name: string;
    }>`select quote_ident(${sql.ref(column)}) as name from ${sql.table(view)}
      where schemaname = 'public' and ${sql.ref(column)} <> 'schema_migrations'`;
    return (await named.execute(queries)).rows.map(({ name }) => name);
  };
  const tables = await namesIn('pg_tables', 'tablename');
  const sequences = await namesIn('pg_sequences', 'sequencename');
  // The rows that migrations have written.
  const restore: string[] = [];
  for (const table of tables) {
    const all = sql<{ rows: unknown }>`select json_agg(t) as rows from ${sql.raw(table)} t`;
    const rows = (await all.execute(queries)).rows[0]?.rows;
    if (!rows) continue;
    const literal = JSON.stringify(rows).replaceAll("'", "''");
    restore.push(
      `insert into ${table} select * from json_populate_recordset(null::${table}, '${literal}')`,
    );
  }
  const reset = async () => {
    const restart = sequences.map((sequence) => `alter sequence ${sequence} restart`);
    for (const statement of [`truncate ${tables.join(', ')}`, ...restart, ...restore])
      await sql.raw(statement).execute(queries);
  };
  return { database, reset };
}

/**
 * Returns the template of this version, and builds it if it is missing. Test files may safely build
 * it at the same time.
 */
export async function testTemplate(): Promise<string> {
  if (!(await isUsableTemplate(templateFile))) await buildDatabaseTemplate();
  return templateFile;
}
