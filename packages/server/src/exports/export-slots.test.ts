import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { exportSlots } from '../kernel/jobs/slots.ts';
import { rescueExports } from './clean-up-exports.ts';
import { cancelExport, getExport } from './manage-exports.ts';
import { failKilledExport } from './run-export.ts';
import { claimExportJob, completeExportJob } from './run-queries.ts';
import { startExport } from './start-export.ts';

let testApp: TestApp;
let deps: TestApp['deps'];

beforeAll(async () => {
  testApp = await openTestApp();
  deps = testApp.deps;
});
afterAll(() => testApp.close());

let count = 0;

/** An organization with a site, whose jobs the test runs itself. */
async function newOrganization(): Promise<{ operator: Actor; start(): Promise<string> }> {
  const operator = await addOrganization(testApp);
  count += 1;
  const slug = `slots-${count}`;
  await addSite(testApp, operator, slug, ['index']);
  const start = async () => {
    deps.clock.advance(1);
    return (await startExport(deps, operator, { domain: slug })).id;
  };
  return { operator, start };
}

/** The jobs in the job queue, in the order in which they were added. */
const enqueued = () => deps.jobs.added.map(({ payload }) => (payload as { jobId: string }).jobId);

const claim = (jobId: string) =>
  claimExportJob(deps.database.queries, { jobId, runId: 'run' }, deps.clock.now());

async function complete(operator: Actor, jobId: string): Promise<void> {
  await claim(jobId);
  const bundle = {
    key: `bundles/${jobId}.x.tar.gz`,
    sizeBytes: 1,
    sha256: 'ab'.repeat(32),
    signature: null,
  };
  const report = { pageCount: 1, failedPages: [], errors: [] };
  await exportSlots.within(deps, operator.organizationId, (transaction) =>
    completeExportJob(
      transaction,
      { jobId, runId: 'run' },
      { bundle, report, now: deps.clock.now() },
    ),
  );
}

test('the concurrent jobs of an organization are limited, and each that ends admits the one that waited longest', async () => {
  deps.jobs.added.length = 0;
  const { operator, start } = await newOrganization();
  const [a, b, c, d, e] = [
    await start(),
    await start(),
    await start(),
    await start(),
    await start(),
  ] as const;
  expect(enqueued()).toEqual([a, b]);
  await complete(operator, b);
  expect(enqueued()).toEqual([a, b, c]);
  const f = await start();
  await cancelExport(deps, operator, a);
  expect(enqueued()).toEqual([a, b, c, d]);
  await failKilledExport(deps, c);
  await complete(operator, d);
  await complete(operator, e);
  await complete(operator, f);
  expect(enqueued()).toEqual([a, b, c, d, e, f]);
});

test('many jobs of one organization do not delay the job of another', async () => {
  deps.jobs.added.length = 0;
  const [many, one] = [await newOrganization(), await newOrganization()];
  for (let index = 0; index < 20; index += 1) await many.start();
  const job = await one.start();
  expect(enqueued().indexOf(job)).toBe(2);
});

test('a waiting job that is canceled never enters the job queue', async () => {
  deps.jobs.added.length = 0;
  const { operator, start } = await newOrganization();
  const [a, b, c, d] = [await start(), await start(), await start(), await start()] as const;
  await cancelExport(deps, operator, c);
  await complete(operator, a);
  await complete(operator, b);
  expect(enqueued()).toEqual([a, b, d]);
});

test('jobs that end concurrently admit each waiting job once', async () => {
  deps.jobs.added.length = 0;
  const { operator, start } = await newOrganization();
  const all = [await start(), await start(), await start(), await start(), await start()];
  await Promise.all([complete(operator, all[0] as string), complete(operator, all[1] as string)]);
  expect(enqueued()).toEqual(all.slice(0, 4));
});

test('waiting jobs are admitted after the limit is raised', async () => {
  deps.jobs.added.length = 0;
  const { start } = await newOrganization();
  const all = [await start(), await start(), await start(), await start()];
  const config = { ...deps.config, exports: { ...deps.config.exports, perOrganization: 3 } };
  await exportSlots.fillAll({ ...deps, config });
  expect(enqueued().filter((id) => all.includes(id))).toEqual(all.slice(0, 3));
});

test('a job whose worker has been silent for minutes is enqueued again, once', async () => {
  deps.jobs.added.length = 0;
  const { start } = await newOrganization();
  const [running, queued] = [await start(), await start()];
  await claim(running);
  deps.clock.advance(60);
  await rescueExports(deps);
  expect(enqueued()).toEqual([running, queued]);
  deps.clock.advance(180);
  await Promise.all([rescueExports(deps), rescueExports(deps)]);
  expect(enqueued().filter((id) => id === running)).toHaveLength(2);
  expect(enqueued().filter((id) => id === queued)).toHaveLength(1);
});

test('a waiting export says how many come before it, and one that runs says nothing', async () => {
  deps.jobs.added.length = 0;
  await deps.database.queries.updateTable('export_jobs').set({ status: 'failed' }).execute();
  const { operator, start } = await newOrganization();
  const jobs = [await start(), await start(), await start(), await start()] as const;
  const places = () =>
    Promise.all(jobs.map(async (id) => (await getExport(deps, operator, id)).queuePosition));
  expect(await places()).toEqual([0, 1, 2, 3]);
  await claim(jobs[0]);
  expect(await places()).toEqual([null, 0, 2, 3]);
  await complete(operator, jobs[0]);
  expect(await places()).toEqual([null, 0, 1, 2]);
  for (const id of jobs.slice(1)) await cancelExport(deps, operator, id);
});
