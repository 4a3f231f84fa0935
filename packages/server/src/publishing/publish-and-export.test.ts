import { createHash } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import { defaultExportOptions } from '@docent/format/exports/export-options.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { insertExportJob } from '../exports/job-queries.ts';
import { runExport } from '../exports/run-export.ts';
import { approveHostname } from '../hostnames/manage-hostnames.ts';
import { createUlid } from '../kernel/ids.ts';
import { watchSiteRouting } from '../kernel/sites/site-routing.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { createSite } from '../sites/create-site.ts';
import { changeSite } from '../sites/manage-sites.ts';
import { insertDeployment } from './deployment-queries.ts';
import { failKilledDeployment, publishSite } from './publish-site.ts';

let testApp: TestApp;
let operator: Actor;
const context = (more: Partial<JobContext> = {}): JobContext => ({
  signal: new AbortController().signal,
  attempt: 1,
  lastAttempt: false,
  ...more,
});

beforeAll(async () => {
  testApp = await openTestApp();
  operator = await addOrganization(testApp);
});
afterAll(() => testApp.close());

async function deploy(siteId: string, archive: Uint8Array | undefined): Promise<string> {
  const { deps } = testApp;
  const id = createUlid(new Date());
  const sourceKey = `uploads/${id}.tar.gz`;
  if (archive) await deps.blobs.put(sourceKey, archive);
  await insertDeployment(deps.database.queries, { id, siteId, sourceKey, createdAt: new Date() });
  return id;
}

const deploymentRow = (id: string) =>
  testApp.deps.database.queries
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

async function publishedSite(slug: string): Promise<{ siteId: string; deploymentId: string }> {
  const site = await createSite(testApp.deps, operator, { slug, hostnames: [] });
  const deploymentId = await deploy(site.id, tarball(fixtureSite('basic')));
  await publishSite(testApp.deps, deploymentId, context());
  return { siteId: site.id, deploymentId };
}

async function queueExport(
  site: { siteId: string; deploymentId: string },
  id: string,
): Promise<string> {
  await insertExportJob(testApp.deps.database.queries, {
    id,
    organizationId: operator.organizationId,
    siteId: site.siteId,
    deploymentId: site.deploymentId,
    domain: 'x',
    options: defaultExportOptions,
    waiting: false,
    idempotencyKey: null,
    madeBy: 'operator',
    createdAt: new Date(),
  });
  return id;
}

const exportRow = (id: string) =>
  testApp.deps.database.queries
    .selectFrom('export_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('publishing builds the source and makes it live, and the live site can be read and searched', async () => {
  const { deps } = testApp;
  const { siteId, deploymentId } = await publishedSite('published');
  expect(await deploymentRow(deploymentId)).toMatchObject({
    status: 'success',
    report: { pageCount: 7 },
  });
  const live = openLiveSites(deps);
  const site = await live.find('published');
  expect(site).toMatchObject({
    siteId,
    deploymentId,
    publicUrl: `http://published.localhost:3000`,
  });
  expect((await site?.pageContent('guides/install'))?.html).toContain('apt-get');
  const [hit] = (await site?.searchIndex())?.search('rotate a key', { limit: 3 }) ?? [];
  expect(hit?.document).toMatchObject({ path: 'guides/install', anchor: 'rotate-a-key' });
  expect(await live.find('nobody')).toBeUndefined();
});

test('a source that cannot be built fails its deployment with the reason, and the live site remains', async () => {
  const { siteId, deploymentId } = await publishedSite('kept');
  const broken = await deploy(siteId, undefined);
  await publishSite(testApp.deps, broken, context());
  expect(await deploymentRow(broken)).toMatchObject({
    status: 'failure',
    summary: expect.stringContaining('upload it again'),
  });
  const site = await testApp.deps.database.queries
    .selectFrom('sites')
    .selectAll()
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  expect(site.live_deployment_id).toBe(deploymentId);
});

