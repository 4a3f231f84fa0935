import { createHash } from 'node:crypto';
import { describeFile, fileKey } from '@docent/compiler/files/file-sink.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import type { Actor } from '@docent/format/access/may.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { defaultExportOptions } from '@docent/format/exports/export-options.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keysUnder } from '../../../../test/support/keys-under.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { insertExportJob } from '../exports/job-queries.ts';
import { runExport } from '../exports/run-export.ts';
import { createUlid } from '../kernel/ids.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { DELETED_MANIFEST } from '../ports/tables.ts';
import { createSite } from '../sites/create-site.ts';
import {
  cleanUpBuilds,
  cleanUpDeployments,
  oldBuilds,
  spareBuildsBeyond,
} from './clean-up-builds.ts';
import { insertDeployment } from './deployment-queries.ts';
import type { StoredBuild } from './kept-build-queries.ts';
import { publishSite } from './publish-site.ts';

const HOUR_SECONDS = 3600;
const context: JobContext = { signal: new AbortController().signal, attempt: 1, lastAttempt: true };
let testApp: TestApp;
let deps: TestApp['deps'];
let operator: Actor;
let slug = 0;

beforeAll(async () => {
  testApp = await openTestApp({ env: { DOCENT_KEPT_DEPLOYMENTS: '2' } });
  deps = testApp.deps;
  operator = await addOrganization(testApp);
});
beforeEach(() => {
  slug += 1;
});
afterAll(() => testApp.close());

const addSite = async (name = `site-${slug}`) =>
  (await createSite(deps, operator, { slug: name, hostnames: [] })).id;

/** A site with one page that contains `text`, and one that never changes. */
async function deploy(siteId: string, text: string): Promise<string> {
  deps.clock.advance(1);
  const id = createUlid(deps.clock.now());
  const config = {
    theme: 'mint',
    name: 'Kept',
    colors: { primary: '#4f46e5' },
    navigation: { pages: ['index', 'same'] },
  };
  const files = {
    'docs.json': JSON.stringify(config),
    'index.mdx': `# ${text}\n\n${text}\n`,
    'same.mdx': '# Same\n\nSame.\n',
  };
  const source = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
  }));
  const sourceKey = `uploads/${id}.tar.gz`;
  await deps.blobs.put(sourceKey, packBundle(ReadableStream.from(source)));
  await insertDeployment(deps.database.queries, {
    id,
    siteId,
    sourceKey,
    createdAt: deps.clock.now(),
  });
  return id;
}

async function publish(siteId: string, text: string): Promise<string> {
  const id = await deploy(siteId, text);
  await publishSite(deps, id, context);
  return id;
}

/** Publishes other content: a live deployment with a unique file. */
async function publishOther(siteId: string): Promise<string> {
  const id = await deploy(siteId, '');
  const bytes = Buffer.from(id);
  const file = describeFile(bytes, 'text/plain');
  const manifestKey = `manifests/${id}.json`;
  await deps.blobs.put(fileKey(file), bytes);
  await deps.blobs.put(
    manifestKey,
    Buffer.from(JSON.stringify({ pages: [], files: { own: file }, searchIndex: file })),
  );
  const ended = {
    status: 'success',
    manifest_key: manifestKey,
    build_id: id,
    ended_at: deps.clock.now(),
  } as const;
  const { queries } = deps.database;
  await queries.updateTable('deployments').set(ended).where('id', '=', id).execute();
  await queries
    .updateTable('sites')
    .set({ live_deployment_id: id })
    .where('id', '=', siteId)
    .execute();
  return id;
}

const rowOf = (id: string) =>
  deps.database.queries
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

async function buildOf(id: string): Promise<SiteBuild> {
  return JSON.parse(
    Buffer.from((await deps.blobs.read(`manifests/${id}.json`)) ?? []).toString(),
  ) as SiteBuild;
}

const filesOf = ({ pages, files, searchIndex }: SiteBuild) => [
  ...pages.map(({ content }) => fileKey(content)),
  ...Object.values(files).map(fileKey),
  fileKey(searchIndex),
];

async function missingOf(id: string): Promise<string[]> {
  const keys = filesOf(await buildOf(id));
  const found = await Promise.all(keys.map((key) => deps.blobs.stat(key)));
  return keys.filter((_, index) => found[index] === undefined);
}

