import { setTimeout as wait } from 'node:timers/promises';
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
import {
  claimExportJob,
  completeExportJob,
  type ExportRun,
  failExportJob,
  recordExportProgress,
} from './run-queries.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;
let address: string;

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_EXPORTS_PER_ORGANIZATION: '1000' } });
  operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['index', 'guides/start', 'v1/old']);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  address = await test.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => test.close());

const now = () => test.deps.clock.now();
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as = headers) =>
  callDeclared(test.app, {
    method,
    url: `/v1/static-export/jobs${url}`,
    headers: as,
    ...(payload && { payload }),
  });
const start = async (payload: object = {}): Promise<string> =>
  (await call('POST', '', { domain: 'docs', ...payload })).json().jobId;

async function claim(jobId: string): Promise<ExportRun> {
  const run = { jobId, runId: 'run' };
  await claimExportJob(test.deps.database.queries, run, now());
  return run;
}

async function complete(run: ExportRun): Promise<void> {
  const bundle = {
    key: `bundles/${run.jobId}.run.tar.gz`,
    sizeBytes: 1,
    sha256: 'ab'.repeat(32),
    signature: null,
  };
  const report = {
    pageCount: 4,
    failedPages: [{ path: 'a', file: 'a.html', reason: 'it broke' }],
    errors: [],
  };
  await completeExportJob(test.deps.database.queries, run, { bundle, report, now: now() });
}

describe('the options of an export', () => {
  it('are stored with the job and returned', async () => {
    const options = {
      version: 'v1',
      paths: ['index'],
      omittedLinks: 'text',
      basePath: '/docs',
      assistantUrl: 'https://docs.example.com',
      analyticsUrl: '/events',
    };
    const job = (await call('GET', `/${await start(options)}`)).json();
    expect(job.options).toEqual(options);
    expect((await call('GET', `/${await start()}`)).json().options).toEqual({
      omittedLinks: 'live',
      basePath: '',
    });
  });

  it.each([
    [{ basePath: 'docs' }, '/basePath'],
    [{ basePath: '/docs/' }, '/basePath'],
    [{ basePath: '/a/../b' }, '/basePath'],
    [{ omittedLinks: 'gone' }, '/omittedLinks'],
    [{ assistantUrl: 'javascript:alert(1)' }, '/assistantUrl'],
    [{ assistantUrl: '' }, '/assistantUrl'],
    [{ analyticsUrl: 'https://user:secret@x.example' }, '/analyticsUrl'],
    [{ language: 'fr' }, '/language'],
    [{ language: 7 }, '/language'],
  ])('%j is rejected with 400 and a pointer', async (payload, path) => {
    const response = await call('POST', '', { domain: 'docs', ...payload });
    expect([response.statusCode, response.json().code, response.json().errors[0].path]).toEqual([
      400,
      'invalid_request',
      path,
    ]);
  });

  it('that differ under the same Idempotency-Key are rejected as a conflict', async () => {
    const send = (payload: object) =>
      callDeclared(test.app, {
        method: 'POST',
        url: '/v1/static-export/jobs',
        headers: { ...headers, 'idempotency-key': 'options' },
        payload: { domain: 'docs', ...payload },
      });
    const first = await send({ basePath: '/docs', omittedLinks: 'text' });
    expect((await send({ omittedLinks: 'text', basePath: '/docs' })).json().jobId).toBe(
      first.json().jobId,
    );
    expect((await send({ basePath: '/other', omittedLinks: 'text' })).json().code).toBe(
      'idempotency_key_reused',
    );
  });
});

