import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureSite, tarball } from '../../../../../test/support/http.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import { openPgBossQueue } from '../../adapters/job-queue/pg-boss.ts';
import type { JobContext } from '../../ports/job-queue.ts';
import { publishSiteJob } from '../../ports/jobs.ts';
import { failKilledDeployment, publishSite } from '../../publishing/publish-site.ts';

type Line = { message: string } & Record<string, unknown>;

const lines: Line[] = [];
const take = (fields: object, message: string) => void lines.push({ ...fields, message });
const logger = { ...silentLogger, info: take, warn: take, error: take };
const context: JobContext = { signal: new AbortController().signal, attempt: 1, lastAttempt: true };

let testApp: TestApp;
let headers: Record<string, string>;
let siteId: string;
beforeAll(async () => {
  testApp = await openTestApp({
    logger,
    env: { DOCENT_PUBLIC_URL: 'http://docs.test', DOCENT_SITES_DOMAIN: 'sites.test' },
  });
  const operator = await addOrganization(testApp);
  await addSite(testApp, operator, 'acme', ['start']);
  ({ siteId } = await addSite(testApp, operator, 'docs'));
  ({ headers } = await addKey(testApp, operator, { kind: 'admin' }));
});
afterAll(() => testApp?.close());

/** Uploads a source under a request id, and returns the id of its deployment. */
async function upload(requestId: string, source: Uint8Array): Promise<string> {
  const response = await testApp.app.inject({
    method: 'PUT',
    url: '/v1/project/docs/source',
    headers: {
      ...headers,
      host: 'docs.test',
      'content-type': 'application/gzip',
      'x-request-id': requestId,
    },
    payload: Buffer.from(source),
  });
  expect(response.statusCode).toBe(202);
  return response.json().statusId;
}

const linesWith = (fields: object) =>
  lines.filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));

describe('one id', () => {
  test('leads from a publish that failed to the request that started it, and back', async () => {
    const deploymentId = await upload('upload-1', tarball(fixtureSite('small')));
    const { source_key } = await testApp.deps.database.queries
      .selectFrom('deployments')
      .select('source_key')
      .where('id', '=', deploymentId)
      .executeTakeFirstOrThrow();
    await testApp.deps.blobs.delete(source_key);
    await publishSite(testApp.deps, deploymentId, context);
    const ids = { deploymentId, requestId: 'upload-1' };
    expect(linesWith({ message: 'publishing failed' })).toEqual([
      expect.objectContaining({ ...ids, siteId }),
    ]);
    expect(linesWith({ message: 'publishing begins' })).toEqual([expect.objectContaining(ids)]);
    expect(linesWith({ message: 'request', ...ids })).toEqual([
      expect.objectContaining({ method: 'PUT', status: 202 }),
    ]);
  });

  test('leads to it even if the worker was killed', async () => {
    const deploymentId = await upload('upload-2', tarball(fixtureSite('small')));
    await failKilledDeployment(testApp.deps, deploymentId);
    expect(linesWith({ message: 'publishing failed after several attempts' })).toEqual([
      expect.objectContaining({ deploymentId, requestId: 'upload-2', siteId }),
    ]);
  });

  test('is in the line of a rebuild and of an export', async () => {
    const call = (method: 'POST', url: string, payload = {}) =>
      testApp.app.inject({ method, url, headers: { ...headers, host: 'docs.test' }, payload });
    await upload('upload-3', tarball(fixtureSite('small')));
    const rebuild = await call('POST', '/v1/project/update/docs');
    expect(linesWith({ message: 'request', deploymentId: rebuild.json().statusId })).toHaveLength(
      1,
    );
    const started = await call('POST', '/v1/static-export/jobs', { domain: 'acme' });
    expect(started.statusCode).toBe(202);
    expect(linesWith({ message: 'request', jobId: started.json().jobId })).toHaveLength(1);
  });

  test('is in the line of a job that failed, without the rest of its payload', async () => {
    const queue = await openPgBossQueue({ database: testApp.deps.database, logger });
    const { promise, resolve } = Promise.withResolvers<void>();
    const fail = async () => {
      resolve();
      throw new Error('out of luck');
    };
    await queue.work(
      { ...publishSiteJob, parse: (value) => value as { deploymentId: string } },
      fail,
    );
    await queue.enqueue(publishSiteJob, { deploymentId: 'd-1', email: 'ada@example.com' } as {
      deploymentId: string;
    });
    await promise;
    await expect
      .poll(() => linesWith({ message: 'A job failed.', deploymentId: 'd-1' }))
      .toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('ada@example.com');
    await queue.close();
  });
});

describe('the line of a page view', () => {
  test.each([
    ['of a site on its own host', 'acme.sites.test', '/start', 'acme'],
    ['of a site below the address of the platform', '127.0.0.1', '/sites/acme/start', 'acme'],
    ['of the platform', 'docs.test', '/docent/nothing', undefined],
  ])('%s names site and host', async (_name, host, url, site) => {
    const before = lines.length;
    await testApp.app.inject({ url, headers: { host } });
    expect(lines.slice(before)).toContainEqual(
      expect.objectContaining({ message: 'request', host, site, path: url }),
    );
  });
});
