import { buildDatabaseTemplate, templateFile } from '../../scripts/build-database-template.ts';
import { isUsableTemplate } from '../../src/adapters/database/database-template.ts';
import { openPgliteDatabase } from '../../src/adapters/database/pglite.ts';
import type { Database } from '../../src/ports/database.ts';
import { silentLogger } from './silent-logger.ts';

/** A migrated database in memory, from the template, which is made on first use. Close it after the test. */
export async function testDatabase(): Promise<Database> {
  const database = await openPgliteDatabase({ folder: 'memory', templateFile: await testTemplate(), logger: silentLogger });
  await database.migrate();
  return database;
}

/** The template of this version; made where there is none. Test files that make it at the same time do no harm. */
export async function testTemplate(): Promise<string> {
  if (!(await isUsableTemplate(templateFile))) await buildDatabaseTemplate();
  return templateFile;
}
