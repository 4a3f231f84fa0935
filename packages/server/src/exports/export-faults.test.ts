import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { checkSignature, createSignatureHash } from '@docent/compiler/bundle/bundle-signature.ts';
import { createSigningKey, readVerifyingKey } from '@docent/compiler/bundle/signing-key.ts';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { searchScriptsKey } from '@docent/compiler/site/stored-search-scripts.ts';
import type { Actor } from '@docent/format/access/may.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childProcesses } from '../../../../test/support/child-processes.ts';
import {
  changedStore,
  jobContext,
  publishPages,
  queueExport,
} from '../../../../test/support/exported-site.ts';
import { keysUnder } from '../../../../test/support/keys-under.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { openFileSystemBlobStore } from '../adapters/blob-store/file-system.ts';
import { cancelExport, getBundleLink, getExport } from './manage-exports.ts';
import { failKilledExport, runExport } from './run-export.ts';

const PAGES = 30;
let testApp: TestApp;
let deps: TestApp['deps'];
let operator: Actor;
let site: { siteId: string; deploymentId: string };

beforeAll(async () => {
  testApp = await openTestApp({ env: { DOCENT_EXPORTS_PER_ORGANIZATION: '1000' } });
  deps = testApp.deps;
  operator = await addOrganization(testApp);
  site = await publishPages(deps, operator, 'faults', { pages: PAGES });
});
afterAll(() => testApp.close());

const queue = () => queueExport(deps, operator, 'faults');
const jobRow = (id: string) => getExport(deps, operator, id);
const filesOf = (id: string) => keysUnder(deps.blobs, `bundles/${id}`);

async function bundleOf(id: string): Promise<Uint8Array> {
  const { bundleKey, bundleSha256 } = await jobRow(id);
  const bytes = (await deps.blobs.read(String(bundleKey))) as Uint8Array;
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(bundleSha256);
  return bytes;
}

/** The manifest, which is the last file of the archive. */
function manifestOf(bundle: Uint8Array): { report: { failedPages: { path: string }[] } } {
  const text = gunzipSync(bundle).toString('utf8');
  return JSON.parse(text.slice(text.lastIndexOf('{\n "schemaVersion"')).replace(/\0+$/, ''));
}

/** A store in which each read takes this long. */
const slowStore = (milliseconds: number) =>
  changedStore(deps.blobs, {
    read: async (key) => {
      await wait(milliseconds);
      return deps.blobs.read(key);
    },
  });

async function buildOf(deploymentId: string): Promise<SiteBuild> {
  const row = await deps.database.queries
    .selectFrom('deployments')
    .select('manifest_key')
    .where('id', '=', deploymentId)
    .executeTakeFirstOrThrow();
  return JSON.parse(new TextDecoder().decode(await deps.blobs.read(String(row.manifest_key))));
}

test('an export of a store on this machine reads the files in its own process, and packs the same bytes as one that is sent them', async () => {
  const [sent, direct] = [await queue(), await queue()];
  let reads = 0;
  const counted = (reader: typeof deps.blobs.reader) =>
    changedStore(deps.blobs, {
      reader,
      read: async (key) => {
        reads += 1;
        return deps.blobs.read(key);
      },
    });
  await runExport({ ...deps, blobs: counted(undefined) }, sent, jobContext());
  expect(reads).toBeGreaterThan(PAGES);
  reads = 0;
  await runExport({ ...deps, blobs: counted(deps.blobs.reader) }, direct, jobContext());
  expect(reads).toBe(0);
  expect(await bundleOf(direct)).toEqual(await bundleOf(sent));
});

test('an export retries while the blob store fails intermittently, its progress never falls, and it completes', async () => {
  const id = await queue();
  let reads = 0;
  const failing = changedStore(deps.blobs, {
    read: async (key) => {
      reads += 1;
      if (reads % 25 === 0) throw new Error('connection reset by the store');
      await wait(10);
      return deps.blobs.read(key);
    },
  });
  let last = 0;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await expect(
      runExport({ ...deps, blobs: failing }, id, jobContext({ attempt })),
    ).rejects.toThrow('reset by the store');
    const { status, progress, error } = await jobRow(id);
    expect([status, error]).toEqual(['running', null]);
    expect(progress).toBeGreaterThanOrEqual(last);
    last = progress;
    expect(await filesOf(id)).toEqual([]);
  }
  expect(last).toBeGreaterThan(0);
  await runExport(deps, id, jobContext({ attempt: 3 }));
  expect(await jobRow(id)).toMatchObject({
    status: 'completed',
    progress: 100,
    attempts: 3,
    pageCount: PAGES,
  });
  await bundleOf(id);
});

