import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keysUnder } from '../../../../test/support/keys-under.ts';
import {
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { cleanUpBundles } from './clean-up-exports.ts';
import { cancelExport, getBundleLink, getExport } from './manage-exports.ts';
import { claimExportJob, completeExportJob } from './run-queries.ts';
import { startExport } from './start-export.ts';

const DAY_SECONDS = 86_400;
let testApp: TestApp;
let deps: TestApp['deps'];
let operator: Actor;

beforeAll(async () => {
  testApp = await openTestApp({
    env: { DOCENT_EXPORT_RETENTION_DAYS: '7', DOCENT_EXPORTS_PER_ORGANIZATION: '1000' },
  });
  deps = testApp.deps;
  operator = await addOrganization(testApp);
  await addSite(testApp, operator, 'kept', ['index']);
});
afterAll(() => testApp.close());

const start = async () => (await startExport(deps, operator, { domain: 'kept' })).id;
const put = (key: string) => deps.blobs.put(key, new TextEncoder().encode('x'));
const keyOf = (jobId: string, runId = 'run') => `bundles/${jobId}.${runId}.tar.gz`;

async function completed(): Promise<string> {
  const jobId = await start();
  await put(keyOf(jobId));
  const run = { jobId, runId: 'run' };
  await claimExportJob(deps.database.queries, run, deps.clock.now());
  const bundle = { key: keyOf(jobId), sizeBytes: 1, sha256: 'ab'.repeat(32), signature: null };
  const report = { pageCount: 1, failedPages: [], errors: [] };
  await completeExportJob(deps.database.queries, run, { bundle, report, now: deps.clock.now() });
  return jobId;
}

test('an expired bundle has no new links, existing links work until they expire, and then the file is deleted', async () => {
  const jobId = await completed();
  deps.clock.advance(7 * DAY_SECONDS - 60);
  await cleanUpBundles(deps);
  const link = await getBundleLink(deps, operator, jobId);
  deps.clock.advance(120);
  await cleanUpBundles(deps);
  await expect(getBundleLink(deps, operator, jobId)).rejects.toMatchObject({
    code: 'bundle_deleted',
  });
  const { pathname, search } = new URL(link.bundleUrl);
  expect((await testApp.app.inject({ method: 'GET', url: pathname + search })).statusCode).toBe(
    200,
  );
  deps.clock.advance(DAY_SECONDS + 1);
  await cleanUpBundles(deps);
  expect(await deps.blobs.stat(keyOf(jobId))).toBeUndefined();
  expect(await getExport(deps, operator, jobId)).toMatchObject({
    status: 'completed',
    bundleSha256: 'ab'.repeat(32),
  });
});

test('bundles that a killed worker left are deleted after their job ended, and other files stay', async () => {
  const [complete, running, canceled] = [await completed(), await start(), await start()];
  await claimExportJob(deps.database.queries, { jobId: running, runId: 'now' }, deps.clock.now());
  const left = [
    keyOf(complete, 'earlier'),
    keyOf(running, 'earlier'),
    keyOf(canceled, 'late'),
    keyOf('se_0000000000000000'),
  ];
  for (const key of [...left, 'bundles/notes.txt']) await put(key);
  await cancelExport(deps, operator, canceled);
  await cleanUpBundles(deps);
  const expected = [keyOf(complete), keyOf(running, 'earlier'), 'bundles/notes.txt'];
  expect((await keysUnder(deps.blobs, 'bundles/')).sort()).toEqual(expected.sort());
});
