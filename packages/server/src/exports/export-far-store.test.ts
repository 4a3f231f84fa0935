import { setTimeout as wait } from 'node:timers/promises';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { defaultExportOptions } from '@docent/format/exports/export-options.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedStore } from '../../../../test/support/exported-site.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { insertDeployment } from '../publishing/deployment-queries.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { createSite } from '../sites/create-site.ts';
import { insertExportJob } from './job-queries.ts';
import { runExport } from './run-export.ts';

const PAGES = 60;
const FAR_MS = 40;
const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: true };
let testApp: TestApp;
let site: { organizationId: string; siteId: string; deploymentId: string };

beforeAll(async () => {
  testApp = await openTestApp();
  const { deps } = testApp;
  const operator = await addOrganization(testApp);
  const { id: siteId } = await createSite(deps, operator, { slug: 'far', hostnames: [] });
  const deploymentId = createUlid(deps.clock.now());
  const pages = Array.from({ length: PAGES }, (_, i) => `page-${i}`);
  const config = {
    theme: 'mint',
    name: 'Far',
    colors: { primary: '#4f46e5' },
    navigation: { pages },
  };
  const files = async function* () {
    yield { path: 'docs.json', bytes: Buffer.from(JSON.stringify(config)) };
    for (const page of pages)
      yield { path: `${page}.mdx`, bytes: Buffer.from(`# ${page}\n\nWhat ${page} says.\n`) };
  };
  const sourceKey = `uploads/${deploymentId}.tar.gz`;
  await deps.blobs.put(sourceKey, packBundle(files()));
  await insertDeployment(deps.database.queries, {
    id: deploymentId,
    siteId,
    sourceKey,
    createdAt: deps.clock.now(),
  });
  await publishSite(deps, deploymentId, context);
  site = { organizationId: operator.organizationId, siteId, deploymentId };
}, 180_000);
afterAll(() => testApp.close());

/** Exports the site, and returns the hash of the bundle. */
async function exported(id: string, blobs: BlobStore): Promise<string | null> {
  const { deps } = testApp;
  await insertExportJob(deps.database.queries, {
    ...site,
    id,
    domain: 'far',
    options: defaultExportOptions,
    waiting: false,
    idempotencyKey: null,
    madeBy: 'operator',
    createdAt: deps.clock.now(),
  });
  await runExport({ ...deps, blobs }, id, context);
  const jobs = deps.database.queries.selectFrom('export_jobs').select(['status', 'bundle_sha256']);
  const row = await jobs.where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.status).toBe('completed');
  return row.bundle_sha256;
}

test('an export reads a slow blob store concurrently, and its bundle is the same', async () => {
  const near = await exported('se_00000000000000f0', testApp.deps.blobs);
  const reads = { now: 0, most: 0, all: 0 };
  const readFar = async (key: string) => {
    reads.all++;
    reads.most = Math.max(reads.most, ++reads.now);
    await wait(FAR_MS);
    reads.now--;
    return testApp.deps.blobs.read(key);
  };
  const far = changedStore(testApp.deps.blobs, { read: readFar });
  expect(await exported('se_00000000000000f1', far)).toBe(near);
  expect(reads.all).toBeGreaterThanOrEqual(PAGES);
  // Enough to hide the delay, without overloading memory or the store.
  expect(reads.most).toBe(16);
});
