import { writeSync } from 'node:fs';
import { openPgliteDatabase } from '../../packages/server/src/adapters/database/pglite.ts';
import { endWithParent } from './end-with-parent.ts';
import { silentLogger } from './silent-logger.ts';

// Run by a test, which kills it: writes row after row, and prints the number of each after it is
// stored.
const [folder = '', from = '1', templateFile = ''] = process.argv.slice(2);
endWithParent();
const database = await openPgliteDatabase({ folder, templateFile, logger: silentLogger });
await database.execute(
  'CREATE TABLE IF NOT EXISTS kill_test (n integer PRIMARY KEY, padding text)',
);
const { rows } = await database.execute('SELECT coalesce(max(n), 0) + 1 AS next FROM kill_test');
for (let n = Math.max(Number(from), Number(rows[0]?.next)); ; n += 1) {
  await database.execute('INSERT INTO kill_test VALUES ($1, $2)', [n, 'x'.repeat(n % 3000)]);
  writeSync(1, `${n}\n`);
}