async function queueExport(siteId: string, deploymentId: string): Promise<string> {
  const id = `se_${createHash('sha256').update(deploymentId).digest('hex').slice(0, 16)}`;
  await insertExportJob(deps.database.queries, {
    id,
    organizationId: operator.organizationId,
    siteId,
    deploymentId,
    domain: 'x',
    options: defaultExportOptions,
    waiting: false,
    idempotencyKey: null,
    madeBy: 'operator',
    createdAt: deps.clock.now(),
  });
  return id;
}

const exportRow = (id: string) =>
  deps.database.queries
    .selectFrom('export_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** The blob store, with a side effect before the first call of one method. */
function blobsWith(method: 'read' | 'delete', happens: () => Promise<void>): BlobStore {
  const { blobs } = deps;
  const first = { happened: false };
  const intercepted = async (key: string) => {
    if (!first.happened) {
      first.happened = true;
      await happens();
    }
    return blobs[method](key);
  };
  return new Proxy<BlobStore>(blobs, {
    get(store, name: keyof BlobStore) {
      // Without a reader, another process asks this one.
      if (name === 'reader') return undefined;
      return name === method ? intercepted : (store[name] as () => void).bind(store);
    },
  });
}

test('the clean-up keeps the newest builds of each site, those in use, and those that were recent an hour ago', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const build = (siteId: string, minutesAgo: number, isInUse = false): StoredBuild => {
    const publishedAt = new Date(now.getTime() - minutesAgo * 60_000);
    const sizes = { buildBytes: 0, addedBytes: 0 };
    return {
      deploymentId: `${siteId}${minutesAgo}`,
      siteId,
      organizationId: 'o',
      accountable: 'o',
      previewId: null,
      manifestKey: '',
      ...sizes,
      publishedAt,
      isInUse,
    };
  };
  const a = [10, 70, 80, 90, 100].map((minutes) => build('a', minutes));
  const b = [build('b', 5000), build('b', 6000), build('b', 7000, true), build('b', 8000)];
  expect(oldBuilds([...a, ...b], 2, now).map(({ deploymentId }) => deploymentId)).toEqual([
    'a90',
    'a100',
    'b8000',
  ]);
});

test('over the storage limit, the clean-up deletes the oldest unused builds until the rest fits', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const build = (
    siteId: string,
    hoursAgo: number,
    addedBytes: number,
    isInUse = false,
  ): StoredBuild => {
    const publishedAt = new Date(now.getTime() - hoursAgo * 3_600_000);
    const sizes = { buildBytes: 100, addedBytes };
    return {
      deploymentId: `${siteId}${hoursAgo}`,
      siteId,
      organizationId: 'o',
      accountable: 'o',
      previewId: null,
      manifestKey: '',
      ...sizes,
      publishedAt,
      isInUse,
    };
  };
  const a = [build('a', 2, 10, true), build('a', 4, 10), build('a', 6, 100)];
  const b = [build('b', 3, 60, true), build('b', 5, 100)];
  const fresh = [build('c', 0.5, 100, true), build('c', 7, 100)];
  const gone = (room: number) =>
    spareBuildsBeyond([...a, ...b, ...fresh], room, now).map(({ deploymentId }) => deploymentId);
  // 120 of a, 160 of b, 200 of c.
  expect(gone(480)).toEqual([]);
  expect(gone(479)).toEqual(['a6']);
  expect(gone(430)).toEqual(['a6', 'b5']);
  expect(gone(0)).toEqual(['a6', 'b5', 'a4']);
});

test('an old build is deleted with its files, search parts and vectors, and files of other builds are kept', async () => {
  const [siteId, other] = [await addSite(), await addSite('other')];
  const first = await publish(siteId, 'First');
  const elsewhere = await publish(other, 'Shared');
  const shared = await publish(siteId, 'Shared');
  const { searchIndex, pages } = await buildOf(first);
  const derived = [`search-parts/2/${searchIndex.sha256}`, `vectors/${searchIndex.sha256}/model`];
  for (const key of [...derived, 'files/notes.txt']) await deps.blobs.put(key, new Uint8Array(1));
  const newer = [await publishOther(siteId), await publishOther(siteId)];
  await cleanUpBuilds(deps);
  expect(await missingOf(first)).toEqual([]);

  deps.clock.advance(HOUR_SECONDS);
  await cleanUpBuilds(deps);
  const ownFiles = [
    fileKey(pages.find(({ path }) => path === 'index')?.content as never),
    fileKey(searchIndex),
  ];
  for (const key of [
    ...derived,
    ...ownFiles,
    `manifests/${first}.json`,
    `manifests/${shared}.json`,
  ]) {
    expect(await deps.blobs.stat(key), key).toBeUndefined();
  }
  for (const id of [...newer, elsewhere]) expect(await missingOf(id)).toEqual([]);
  expect(await keysUnder(deps.blobs, 'files/notes')).toEqual(['files/notes.txt']);
  expect(await rowOf(first)).toMatchObject({ status: 'success', manifest_key: DELETED_MANIFEST });
});