test('an export fails permanently after five failed attempts, to read or to write, with a safe message and without a file', async () => {
  const refuse = () => Promise.reject(new Error('secret host refused'));
  for (const fault of [{ put: refuse }, { read: refuse }]) {
    const id = await queue();
    const broken = changedStore(deps.blobs, fault);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await expect(
        runExport({ ...deps, blobs: broken }, id, jobContext({ attempt })),
      ).rejects.toThrow('refused');
      expect((await jobRow(id)).status).toBe('running');
    }
    await runExport({ ...deps, blobs: broken }, id, jobContext({ attempt: 5 }));
    const failed = {
      status: 'failed',
      attempts: 5,
      bundleKey: null,
      error: expect.not.stringContaining('secret'),
    };
    expect(await jobRow(id)).toMatchObject(failed);
    expect(await filesOf(id)).toEqual([]);
    await failKilledExport(deps, id);
    expect(await jobRow(id)).toMatchObject(failed);
  }
});

test('neither publishing nor an export has the search index or the pages in this process, and the process that packs ends', async () => {
  const reads: string[] = [];
  let packers: number[] = [];
  const watched = changedStore(deps.blobs, {
    read: async (key) => {
      reads.push(key);
      packers = childProcesses(process.pid, 'export-process');
      return deps.blobs.read(key);
    },
  });
  const published = await publishPages({ ...deps, blobs: watched }, operator, 'lean', { pages: 3 });
  const { searchIndex } = await buildOf(published.deploymentId);
  expect(await keysUnder(deps.blobs, searchScriptsKey(searchIndex))).toHaveLength(1);
  await runExport(
    { ...deps, blobs: watched },
    await queueExport(deps, operator, 'lean'),
    jobContext(),
  );
  expect(packers).toHaveLength(1);
  expect(reads).not.toContain(fileKey(searchIndex));
  await expect.poll(() => childProcesses(process.pid, 'export-process')).toEqual([]);
});

test('attempts that were ended by a shutdown do not count', async () => {
  const id = await queue();
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const stop = new AbortController();
    stop.abort(new Error('The server is shutting down.'));
    await expect(runExport(deps, id, jobContext({ attempt, signal: stop.signal }))).rejects.toThrow(
      'shutting down',
    );
  }
  await runExport(deps, id, jobContext());
  expect(await jobRow(id)).toMatchObject({ status: 'completed', attempts: 7 });
});

test('an export reports progress, and cancellation stops it without a file, also while the blob store does not respond', async () => {
  const id = await queue();
  let reads = 0;
  const silent = changedStore(deps.blobs, {
    read: (key) => {
      reads += 1;
      return reads > PAGES / 2 ? new Promise(() => {}) : deps.blobs.read(key);
    },
  });
  const running = runExport({ ...deps, blobs: silent }, id, jobContext());
  await expect.poll(async () => (await jobRow(id)).progress).toBeGreaterThan(0);
  await cancelExport(deps, operator, id);
  await running;
  expect(await jobRow(id)).toMatchObject({
    status: 'failed',
    endReason: 'canceled',
    bundleKey: null,
  });
  expect(await filesOf(id)).toEqual([]);
});

test('an export that is canceled at the very end keeps no bundle', async () => {
  const id = await queue();
  const late = changedStore(deps.blobs, {
    put: async (key, body, options) => {
      const { signal: _, ...rest } = options ?? {};
      const info = await deps.blobs.put(key, body, rest);
      await cancelExport(deps, operator, id);
      return info;
    },
  });
  await runExport({ ...deps, blobs: late }, id, jobContext());
  expect(await jobRow(id)).toMatchObject({ status: 'failed', bundleKey: null });
  expect(await filesOf(id)).toEqual([]);
});

test('an export fails permanently with a clear error if the blob store is full, and leaves no file', async () => {
  const id = await queue();
  const full = changedStore(deps.blobs, {
    put: async (_key, body) => {
      for await (const _chunk of body as AsyncIterable<Uint8Array>) break;
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  });
  await runExport({ ...deps, blobs: full }, id, jobContext({ lastAttempt: true }));
  expect(await jobRow(id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('storage for bundles is full'),
  });
  expect(await filesOf(id)).toEqual([]);
});

test('every line about a failed export names the request that started it, and so does the job', async () => {
  const id = await queueExport(deps, operator, 'faults', { requestId: 'req-1' });
  const lines: object[] = [];
  const error = (fields: object) => void lines.push(fields);
  const blobs = changedStore(deps.blobs, { put: () => Promise.reject(new Error('broken')) });
  await expect(
    runExport({ ...deps, blobs, logger: { ...deps.logger, error } }, id, jobContext()),
  ).rejects.toThrow();
  expect(lines).toEqual([expect.objectContaining({ jobId: id, requestId: 'req-1' })]);
  expect(await jobRow(id)).toMatchObject({ requestId: 'req-1' });
});

test('an export to a full disk leaves nothing behind, and completes when there is room', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-full-'));
  const mount = (size: string, ...more: string[]) =>
    spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      [...more, `size=${size}`].join(','),
      'docent-test',
      folder,
    ]).status === 0;
  if (!mount('24k')) return context.skip('a small file system can only be mounted by root');
  try {
    const small = await openFileSystemBlobStore({
      folder,
      linkBaseUrl: 'http://localhost',
      secret: 'x',
      clock: deps.clock,
    });
    const toSmall = changedStore(deps.blobs, {
      put: (key, body, options) => small.put(key, body, options),
    });
    const id = await queue();
    await expect(runExport({ ...deps, blobs: toSmall }, id, jobContext())).rejects.toThrow(
      'ENOSPC',
    );
    expect(await keysUnder(small, 'bundles/')).toEqual([]);
    expect(mount('32m', 'remount')).toBe(true);
    await runExport({ ...deps, blobs: toSmall }, id, jobContext({ attempt: 2 }));
    expect(await jobRow(id)).toMatchObject({ status: 'completed' });
    expect(await keysUnder(small, 'bundles/')).toEqual([(await jobRow(id)).bundleKey]);
  } finally {
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  }
});

