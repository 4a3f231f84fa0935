import { sql } from 'kysely';
import { buildDatabaseTemplate, templateFile } from '../../scripts/build-database-template.ts';
import { isUsableTemplate } from '../../src/adapters/database/database-template.ts';
import { openPgliteDatabase } from '../../src/adapters/database/pglite.ts';
import type { Database } from '../../src/ports/database.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * Databases of this worker that are empty and wait for the next test: to open one takes 1.8 s of CPU, to empty it 0.04 s. They end
 * with the worker.
 */
const idle: Database[] = [];

/** A migrated database in memory, from the template, which is made on first use. Close it after the test. */
export async function testDatabase(): Promise<Database> {
  const database = await openPgliteDatabase({ folder: 'memory', templateFile: await testTemplate(), logger: silentLogger });
  await database.migrate();
  return database;
}

/** An empty database that tests share, one after the other, as files of a worker do: closing it empties it for the next one. */
export async function sharedTestDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await testDatabase());
  const close = async () => {
    await emptyTables(database);
    idle.push(database);
  };
  return { ...database, close };
}

async function emptyTables({ queries }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`.execute(
    queries,
  );
  await sql.raw(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity`).execute(queries);
}

/** The template of this version; made where there is none. Test files that make it at the same time do no harm. */
export async function testTemplate(): Promise<string> {
  if (!(await isUsableTemplate(templateFile))) await buildDatabaseTemplate();
  return templateFile;
}