test('an exported build is kept until the export ends, even while newer ones are published', async () => {
  const siteId = await addSite();
  const exported = await publish(siteId, 'Exported');
  const job = await queueExport(siteId, exported);
  for (let i = 0; i < 3; i++) await publishOther(siteId);
  deps.clock.advance(2 * HOUR_SECONDS);
  await cleanUpBuilds(deps);
  expect(await missingOf(exported)).toEqual([]);

  await runExport({ ...deps, blobs: blobsWith('read', () => cleanUpBuilds(deps)) }, job, context);
  expect(await exportRow(job)).toMatchObject({ status: 'completed', page_count: 2 });
  await cleanUpBuilds(deps);
  expect(await deps.blobs.stat(`manifests/${exported}.json`)).toBeUndefined();
});

test('nothing is deleted while a site is being built, and the next clean-up deletes it', async () => {
  const siteId = await addSite();
  const [old = ''] = [
    await publishOther(siteId),
    await publishOther(siteId),
    await publishOther(siteId),
  ];
  deps.clock.advance(2 * HOUR_SECONDS);
  const building = await deploy(siteId, 'Old');
  const set = (status: 'in_progress' | 'failure') =>
    deps.database.queries
      .updateTable('deployments')
      .set({ status })
      .where('id', '=', building)
      .execute();
  await set('in_progress');
  await cleanUpBuilds(deps, async () => false);
  expect(await missingOf(old)).toEqual([]);
  await set('failure');
  await cleanUpBuilds(deps);
  expect(await deps.blobs.stat(`manifests/${old}.json`)).toBeUndefined();
});

test('on a busy server a clean-up waits for a moment without a build, and keeps what was published meanwhile', async () => {
  const siteId = await addSite();
  const old = await publish(siteId, 'Used again');
  const other = await publishOther(siteId);
  for (let i = 0; i < 2; i++) await publishOther(siteId);
  deps.clock.advance(2 * HOUR_SECONDS);
  const building = await deploy(siteId, 'Used again');
  const setStatus = (status: 'in_progress' | 'queued') =>
    deps.database.queries
      .updateTable('deployments')
      .set({ status })
      .where('id', '=', building)
      .execute();
  await setStatus('in_progress');
  let pauses = 0;
  await cleanUpBuilds(deps, async () => {
    pauses += 1;
    if (pauses < 3) return true;
    await setStatus('queued');
    await publishSite(deps, building, context);
    return true;
  });
  expect(pauses).toBe(3);
  expect(await rowOf(building)).toMatchObject({ status: 'success' });
  expect(await missingOf(building)).toEqual([]);
  for (const id of [old, other])
    expect(await deps.blobs.stat(`manifests/${id}.json`)).toBeUndefined();
});

test.each(['read', 'delete'] as const)(
  'content that is published again while its old build is deleted stays complete (at the first %s of the clean-up)',
  async (method) => {
    const siteId = await addSite();
    const old = await publish(siteId, 'Back again');
    for (let i = 0; i < 2; i++) await publishOther(siteId);
    deps.clock.advance(2 * HOUR_SECONDS);
    const again = await deploy(siteId, 'Back again');
    let publishing: Promise<void> | undefined;
    // A clean-up blocks deployments while it deletes, so it cannot wait for one.
    const publishAgain = async () => {
      publishing = publishSite(deps, again, context);
      if (method === 'read') await publishing;
    };
    await cleanUpBuilds({ ...deps, blobs: blobsWith(method, publishAgain) });
    await publishing;
    expect(await rowOf(again)).toMatchObject({ status: 'success' });
    await cleanUpBuilds(deps);
    expect(await missingOf(again)).toEqual([]);
    expect(await deps.blobs.stat(`manifests/${old}.json`)).toBeUndefined();
  },
);