test('only the later of two workers on one job leaves a bundle, which matches its row', async () => {
  const id = await queue();
  const first = runExport({ ...deps, blobs: slowStore(40) }, id, jobContext());
  await expect.poll(async () => (await jobRow(id)).progress).toBeGreaterThan(0);
  await Promise.all([first, runExport(deps, id, jobContext({ attempt: 2 }))]);
  expect(await jobRow(id)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await filesOf(id)).toEqual([(await jobRow(id)).bundleKey]);
  await bundleOf(id);
});

test('two workers that start concurrently leave one bundle', async () => {
  const id = await queue();
  await Promise.all([
    runExport(deps, id, jobContext()),
    runExport(deps, id, jobContext({ attempt: 2 })),
  ]);
  expect(await jobRow(id)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await filesOf(id)).toEqual([(await jobRow(id)).bundleKey]);
});

test('publishing during an export does not change what it exports', async () => {
  const before = await publishPages(deps, operator, 'moving', { pages: 12, text: 'Old words. ' });
  const reference = await queueExport(deps, operator, 'moving');
  await runExport(deps, reference, jobContext());
  const id = await queueExport(deps, operator, 'moving');
  const running = runExport({ ...deps, blobs: slowStore(60) }, id, jobContext());
  await publishPages(deps, operator, 'moving', {
    pages: 12,
    text: 'New words. ',
    siteId: before.siteId,
  });
  await running;
  expect((await jobRow(id)).bundleSha256).toBe((await jobRow(reference)).bundleSha256);
  const after = await queueExport(deps, operator, 'moving');
  await runExport(deps, after, jobContext());
  expect((await jobRow(after)).bundleSha256).not.toBe((await jobRow(id)).bundleSha256);
});

test('publishing the same content again does not change the bytes of its export', async () => {
  const one = await queue();
  await runExport(deps, one, jobContext());
  await publishPages(deps, operator, 'faults', { pages: PAGES, siteId: site.siteId });
  const other = await queue();
  await runExport(deps, other, jobContext());
  expect((await jobRow(other)).bundleSha256).toBe((await jobRow(one)).bundleSha256);
});

test('each bundle is signed if the operator has a signing key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-key-'));
  const { secret, public: publicKey } = createSigningKey();
  await writeFile(join(folder, 'key'), secret);
  const config = {
    ...deps.config,
    exports: { ...deps.config.exports, signingKeyFile: join(folder, 'key') },
  };
  const id = await queue();
  await runExport({ ...deps, config }, id, jobContext());
  const link = await getBundleLink(deps, operator, id);
  const digest = createSignatureHash()
    .update(await bundleOf(id))
    .digest();
  expect(checkSignature(digest, String(link.signature), readVerifyingKey(publicKey))).toContain(
    link.sha256,
  );
  await rm(folder, { recursive: true });
});

test('an export reports a page that fails to render, and fails if too many do', async () => {
  const { deploymentId } = await publishPages(deps, operator, 'broken', {
    pages: 10,
    text: 'Breaks. ',
  });
  const { pages } = await buildOf(deploymentId);
  const breakPage = async (index: number, text: string) => {
    const content = pages[index]?.content;
    if (content) await deps.blobs.put(fileKey(content), new TextEncoder().encode(text));
  };
  await breakPage(3, 'not json');
  const id = await queueExport(deps, operator, 'broken');
  await runExport(deps, id, jobContext());
  const job = await jobRow(id);
  expect(job).toMatchObject({
    status: 'completed',
    report: { pageCount: 10, failedPages: [{ path: 'page-3' }] },
  });
  expect(manifestOf(await bundleOf(id)).report.failedPages.map((page) => page.path)).toEqual([
    'page-3',
  ]);

  for (const index of [4, 5, 6]) await breakPage(index, `also not json ${index}`);
  const refused = await queueExport(deps, operator, 'broken');
  await runExport(deps, refused, jobContext());
  expect(await jobRow(refused)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringMatching(/^4 of 10 pages failed.*page-3/),
    report: { failedPages: [{}, {}, {}, {}] },
  });
  expect(await filesOf(refused)).toEqual([]);
});