test('an older deployment that ends later does not replace a newer one', async () => {
  const site = await createSite(testApp.deps, operator, { slug: 'race', hostnames: [] });
  const older = await deploy(site.id, tarball(fixtureSite('basic')));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const newer = await deploy(site.id, tarball(fixtureSite('basic')));
  await publishSite(testApp.deps, newer, context());
  await publishSite(testApp.deps, older, context());
  const row = await testApp.deps.database.queries
    .selectFrom('sites')
    .selectAll()
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow();
  expect(row.live_deployment_id).toBe(newer);
});

test('an internal fault is retried, and after the last attempt the deployment fails without internal details', async () => {
  const site = await createSite(testApp.deps, operator, { slug: 'faulty', hostnames: [] });
  const id = await deploy(site.id, tarball(fixtureSite('basic')));
  const blobs = {
    ...testApp.deps.blobs,
    get: () => Promise.reject(new Error('disk on fire')),
  } as typeof testApp.deps.blobs;
  await expect(publishSite({ ...testApp.deps, blobs }, id, context())).rejects.toThrow(
    'disk on fire',
  );
  expect(await deploymentRow(id)).toMatchObject({ status: 'in_progress' });
  await expect(publishSite({ ...testApp.deps, blobs }, id, context())).rejects.toThrow(
    'disk on fire',
  );
  await publishSite({ ...testApp.deps, blobs }, id, context());
  const { status, summary } = await deploymentRow(id);
  expect({ status, summary }).toEqual({
    status: 'failure',
    summary: expect.not.stringContaining('fire'),
  });
});

test('a stopped process uses up no attempt of a deployment, even repeatedly', async () => {
  const site = await createSite(testApp.deps, operator, { slug: 'stopped', hostnames: [] });
  const id = await deploy(site.id, tarball(fixtureSite('basic')));
  const blobs = {
    ...testApp.deps.blobs,
    get: () => Promise.reject(new Error('stopped')),
  } as typeof testApp.deps.blobs;
  for (let round = 0; round < 6; round++) {
    await expect(
      publishSite({ ...testApp.deps, blobs }, id, context({ signal: AbortSignal.abort() })),
    ).rejects.toThrow();
  }
  await publishSite(testApp.deps, id, context());
  expect(await deploymentRow(id)).toMatchObject({ status: 'success', attempts: 7, failures: 0 });
});

test('a deployment whose worker died fails, and one that has ended remains unchanged', async () => {
  const { siteId, deploymentId } = await publishedSite('given-up');
  const lost = await deploy(siteId, tarball(fixtureSite('basic')));
  await failKilledDeployment(testApp.deps, lost);
  await failKilledDeployment(testApp.deps, deploymentId);
  expect((await deploymentRow(lost)).status).toBe('failure');
  expect((await deploymentRow(deploymentId)).status).toBe('success');
});

test('an export packs the deployment, and its row has the size and the hash of the bundle', async () => {
  const site = await publishedSite('exported');
  const id = await queueExport(site, 'se_00000000000000a1');
  await runExport(testApp.deps, id, context());
  const row = await exportRow(id);
  expect(row).toMatchObject({ status: 'completed', progress: 100, page_count: 7, total_pages: 7 });
  const bytes = await testApp.deps.blobs.read(String(row.bundle_key));
  expect(bytes?.byteLength).toBe(Number(row.bundle_size_bytes));
  expect(
    createHash('sha256')
      .update(bytes as Uint8Array)
      .digest('hex'),
  ).toBe(row.bundle_sha256);
});

test('hostnames and base paths are resolved from memory until the watch is closed', async () => {
  await createSite(testApp.deps, operator, { slug: 'hosted', hostnames: ['docs.acme.example'] });
  await approveHostname(testApp.deps, operator, 'hosted', 'docs.acme.example');
  const publicUrl = 'https://www.acme.example/docs';
  await changeSite(
    testApp.deps,
    operator,
    'hosted',
    { slug: 'moved', settings: { publicUrl } },
    () => true,
  );
  const watch = await watchSiteRouting(testApp.deps);
  expect(watch.slugOf('docs.acme.example')).toBe('moved');
  expect(watch.slugOf('other.example')).toBeUndefined();
  expect(['moved', 'hosted', 'other'].map(watch.basePathOf)).toEqual(['/docs', '/docs', '']);
  watch.close();
  expect(await openLiveSites(testApp.deps).find('docs.acme.example')).toBeUndefined();
});