test('an interrupted clean-up continues where it stopped', async () => {
  const siteId = await addSite();
  const [old = ''] = [
    await publishOther(siteId),
    await publishOther(siteId),
    await publishOther(siteId),
  ];
  const index = fileKey((await buildOf(old)).searchIndex);
  deps.clock.advance(2 * HOUR_SECONDS);
  const broken = blobsWith('delete', () => Promise.reject(new Error('the store is away')));
  await expect(cleanUpBuilds({ ...deps, blobs: broken })).rejects.toThrow('away');
  await cleanUpBuilds(deps);
  expect(await deps.blobs.stat(index)).toBeUndefined();
  expect(await deps.blobs.stat(`manifests/${old}.json`)).toBeUndefined();
});

test('a manifest that is missing does not stop the clean-up: a warning names its deployment, and others are cleaned up', async () => {
  const broken = await publish(await addSite(), 'Broken');
  await deps.blobs.delete(`manifests/${broken}.json`);
  const siteId = await addSite(`site-${slug}-other`);
  const [old = ''] = [
    await publishOther(siteId),
    await publishOther(siteId),
    await publishOther(siteId),
  ];
  deps.clock.advance(2 * HOUR_SECONDS);
  const warnings: object[] = [];
  await cleanUpBuilds({
    ...deps,
    logger: { ...deps.logger, warn: (fields: object) => warnings.push(fields) },
  });
  expect(await deps.blobs.stat(`manifests/${old}.json`)).toBeUndefined();
  expect(warnings).toEqual([{ deploymentId: broken, key: `manifests/${broken}.json` }]);
});

test('of a deployment without a build, the report goes first and the row later; builds, bundles and the newest stay', async () => {
  const { queries } = deps.database;
  const { id: siteId } = await createSite(deps, operator, { slug: 'aging', hostnames: [] });
  const day = 24 * 3600;
  const exported = await deploy(siteId, 'exported');
  const failed = await deploy(siteId, 'failed');
  const kept = await publishOther(siteId);
  const newestFailed = await deploy(siteId, 'newest');
  const report = { pageCount: 1, failedPageCount: 1, fileCount: 0, durationMs: 1, diagnostics: [] };
  for (const id of [exported, failed, newestFailed]) {
    const log = JSON.stringify([{ at: deps.clock.now().toISOString(), text: 'Failed.' }]);
    await queries
      .updateTable('deployments')
      .set({ status: 'failure', report: JSON.stringify(report), log, ended_at: deps.clock.now() })
      .where('id', '=', id)
      .execute();
  }
  await queries
    .updateTable('deployments')
    .set({ report: JSON.stringify(report) })
    .where('id', '=', kept)
    .execute();
  const job = await queueExport(siteId, exported);
  const bundle = {
    status: 'completed',
    bundle_key: 'bundles/aging.tar.gz',
    bundle_size_bytes: 1,
    bundle_sha256: 'a',
  } as const;
  await queries.updateTable('export_jobs').set(bundle).where('id', '=', job).execute();
  const left = async () => {
    const rows = await queries
      .selectFrom('deployments')
      .select(['id', 'report'])
      .where('site_id', '=', siteId)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.id, row.report !== null]));
  };

  deps.clock.advance(80 * day);
  await cleanUpDeployments(deps);
  expect(await left()).toEqual({
    [exported]: true,
    [failed]: true,
    [kept]: true,
    [newestFailed]: true,
  });

  deps.clock.advance(11 * day);
  await cleanUpDeployments(deps);
  expect(await left()).toEqual({
    [exported]: false,
    [failed]: false,
    [kept]: true,
    [newestFailed]: false,
  });
  expect((await rowOf(failed)).log).toEqual([]);

  deps.clock.advance(275 * day);
  await cleanUpDeployments(deps);
  expect(await left()).toEqual({ [exported]: false, [kept]: true, [newestFailed]: false });

  // A bundle that was deleted lately may still have a link that works.
  await queries
    .updateTable('export_jobs')
    .set({ bundle_deleted_at: deps.clock.now() })
    .where('id', '=', job)
    .execute();
  await cleanUpDeployments(deps);
  expect(Object.keys(await left())).toContain(exported);

  deps.clock.advance(400 * day);
  await queries
    .updateTable('export_jobs')
    .set({ updated_at: new Date(0) })
    .where('id', '=', job)
    .execute();
  await cleanUpDeployments(deps);
  expect(await left()).toEqual({ [kept]: true, [newestFailed]: false });
  expect(
    await queries.selectFrom('export_jobs').select('id').where('id', '=', job).execute(),
  ).toEqual([]);
});
