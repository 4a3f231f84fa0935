import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedStore, publishPages, queueExport } from '../../../../test/support/exported-site.ts';
import {
  postgresBin,
  startPostgres,
  type TestPostgres,
} from '../../../../test/support/postgres.ts';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { openPostgresDatabase } from '../adapters/database/postgres.ts';
import { openPgBossQueue } from '../adapters/job-queue/pg-boss.ts';
import type { Deps } from '../kernel/deps.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import { exportSiteJob } from '../ports/jobs.ts';
import { getExport } from './manage-exports.ts';
import { runExport } from './run-export.ts';

const PAGES = 25;

describe.skipIf(postgresBin === undefined)('an export on a PostgreSQL server', () => {
  let server: TestPostgres;
  let testApp: TestApp;
  let jobs: JobQueue;
  let deps: Deps;
  let operator: Actor;

  beforeAll(async () => {
    server = await startPostgres();
    const database = await openPostgresDatabase({
      url: await server.createDatabase(),
      logger: silentLogger,
    });
    await database.migrate();
    testApp = await openTestApp({ database });
    jobs = await openPgBossQueue({ database, logger: silentLogger });
    deps = { ...testApp.deps, jobs };
    operator = await addOrganization(testApp);
    await publishPages(deps, operator, 'many', { pages: PAGES });
  });
  afterAll(async () => {
    await jobs?.close();
    await testApp?.close();
    await server?.stop();
  });

  const row = (id: string) => getExport(deps, operator, id);

  test('continues after a crash of the server, in the same attempt, and its progress never falls', async () => {
    const blobs = changedStore(deps.blobs, {
      read: async (key) => {
        await wait(60);
        return deps.blobs.read(key);
      },
    });
    await jobs.work(exportSiteJob, ({ jobId }, context) =>
      runExport({ ...deps, blobs }, jobId, context),
    );
    for (const crashAt of [1, 90]) {
      const id = await queueExport(deps, operator, 'many');
      await expect
        .poll(async () => (await row(id)).progress, { timeout: 30_000, interval: 20 })
        .toBeGreaterThanOrEqual(crashAt);
      const { progress } = await row(id);
      await server.crash(() => wait(700));
      await expect.poll(async () => (await row(id)).progress).toBeGreaterThanOrEqual(progress);
      await expect.poll(async () => (await row(id)).status).toBe('completed');
      expect(await row(id)).toMatchObject({ progress: 100, attempts: 1, pageCount: PAGES });
    }
  });
});
