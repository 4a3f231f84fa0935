import { writeSync } from 'node:fs';
import { openPgliteDatabase } from '../../packages/server/src/adapters/database/pglite.ts';
import { openPgBossQueue } from '../../packages/server/src/adapters/job-queue/pg-boss.ts';
import { endWithParent } from './end-with-parent.ts';
import { killTestJob } from './kill-test-job.ts';
import { silentLogger as logger } from './silent-logger.ts';

// Run by a test, which kills it: starts two jobs that never end, and prints when they run.
const [folder = '', templateFile = ''] = process.argv.slice(2);
endWithParent();
const database = await openPgliteDatabase({ folder, templateFile, logger });
const queue = await openPgBossQueue({ database, logger });
for (const kind of [killTestJob('retry', 1), killTestJob('last', 0)]) {
  await queue.work(kind, async ({ of }) => {
    writeSync(1, `${of}\n`);
    await new Promise(() => {});
  });
  await queue.enqueue(kind, { of: kind.name });
}
