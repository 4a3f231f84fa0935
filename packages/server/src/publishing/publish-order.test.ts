import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import { createSite } from '../sites/create-site.ts';
import { findLatestDeployment, setLive } from './deployment-queries.ts';
import { beginDeployment, publishDeployment } from './queries.ts';
import { startDeployment } from './start-deployment.ts';

let testApp: TestApp;
let deps: TestApp['deps'];
let siteId: string;
let organizationId: string;

beforeAll(async () => {
  testApp = await openTestApp();
  deps = testApp.deps;
  const operator = await addOrganization(testApp);
  organizationId = operator.organizationId;
  siteId = (await createSite(deps, operator, { slug: 'publish-order', hostnames: [] })).id;
});
afterAll(() => testApp.close());

const HOUR_SECONDS = 3600;

async function start(): Promise<string> {
  const id = createUlid(deps.clock.now());
  await startDeployment(deps, { id, organizationId, siteId, sourceKey: `uploads/${id}.tar.gz` });
  await beginDeployment(deps.database.queries, id, deps.clock.now());
  return id;
}

async function finish(id: string): Promise<void> {
  const report = { pageCount: 1, failedPageCount: 0, fileCount: 0, durationMs: 1, diagnostics: [] };
  const manifestKey = `manifests/${id}.json`;
  const build = {
    id,
    siteName: 'Order',
    report,
    manifest: { path: manifestKey, sizeBytes: 0 },
    buildBytes: 0,
    addedBytes: 0,
    changes: null,
  };
  const done = { id, siteId, build, manifestKey, summary: '1 page' };
  await deps.database.queries
    .transaction()
    .execute((transaction) => publishDeployment(transaction, { ...done, now: deps.clock.now() }));
}

const live = async () => {
  const site = deps.database.queries
    .selectFrom('sites')
    .select('live_deployment_id as id')
    .where('id', '=', siteId);
  return (await site.executeTakeFirstOrThrow()).id;
};

test('the newest deployment goes live although the clock was put back, and it is the newest for a rebuild too', async () => {
  const first = await start();
  await finish(first);
  deps.clock.advance(-HOUR_SECONDS);
  const second = await start();
  await finish(second);
  expect(await live()).toBe(second);
  expect((await findLatestDeployment(deps.database.queries, siteId))?.id).toBe(second);
});

test('a deployment that was requested earlier does not replace a newer one, nor what an owner has chosen since', async () => {
  const [older, newer] = [await start(), await start()];
  await finish(newer);
  await finish(older);
  expect(await live()).toBe(newer);
  const running = await start();
  // The clock is put back once more before the owner chooses.
  deps.clock.advance(-HOUR_SECONDS);
  await setLive(deps.database.queries, siteId, older, deps.clock.now());
  await finish(running);
  expect(await live()).toBe(older);
  const next = await start();
  await finish(next);
  expect(await live()).toBe(next);
});
