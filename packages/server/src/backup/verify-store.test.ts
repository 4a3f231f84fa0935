import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import { insertDeployment } from '../publishing/deployment-queries.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { createSite } from '../sites/create-site.ts';
import { verifyStore } from './verify-store.ts';

let testApp: TestApp;
let deps: TestApp['deps'];
let deploymentId: string;
let build: SiteBuild;
const verify = (quick = false) =>
  verifyStore({ queries: deps.database.queries, blobs: deps.blobs }, { quick });

beforeAll(async () => {
  testApp = await openTestApp();
  deps = testApp.deps;
  const { id: siteId } = await createSite(deps, await addOrganization(testApp), {
    slug: 'verified',
    hostnames: [],
  });
  deploymentId = createUlid(deps.clock.now());
  const config = {
    theme: 'mint',
    name: 'Verified',
    colors: { primary: '#4f46e5' },
    navigation: { pages: ['index'] },
  };
  const files = { 'docs.json': JSON.stringify(config), 'index.mdx': '# Hello\n\nHello.\n' };
  const source = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
  }));
  const sourceKey = `uploads/${deploymentId}.tar.gz`;
  await deps.blobs.put(sourceKey, packBundle(ReadableStream.from(source)));
  await insertDeployment(deps.database.queries, {
    id: deploymentId,
    siteId,
    sourceKey,
    createdAt: deps.clock.now(),
  });
  await publishSite(deps, deploymentId, {
    signal: new AbortController().signal,
    attempt: 1,
    lastAttempt: true,
  });
  build = JSON.parse(
    Buffer.from((await deps.blobs.read(`manifests/${deploymentId}.json`)) ?? []).toString(),
  ) as SiteBuild;
});
afterAll(() => testApp.close());

test('a store that has what the database names is whole, and what a publish leaves is named', async () => {
  const report = await verify();
  expect(report).toMatchObject({ faults: [], unnamed: [] });
  expect(report.files).toBeGreaterThan(5);
});

test('a missing page and a file with another content are reported with their site and a remedy', async () => {
  const page = fileKey((build.pages[0] as SiteBuild['pages'][number]).content);
  const index = fileKey(build.searchIndex);
  const kept = { page: await deps.blobs.read(page), index: await deps.blobs.read(index) };
  await deps.blobs.delete(page);
  await deps.blobs.put(index, Buffer.from('something else'));
  const fault = {
    site: 'verified',
    of: `live deployment ${deploymentId}`,
    remedy: expect.stringContaining('rebuild'),
  };
  expect((await verify()).faults).toEqual([{ ...fault, missing: [page], changed: [index] }]);
  expect((await verify(true)).faults).toEqual([{ ...fault, missing: [page], changed: [] }]);
  await deps.blobs.put(page, kept.page as Uint8Array);
  await deps.blobs.put(index, kept.index as Uint8Array);
  expect((await verify()).faults).toEqual([]);
});

test('a missing manifest and a missing source are reported, and what nothing names is listed', async () => {
  const manifest = `manifests/${deploymentId}.json`;
  const source = `uploads/${deploymentId}.tar.gz`;
  const kept = { manifest: await deps.blobs.read(manifest), source: await deps.blobs.read(source) };
  await deps.blobs.delete(manifest);
  await deps.blobs.delete(source);
  const report = await verify();
  expect(report.faults.map(({ of, missing }) => [of, missing])).toEqual([
    [`live deployment ${deploymentId}`, [manifest]],
    ['the newest source', [source]],
  ]);
  // The files of the build are named by nothing now.
  expect(report.unnamed).toContain(fileKey(build.searchIndex));
  await deps.blobs.put(manifest, kept.manifest as Uint8Array);
  await deps.blobs.put(source, kept.source as Uint8Array);
});
