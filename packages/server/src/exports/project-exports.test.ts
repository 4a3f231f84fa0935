import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { claimExportJob, completeExportJob, failExportJob } from './run-queries.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;
let siteId: string;
let count = 0;

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_LIMIT_EXPORTS_PER_ORGANIZATION_HOUR: '3' } });
});
afterAll(() => test.close());

beforeEach(async () => {
  operator = await addOrganization(test);
  count += 1;
  ({ siteId } = await addSite(test, operator, `docs-${count}`, ['index']));
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
});

const start = (
  payload?: object,
  { project = siteId, more = {} }: { project?: string; more?: Record<string, string> } = {},
) =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/static-export/${project}/jobs`,
    headers: { ...headers, ...more },
    ...(payload && { payload }),
  });
const get = (jobId: string, project = siteId) =>
  callDeclared(test.app, {
    method: 'GET',
    url: `/v1/static-export/${project}/jobs/${jobId}`,
    headers,
  });

const fail = (jobId: string) =>
  failExportJob(test.deps.database.queries, jobId, {
    error: 'It broke.',
    now: test.deps.clock.now(),
  });

async function complete(jobId: string): Promise<void> {
  const run = { jobId, runId: 'run' };
  const bundle = {
    key: `bundles/${jobId}.run.tar.gz`,
    sizeBytes: 10,
    sha256: 'ab'.repeat(32),
    signature: null,
  };
  await test.deps.blobs.put(bundle.key, new TextEncoder().encode('0123456789'), {
    contentType: 'application/gzip',
  });
  await claimExportJob(test.deps.database.queries, run, test.deps.clock.now());
  const report = { pageCount: 1, failedPages: [], errors: [] };
  await completeExportJob(test.deps.database.queries, run, {
    bundle,
    report,
    now: test.deps.clock.now(),
  });
}

describe('the export of a project', () => {
  it('starts with 202 without a body, with an empty object, and with an empty base path', async () => {
    for (const payload of [undefined, {}, { basePath: '' }]) {
      const response = await start(
        payload,
        payload === undefined ? { more: { 'content-type': 'application/json' } } : {},
      );
      expect(response.statusCode).toBe(202);
      expect(response.json()).toEqual({
        jobId: expect.any(String),
        status: 'queued',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        error: null,
      });
      await fail(response.json().jobId);
    }
  });

  it.each(['/docs', '/documentation'])('stores the base path %s with the job', async (basePath) => {
    const { jobId } = (await start({ basePath })).json();
    const job = await callDeclared(test.app, {
      method: 'GET',
      url: `/v1/static-export/jobs/${jobId}`,
      headers,
    });
    expect(job.json().options.basePath).toBe(basePath);
  });

  it.each(['/guides', 'docs', '/docs/', '/', null, 7])(
    'rejects the base path %j with 400, without counting against the rate limit',
    async (basePath) => {
      for (let index = 0; index < 5; index += 1) {
        const response = await start({ basePath });
        expect([response.statusCode, response.json().errors[0].path]).toEqual([400, '/basePath']);
      }
      expect((await start()).statusCode).toBe(202);
    },
  );

  it('returns a new bundle link per poll once completed, while updatedAt stays at the last state change', async () => {
    const { jobId } = (await start()).json();
    expect((await get(jobId)).json()).not.toHaveProperty('bundleUrl');
    test.deps.clock.advance(60);
    await complete(jobId);
    const first = (await get(jobId)).json();
    const { createdAt, updatedAt, expiresAt } = first;
    expect(first).toMatchObject({
      jobId,
      status: 'completed',
      error: null,
      sizeBytes: 10,
      sha256: 'ab'.repeat(32),
    });
    expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBe(60_000);
    test.deps.clock.advance(3600);
    const again = (await get(jobId)).json();
    expect(Date.parse(again.expiresAt) - Date.parse(expiresAt)).toBe(3_600_000);
    expect(again.updatedAt).toBe(updatedAt);
    const link = new URL(again.bundleUrl);
    const file = await test.app.inject({ method: 'GET', url: link.pathname + link.search });
    expect(file.headers['content-disposition']).toMatch(
      /filename="docs-\d+-export-\d{4}-\d\d-\d\d\.tar\.gz"$/,
    );
  });

  it('reports why it failed', async () => {
    const { jobId } = (await start()).json();
    await fail(jobId);
    expect((await get(jobId)).json()).toMatchObject({ status: 'failed', error: 'It broke.' });
  });

  it('is rejected with 409 during another export of the site, without counting against the rate limit', async () => {
    const { jobId } = (await start()).json();
    for (const prepare of [
      async () => {},
      () => claimExportJob(test.deps.database.queries, { jobId, runId: 'x' }, new Date()),
    ]) {
      await prepare();
      for (let index = 0; index < 3; index += 1)
        expect([(await start()).statusCode, (await start()).json().code]).toEqual([
          409,
          'export_in_progress',
        ]);
    }
    await fail(jobId);
    expect((await start()).statusCode).toBe(202);
  });

  it('starts only one job for concurrent requests', async () => {
    const all = await Promise.all([1, 2, 3].map(() => start()));
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([202, 409, 409]);
  });

  it('starts one job per Idempotency-Key, also for concurrent requests', async () => {
    const more = { 'idempotency-key': 'again' };
    const all = await Promise.all([1, 2].map(() => start({}, { more })));
    const later = await start({}, { more });
    expect([...all, later].map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    expect(new Set([...all, later].map((one) => one.json().jobId)).size).toBe(1);
  });

  it('is rejected with 429 and Retry-After beyond the hourly limit, which every response shows', async () => {
    for (let left = 2; left >= 0; left -= 1) {
      const response = await start();
      expect(response.statusCode).toBe(202);
      expect(response.headers.ratelimit).toMatch(
        new RegExp(`"exports-organization";r=${left};t=\\d+`),
      );
      await fail(response.json().jobId);
    }
    const refused = await start();
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect(refused.headers['ratelimit-policy']).toBe('"exports-organization";q=3;w=3600');
    const unlimited = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/static-export/jobs',
      headers,
      payload: { domain: siteId },
    });
    expect(unlimited.statusCode).toBe(202);
  });

  it('does not reveal sites of other organizations or jobs of other sites', async () => {
    const { jobId } = (await start()).json();
    const { siteId: other } = await addSite(test, operator, `other-${count}`, ['index']);
    expect([
      (await get(jobId, other)).statusCode,
      (await get('se_0000000000000000')).statusCode,
    ]).toEqual([404, 404]);
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect((await start({}, { more: stranger.headers })).json().code).toBe('site_not_found');
  });

  it('works for a site with the slug "jobs"', async () => {
    await addSite(test, operator, 'jobs', ['index']);
    const url = '/v1/static-export/jobs/jobs';
    const started = await test.app.inject({ method: 'POST', url, headers });
    expect(started.statusCode).toBe(202);
    const job = await test.app.inject({
      method: 'GET',
      url: `${url}/${started.json().jobId}`,
      headers,
    });
    expect(job.json()).toMatchObject({ status: 'queued', error: null });
  });

  it('requires the Enterprise plan', async () => {
    const free = await addKey(test, await addOrganization(test, 'free'), { kind: 'admin' });
    expect((await start({}, { more: free.headers })).json().code).toBe('plan_required');
  });
});
