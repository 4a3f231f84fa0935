import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleOf, start, status } from '../support/exports.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { call, fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { hasS3Server, startS3, type TestS3 } from '../support/s3.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

/** More than an error would get: three of a publish, five of an export. */
const ATTEMPTS = 4;

describe.skipIf(!hasS3Server)('while the file store is away', () => {
  let store: TestS3;
  let network: FaultProxy;
  let docent: RunningDocent;

  beforeAll(async () => {
    store = await startS3();
    network = await startFaultProxy(store.endpoint);
    const { bucket, credentials } = await store.createBucket();
    docent = await startDocent({
      env: {
        DOCENT_SECRET: 'a-secret-that-is-only-for-this-test',
        DOCENT_BLOBS: 's3',
        DOCENT_S3_BUCKET: bucket,
        DOCENT_S3_ENDPOINT: network.url,
        DOCENT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
        DOCENT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    });
    await publishArchive(docent, 'basic', tarball(fixtureSite('small')));
  }, 300_000);
  afterAll(async () => {
    await docent?.stop();
    await network?.close();
    await store?.stop();
    await removeTemporaryFolders();
  });

  const read = async <Body>(path: string) =>
    (await (await call(docent, docent.adminKey, 'GET', path)).json()) as Body;
  const stateOf = (statusId: string) =>
    read<{ status: string; summary: string; waitingFor: string | null }>(
      `/v1/project/update-status/${statusId}`,
    );

  // An attempt that failed has left it so.
  beforeEach(() => network.onRequest(() => 'none'));

  test('an accepted publish and an accepted export wait, say so, and end well after any number of tries', async () => {
    const view = () => getAs(docent.port, `basic.localhost:${docent.port}`, '/guides/install');
    expect((await view()).status).toBe(200);
    const rebuilt = await call(docent, docent.adminKey, 'POST', '/v1/project/update/basic');
    // The job runs when the store is already away.
    network.onRequest(() => 'refuse');
    const { statusId } = (await rebuilt.json()) as { statusId: string };
    const { jobId } = await start(docent, { domain: 'basic' });
    const deployment = () =>
      read<{ attempts: number }>(`/v1/projects/basic/deployments/${statusId}`);
    const attempts = async () => [
      (await deployment()).attempts,
      (await status(docent, jobId)).attempts,
    ];
    await expect
      .poll(async () => Math.min(...(await attempts())), { timeout: 240_000, interval: 500 })
      .toBeGreaterThan(ATTEMPTS);
    await expect
      .poll(() => stateOf(statusId))
      .toMatchObject({
        status: 'queued',
        waitingFor: 'fileStore',
        summary: 'Waiting for the file store. It goes on by itself.',
      });
    await expect
      .poll(() => status(docent, jobId))
      .toMatchObject({ status: 'running', waitingFor: 'fileStore' });

    network.onRequest(() => 'none');
    await expect
      .poll(() => stateOf(statusId), { timeout: 300_000, interval: 500 })
      .toMatchObject({
        status: 'success',
        waitingFor: null,
      });
    await expect
      .poll(() => status(docent, jobId), { timeout: 300_000 })
      .toMatchObject({ status: 'completed', waitingFor: null });
    expect((await bundleOf(docent, jobId)).sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await view()).status).toBe(200);
  }, 900_000);
});
