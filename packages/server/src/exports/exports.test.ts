import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { releaseOldBundles } from './job-queries.ts';
import {
  claimExportJob,
  completeExportJob,
  failExportJob,
  recordExportProgress,
} from './run-queries.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;

beforeAll(async () => {
  // No worker runs here, so all jobs may be in the queue at the same time.
  test = await openTestApp({ env: { DOCENT_EXPORTS_PER_ORGANIZATION: '1000' } });
  operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['index', 'guides/start', 'v1/old', 'v2/new']);
  await addSite(test, operator, 'empty');
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
});
afterAll(() => test.close());

const start = (payload: object, more: Record<string, string> = {}) =>
  callDeclared(test.app, {
    method: 'POST',
    url: '/v1/static-export/jobs',
    headers: { ...headers, ...more },
    payload,
  });
const get = (jobId: string, as = headers) =>
  callDeclared(test.app, { method: 'GET', url: `/v1/static-export/jobs/${jobId}`, headers: as });
const bundle = (jobId: string) =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/static-export/jobs/${jobId}/bundle`,
    headers,
  });

async function complete(jobId: string): Promise<void> {
  const { queries } = test.deps.database;
  const key = `bundles/${jobId}.tar.gz`;
  await test.deps.blobs.put(key, new TextEncoder().encode('0123456789'), {
    contentType: 'application/gzip',
  });
  const run = { jobId, runId: 'run' };
  await claimExportJob(queries, run, test.deps.clock.now());
  const bundleInfo = { key, sizeBytes: 10, sha256: 'ab'.repeat(32), signature: null };
  const report = { pageCount: 4, failedPages: [], errors: [] };
  expect(
    await completeExportJob(queries, run, {
      bundle: bundleInfo,
      report,
      now: test.deps.clock.now(),
    }),
  ).toBe(true);
}

describe('starting an export', () => {
  it('returns 202 with a queued job, and enqueues exactly one job in the same transaction', async () => {
    const before = test.deps.jobs.added.length;
    const response = await start({ domain: 'docs' });
    expect(response.statusCode).toBe(202);
    expect(response.json()).toMatchObject({
      status: 'queued',
      progress: 0,
      pageCount: 0,
      domain: 'docs',
      version: null,
    });
    expect(response.json().jobId).toMatch(/^se_[0-9a-f]{16}$/);
    expect(response.json()).not.toHaveProperty('error');
    expect(test.deps.jobs.added.slice(before)).toMatchObject([
      { name: 'export-site', payload: { jobId: response.json().jobId }, inTransaction: true },
    ]);
  });

  it.each(['https://docs.example.com', 'docs.example.com/', 'docs:80', '', 'a b', 'docs\u0000'])(
    'rejects the malformed domain %j',
    async (domain) => {
      const response = await start({ domain });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        code: 'invalid_domain',
        errors: [{ path: '/domain' }],
      });
    },
  );

  it('returns 404 for a site that is unknown, of another organization, or without content', async () => {
    const stranger = await addOrganization(test);
    await addSite(test, stranger, 'theirs', ['index']);
    for (const domain of ['nope', 'theirs', 'empty']) {
      const response = await start({ domain });
      expect([response.statusCode, response.json().code]).toEqual([404, 'site_not_found']);
    }
  });

  it('rejects unknown pages in paths, with a JSON pointer to each', async () => {
    const response = await start({ domain: 'docs', paths: ['/guides/start', 'nope', '../x'] });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'invalid_paths',
      errors: [{ path: '/paths/1' }, { path: '/paths/2' }],
    });
  });

  it('accepts only a version that the build contains', async () => {
    expect((await start({ domain: 'docs', version: 'v9' })).json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/version' }],
    });
    expect((await start({ domain: 'docs', version: 'v1' })).statusCode).toBe(202);
  });

  it('returns 400 with a JSON pointer for each value of the wrong type', async () => {
    const response = await start({ domain: 7, paths: ['a', 3] });
    expect(response.statusCode).toBe(400);
    expect(
      response
        .json()
        .errors.map((error: { path: string }) => error.path)
        .sort(),
    ).toEqual(['/domain', '/paths/1']);
  });

  it('creates one job per Idempotency-Key, also for concurrent requests', async () => {
    const before = test.deps.jobs.added.length;
    const payload = { domain: 'docs', paths: ['/guides/start.html', '/'] };
    const all = await Promise.all(
      [1, 2, 3].map(() => start(payload, { 'idempotency-key': 'once' })),
    );
    const again = await start(payload, { 'idempotency-key': 'once' });
    expect(new Set([...all, again].map((response) => response.json().jobId)).size).toBe(1);
    expect(again.statusCode).toBe(202);
    expect(test.deps.jobs.added.length - before).toBe(1);
  });

  it('names the request that started a job, which leads to its entry in the audit log', async () => {
    const response = await start({ domain: 'docs' });
    const job = response.json();
    expect(job.requestId).toBe(response.headers['x-request-id']);
    expect((await get(job.jobId)).json().requestId).toBe(job.requestId);
    const entries = await callDeclared(test.app, {
      method: 'GET',
      url: `/v1/audit-log?q=${job.requestId}`,
      headers,
    });
    expect(entries.json().items).toMatchObject([
      { action: 'startStaticExport', requestId: job.requestId },
    ]);
  });

  it('rejects the Idempotency-Key of a different export with 409', async () => {
    await start({ domain: 'docs' }, { 'idempotency-key': 'taken' });
    const response = await start({ domain: 'docs', version: 'v1' }, { 'idempotency-key': 'taken' });
    expect([response.statusCode, response.json().code]).toEqual([409, 'idempotency_key_reused']);
  });
});

describe('access to exports', () => {
  it('is denied to an organization without the Enterprise plan', async () => {
    const free = await addOrganization(test, 'free');
    const key = await addKey(test, free, { kind: 'admin' });
    const response = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/static-export/jobs',
      headers: key.headers,
      payload: { domain: 'docs' },
    });
    expect([response.statusCode, response.json().code]).toEqual([403, 'plan_required']);
  });

  it('is denied to an assistant key', async () => {
    const key = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    const response = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/static-export/jobs',
      headers: key.headers,
      payload: { domain: 'docs' },
    });
    expect([response.statusCode, response.json().code]).toEqual([403, 'wrong_key_kind']);
  });

  it('is limited to reading jobs for a read-only key', async () => {
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
    const job = (await start({ domain: 'docs' })).json();
    expect((await get(job.jobId, reader.headers)).statusCode).toBe(200);
    const refused = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/static-export/jobs',
      headers: reader.headers,
      payload: { domain: 'docs' },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'scope_missing']);
  });

  it('returns the same 404 for a job of another organization as for an unknown one', async () => {
    const job = (await start({ domain: 'docs' })).json();
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    const theirs = await get(job.jobId, stranger.headers);
    const none = await get('se_0000000000000000', stranger.headers);
    expect([theirs.statusCode, none.statusCode]).toEqual([404, 404]);
    expect({ ...theirs.json(), requestId: '' }).toEqual({ ...none.json(), requestId: '' });
  });

  it.each(['nope', 'se_', 'se_00000000000000%00', '%2e%2e', "se_' or 1=1--"])(
    'returns 404 for the invalid job id %j',
    async (jobId) => {
      expect((await get(jobId)).statusCode).toBe(404);
    },
  );
});

describe('the state of a job', () => {
  it('never moves backward, and its progress never falls', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    const { queries } = test.deps.database;
    const now = test.deps.clock.now();
    const [first, second] = [
      { jobId, runId: 'first' },
      { jobId, runId: 'second' },
    ];
    expect((await claimExportJob(queries, first, now))?.status).toBe('running');
    await recordExportProgress(queries, first, { progress: 50, pageCount: 2, totalPages: 4, now });
    expect((await claimExportJob(queries, second, now))?.progress).toBe(50);
    await recordExportProgress(queries, second, { progress: 25, pageCount: 1, totalPages: 4, now });
    await recordExportProgress(queries, first, { progress: 90, pageCount: 4, totalPages: 4, now });
    expect((await get(jobId)).json()).toMatchObject({
      status: 'running',
      progress: 50,
      pageCount: 2,
      totalPages: 4,
    });
    await complete(jobId);
    await failExportJob(queries, jobId, { error: 'too late', now });
    expect(await claimExportJob(queries, second, now)).toBeUndefined();
    expect((await get(jobId)).json()).toMatchObject({
      status: 'completed',
      progress: 100,
      pageCount: 4,
      totalPages: 4,
    });
  });

  it('includes the error if it failed, and there is no bundle', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    await failExportJob(test.deps.database.queries, jobId, {
      error: 'The disk is full.',
      now: test.deps.clock.now(),
    });
    expect((await get(jobId)).json()).toMatchObject({
      status: 'failed',
      error: 'The disk is full.',
    });
    expect([(await bundle(jobId)).statusCode, (await bundle(jobId)).json().code]).toEqual([
      409,
      'job_not_completed',
    ]);
  });
});

describe('the bundle of a job', () => {
  it('is rejected with 409 before the job is completed, and with 404 for an unknown job', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    expect((await bundle(jobId)).statusCode).toBe(409);
    expect((await bundle('se_0000000000000000')).statusCode).toBe(404);
  });

  it('has a new link per request to the same bytes, which works without headers until it expires', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    await complete(jobId);
    const first = (await bundle(jobId)).json();
    test.deps.clock.advance(3600);
    const second = (await bundle(jobId)).json();
    expect(second.sha256).toBe(first.sha256);
    expect(Date.parse(second.expiresAt) - Date.parse(first.expiresAt)).toBe(3_600_000);
    expect(Date.parse(second.expiresAt) - test.deps.clock.now().getTime()).toBe(86_400_000);

    const link = new URL(second.bundleUrl);
    const fetched = await test.app.inject({ method: 'GET', url: link.pathname + link.search });
    expect([fetched.statusCode, fetched.body]).toEqual([200, '0123456789']);
    expect(fetched.headers['content-disposition']).toBe(
      'attachment; filename="docs-export-2026-11-20.tar.gz"',
    );
    test.deps.clock.advance(86_400);
    expect(
      (await test.app.inject({ method: 'GET', url: link.pathname + link.search })).statusCode,
    ).toBe(403);
    expect((await bundle(jobId)).statusCode).toBe(200);
  });

  it('returns 410 after its retention time, and the job shows when it was deleted', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    await complete(jobId);
    const now = test.deps.clock.now();
    await releaseOldBundles(test.deps.database.queries, new Date(now.getTime() + 1), now);
    expect([(await bundle(jobId)).statusCode, (await bundle(jobId)).json().code]).toEqual([
      410,
      'bundle_deleted',
    ]);
    expect((await get(jobId)).json()).toMatchObject({
      status: 'completed',
      bundleDeletedAt: now.toISOString(),
    });
  });

  it('can be deleted, which ends its links and leaves the job', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    const remove = (as = headers) => {
      const request = { method: 'DELETE', url: `/v1/static-export/jobs/${jobId}/bundle` } as const;
      return callDeclared(test.app, { ...request, headers: as });
    };
    expect((await remove()).json().code).toBe('job_not_completed');
    await complete(jobId);
    const link = new URL((await bundle(jobId)).json().bundleUrl);
    const fetchBundle = () =>
      test.app.inject({ method: 'GET', url: link.pathname + link.search, headers: {} });
    expect((await fetchBundle()).statusCode).toBe(200);
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect((await remove(stranger.headers)).json().code).toBe('job_not_found');
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 204]);
    expect((await fetchBundle()).statusCode).toBe(404);
    expect((await bundle(jobId)).json()).toMatchObject({
      code: 'bundle_deleted',
      detail: expect.stringMatching(/^The bundle was deleted on \d{4}-\d\d-\d\d/),
    });
    expect((await get(jobId)).json()).toMatchObject({
      status: 'completed',
      bundleDeletedAt: test.deps.clock.now().toISOString(),
    });
  });

  it('can be requested with a JSON content type and no body', async () => {
    const { jobId } = (await start({ domain: 'docs' })).json();
    await complete(jobId);
    const response = await callDeclared(test.app, {
      method: 'POST',
      url: `/v1/static-export/jobs/${jobId}/bundle`,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(response.statusCode).toBe(200);
  });
});

describe('the list of jobs', () => {
  it('is newest first and paged without gaps or duplicates, also for jobs of the same millisecond', async () => {
    const lister = await addOrganization(test);
    const key = await addKey(test, lister, { kind: 'admin' });
    await addSite(test, lister, 'listed', ['index']);
    await addSite(test, lister, 'other', ['index']);
    const begin = (domain: string) =>
      callDeclared(test.app, {
        method: 'POST',
        url: '/v1/static-export/jobs',
        headers: key.headers,
        payload: { domain },
      });
    for (let index = 0; index < 5; index++) await begin('listed');
    await begin('other');
    const list = async (query: string) =>
      (
        await callDeclared(test.app, {
          method: 'GET',
          url: `/v1/static-export/jobs?${query}`,
          headers: key.headers,
        })
      ).json();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { jobs: { jobId: string }[]; nextCursor: string | null } = await list(
        `domain=listed&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.jobs.map((job) => job.jobId));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    expect((await list('')).jobs).toHaveLength(6);
  });

  it('rejects a limit out of range and an invalid cursor', async () => {
    for (const [query, path] of [
      ['limit=0', '/limit'],
      ['limit=101', '/limit'],
      ['cursor=abc', '/cursor'],
    ]) {
      const response = await callDeclared(test.app, {
        method: 'GET',
        url: `/v1/static-export/jobs?${query}`,
        headers,
      });
      expect([response.statusCode, response.json().errors[0].path]).toEqual([400, path]);
    }
  });
});