describe('canceling an export', () => {
  it('marks a queued or running job as failed, and is idempotent', async () => {
    const [queued, running] = [await start(), await start()];
    const run = await claim(running);
    for (const jobId of [queued, running, queued]) {
      const response = await call('DELETE', `/${jobId}`);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ jobId, status: 'failed', endReason: 'canceled' });
    }
    await complete(run);
    expect((await call('GET', `/${running}`)).json().status).toBe('failed');
    expect((await call('POST', `/${running}/bundle`)).statusCode).toBe(409);
  });

  it('returns 409 for a job that has ended, and 404 for a job of another organization', async () => {
    const [completed, failed] = [await start(), await start()];
    await complete(await claim(completed));
    await failExportJob(test.deps.database.queries, failed, { error: 'It broke.', now: now() });
    for (const jobId of [completed, failed]) {
      const response = await call('DELETE', `/${jobId}`);
      expect([response.statusCode, response.json().code]).toEqual([409, 'job_ended']);
    }
    expect((await call('GET', `/${completed}`)).json()).toMatchObject({
      status: 'completed',
      progress: 100,
    });
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect(
      (await call('DELETE', `/${await start()}`, undefined, stranger.headers)).statusCode,
    ).toBe(404);
  });

  it('requires a key with write access', async () => {
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
    expect((await call('DELETE', `/${await start()}`, undefined, reader.headers)).json().code).toBe(
      'scope_missing',
    );
  });
});

describe('the list of failed jobs', () => {
  it('shows each with its error and its attempts, and the metrics count them', async () => {
    const lister = await addOrganization(test);
    await addSite(test, lister, 'failing', ['index']);
    const key = await addKey(test, lister, { kind: 'admin' });
    const { jobId } = (await call('POST', '', { domain: 'failing' }, key.headers)).json();
    await call('POST', '', { domain: 'failing' }, key.headers);
    await claim(jobId);
    await failExportJob(test.deps.database.queries, jobId, { error: 'It broke.', now: now() });
    const listed = (await call('GET', '?status=failed', undefined, key.headers)).json();
    expect(listed.jobs).toMatchObject([
      { jobId, status: 'failed', error: 'It broke.', attempts: 1 },
    ]);
    expect((await call('GET', '?status=lost')).json().errors[0].path).toBe('/status');
    const metrics = await test.app.inject({ method: 'GET', url: '/metrics', headers });
    expect(metrics.body).toMatch(/^docent_exports\{status="failed"\} [1-9]/m);
  });
});

describe('the events of a job', () => {
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter((block) => /^data:/m.test(block))
      .map((block) => JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? ''));

  it('begin with its state, report each change, end with its last state, and never show falling progress', async () => {
    const jobId = await start();
    const response = await fetch(`${address}/v1/static-export/jobs/${jobId}/events`, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const run = await claim(jobId);
    for (const progress of [10, 5, 50]) {
      await recordExportProgress(test.deps.database.queries, run, {
        progress,
        pageCount: progress,
        totalPages: 100,
        now: now(),
      });
      await wait(350);
    }
    await complete(run);
    const events = eventsOf(await response.text());
    expect(events.at(-1)).toMatchObject({
      jobId,
      status: 'completed',
      progress: 100,
      report: { failedPages: [{ path: 'a' }] },
    });
    const progress = events.map((event) => event.progress as number);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress).toContain(50);
  });

  it('of an ended job consist of its last state, also after a reconnect with Last-Event-ID', async () => {
    const jobId = await start();
    await failExportJob(test.deps.database.queries, jobId, { error: 'It broke.', now: now() });
    for (const more of [{}, { 'last-event-id': '17' }, { 'last-event-id': 'nonsense' }]) {
      const response = await fetch(`${address}/v1/static-export/jobs/${jobId}/events`, {
        headers: { ...headers, ...more },
      });
      expect(eventsOf(await response.text())).toMatchObject([
        { jobId, status: 'failed', error: 'It broke.' },
      ]);
    }
  });

  it('of another organization are rejected with a 404 problem document, not a stream', async () => {
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    const response = await call('GET', `/${await start()}/events`, undefined, stranger.headers);
    expect([response.statusCode, response.json().code]).toEqual([404, 'job_not_found']);
  });
});
