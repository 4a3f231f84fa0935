import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { afterEach, expect, test } from 'vitest';
import { collect, collectBytes } from '../../../../../test/support/collect.ts';
import { callDeclared } from '../../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import type { JobContext } from '../../ports/job-queue.ts';
import { cleanUpBuilds, cleanUpUploads } from '../../publishing/clean-up-builds.ts';
import { publishSite } from '../../publishing/publish-site.ts';

const HOUR_SECONDS = 3600;
const MB = 1024 * 1024;
const context: JobContext = { signal: new AbortController().signal, attempt: 1, lastAttempt: true };
let app: TestApp | undefined;

afterEach(() => app?.close());

async function open(env: Record<string, string>) {
  app = await openTestApp({ env });
  const opened = app;
  const operator = await addOrganization(opened);
  const { headers } = await addKey(opened, operator, { kind: 'admin' });
  await addSite(opened, operator, 'docs');
  const send = (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: Buffer | Readable | object,
  ) =>
    callDeclared(opened.app, {
      method,
      url,
      headers: {
        ...headers,
        'content-type': method === 'PUT' ? 'application/gzip' : 'application/json',
      },
      ...(payload && { payload }),
    });
  return {
    ...opened.deps,
    send,
    usage: async () => (await send('GET', '/v1/organization/usage')).json(),
    async publish(files: Record<string, Buffer>, site = 'docs') {
      opened.deps.clock.advance(1);
      const response = await send('PUT', `/v1/project/${site}/source`, await archive(files));
      expect(response.statusCode).toBe(202);
      const { statusId } = response.json();
      await publishSite(opened.deps, statusId, context);
      return (await send('GET', `/v1/project/update-status/${statusId}`)).json();
    },
    /** The sizes of the blobs that count, by kind. */
    async stored() {
      const sumOf = async (folder: string) => {
        const infos = await Promise.all(
          (await collect(opened.deps.blobs.list(folder))).map((key) => opened.deps.blobs.stat(key)),
        );
        return infos.reduce((sum, info) => sum + (info?.sizeBytes ?? 0), 0);
      };
      return {
        sources: await sumOf('uploads/'),
        builds: (await sumOf('files/')) + (await sumOf('manifests/')),
      };
    },
  };
}

function archive(files: Record<string, Buffer>): Promise<Buffer> {
  const config = {
    theme: 'mint',
    name: 'Docs',
    colors: { primary: '#4f46e5' },
    navigation: { pages: ['index'] },
  };
  const all = { 'docs.json': Buffer.from(JSON.stringify(config)), ...files };
  return collectBytes(
    packBundle(ReadableStream.from(Object.entries(all).map(([path, bytes]) => ({ path, bytes })))),
  );
}

const page = (text: string) => ({ 'index.mdx': Buffer.from(`# Start\n\n${text}\n`) });

test('the usage equals the contents of the blob store, after repeated publishing and cleaning up', async () => {
  const { publish, usage, stored, clock, ...deps } = await open({ DOCENT_KEPT_DEPLOYMENTS: '2' });
  const image = randomBytes(300_000);
  for (const [index, text] of ['one', 'two', 'three', 'four'].entries()) {
    await publish({
      ...page(text),
      'image.png': image,
      [`other-${index}.png`]: randomBytes(10_000 * (index + 1)),
    });
    const { storedBytes } = await usage();
    expect(storedBytes).toMatchObject(await stored());
    expect(storedBytes.used).toBe(storedBytes.sources + storedBytes.builds);
  }
  const before = (await usage()).storedBytes;
  clock.advance(2 * HOUR_SECONDS);
  await cleanUpBuilds({ ...deps, clock });
  await cleanUpUploads({ ...deps, clock });
  const after = (await usage()).storedBytes;
  expect(after).toMatchObject(await stored());
  expect(after.sources).toBeLessThan(before.sources / 2);
  expect(after.builds).toBeLessThan(before.builds);
});

test('a build over the quota fails with that reason, and its files count until they are deleted', async () => {
  const { publish, usage, stored, ...deps } = await open({
    DOCENT_STORAGE_MB_PER_ORGANIZATION: '4',
  });
  expect((await publish(page('small'))).status).toBe('success');
  const before = (await usage()).storedBytes.builds;
  // Compresses well, so the upload fits and the build does not.
  const large = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`file-${index}.txt`, Buffer.alloc(300_000, index)]),
  );
  const failed = await publish({ ...page('large'), ...large });
  expect(failed).toMatchObject({
    status: 'failure',
    summary: expect.stringContaining('an organization may store 4 MB'),
  });
  expect((await usage()).storedBytes.builds).toBeGreaterThan(before);
  await cleanUpBuilds(deps);
  expect((await usage()).storedBytes.builds).toBe(before);
  expect(before).toBe((await stored()).builds);
  expect((await publish(page('small again'))).status).toBe('success');
});

test('earlier builds that are not live do not block a new one, and are deleted early', async () => {
  const { publish, usage, clock, ...deps } = await open({
    DOCENT_STORAGE_MB_PER_ORGANIZATION: '3',
  });
  const sizedSite = () => ({ ...page('text'), 'image.png': randomBytes(0.7 * MB) });
  for (let count = 0; count < 5; count++) {
    expect((await publish(sizedSite())).status, `publish ${count}`).toBe('success');
    clock.advance(2 * HOUR_SECONDS);
    await cleanUpUploads({ ...deps, clock });
  }
  expect((await usage()).storedBytes.used).toBeGreaterThan(3 * MB);
  await cleanUpBuilds({ ...deps, clock });
  const { used, spare } = (await usage()).storedBytes;
  expect(used).toBeLessThanOrEqual(3 * MB);
  expect(spare).toBeGreaterThan(0);
});

test('an upload over the quota is rejected and not stored, with or without an announced size', async () => {
  const { send, blobs } = await open({ DOCENT_STORAGE_MB_PER_ORGANIZATION: '1' });
  const payload = await archive({ 'image.png': randomBytes(2 * MB) });
  const announced = await send('PUT', '/v1/project/docs/source', payload);
  const streamed = await send('PUT', '/v1/project/docs/source', Readable.from([payload]));
  for (const response of [announced, streamed]) {
    expect([response.statusCode, response.json().code]).toEqual([403, 'quota_exceeded']);
    expect(response.json().detail).toContain('DOCENT_STORAGE_MB_PER_ORGANIZATION');
  }
  expect(await collect(blobs.list(''))).toEqual([]);
});

test('the number of sites is limited per organization', async () => {
  const { send } = await open({ DOCENT_SITES_PER_ORGANIZATION: '2' });
  const create = (slug: string) => send('POST', '/v1/projects', { slug });
  expect((await create('second')).statusCode).toBe(201);
  const refused = await create('third');
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'quota_exceeded']);
  // An existing site is still reported as existing, because publishing relies on that.
  expect((await create('second')).json().code).toBe('site_exists');
  expect((await send('GET', '/v1/organization/usage')).json().sites).toEqual({ used: 2, limit: 2 });
  const other = await addOrganization(app as TestApp);
  await addSite(app as TestApp, other, 'elsewhere');
});

test('the usage of a month counts what readers viewed on all sites together, and no machine', async () => {
  const { send, usage, analytics, clock } = await open({});
  await send('POST', '/v1/projects', { slug: 'other' });
  const { projects } = (await send('GET', '/v1/projects')).json() as {
    projects: { projectId: string }[];
  };
  const texts = {
    agent: '',
    version: '',
    language: '',
    name: '',
    target: '',
    source: '',
    campaign: '',
    groups: '',
    device: '',
    browser: '',
  };
  const base = {
    at: clock.now(),
    kind: 'view' as const,
    path: '/a',
    ...texts,
    amount: 0,
    position: 0,
  };
  for (const { projectId: siteId } of projects)
    await analytics.store.append([
      { ...base, siteId, visitor: '1', class: 'human' },
      { ...base, siteId, visitor: '2', class: 'ai.agent' },
    ]);
  expect(projects).toHaveLength(2);
  expect((await usage()).month).toMatchObject({ views: 2, questions: 0 });
});
