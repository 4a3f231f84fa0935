import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOf, finish, start, unpack } from '../support/exports.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { call, fixtureSite, getAs, publishArchive, tarball, until } from '../support/http.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasRedisServer, startRedis, type TestRedis } from '../support/redis.ts';
import { hasS3Server, startS3, type TestS3 } from '../support/s3.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const LIMIT = 20;
const canRun = postgresBin !== undefined && hasS3Server && hasRedisServer;

describe.skipIf(!canRun)('two processes that share only PostgreSQL, a bucket and Redis', () => {
  let database: TestPostgres;
  let store: TestS3;
  let limiter: TestRedis;
  /** Between the platform and the store, to count requests; download links bypass it. */
  let counter: FaultProxy;
  let env: Record<string, string>;
  let one: RunningDocent;
  let two: RunningDocent;

  beforeAll(async () => {
    [database, store, limiter] = await Promise.all([startPostgres(), startS3(), startRedis()]);
    counter = await startFaultProxy(store.endpoint);
    const { bucket, credentials } = await store.createBucket();
    env = {
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: await database.createDatabase(),
      DOCENT_LIMITER: 'redis',
      DOCENT_REDIS_URL: limiter.url,
      DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: String(LIMIT),
      DOCENT_SECRET: 'the-same-for-all-of-these-processes',
      DOCENT_BLOBS: 's3',
      DOCENT_S3_BUCKET: bucket,
      DOCENT_S3_PREFIX: 'docs',
      // Requests of readers are counted, and not those of the copies that a process makes ahead of
      // them.
      DOCENT_S3_CACHE_MB: '0',
      DOCENT_S3_ENDPOINT: counter.url,
      DOCENT_S3_PUBLIC_ENDPOINT: store.endpoint,
      DOCENT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      DOCENT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    one = await startDocent({ env });
    two = await startDocent({ env });
    await publishArchive(one, 'basic', tarball(fixtureSite('small')));
  }, 300_000);
  afterAll(async () => {
    await one?.stop();
    await two?.stop();
    await counter?.close();
    await Promise.all([database?.stop(), store?.stop(), limiter?.stop()]);
    await removeTemporaryFolders();
  });

  const read = (docent: RunningDocent, path: string, headers: Record<string, string> = {}) =>
    getAs(docent.port, `basic.localhost:${docent.port}`, path, headers);
  // Every two seconds, each process asks for an object of this name to see whether the store responds.
  const reads = () =>
    counter.seen.filter(
      ({ method, path }) => ['GET', 'HEAD'].includes(method) && !path.endsWith('/readiness'),
    );

  test('both serve what one publishes, and keep no local files', async () => {
    const page = await until(async () => {
      const answer = await read(two, '/guides/install');
      return answer.status === 200 ? answer.body.toString('utf8') : undefined;
    });
    expect(page).toContain('<h1');
    expect((await read(one, '/guides/install')).body.toString('utf8').length).toBe(page.length);
    expect((await read(two, '/images/dot.svg')).headers['content-type']).toBe('image/svg+xml');
    for (const { dataFolder } of [one, two]) expect(readdirSync(dataFolder)).not.toContain('blobs');
  });

  test('read the store once for the first view of a page, and not for later views', async () => {
    // Pages that no process has read yet, also in a second attempt.
    const folder = await temporaryFolder();
    cpSync(fixtureSite('small'), folder, { recursive: true });
    const text = `At ${performance.now()}.`;
    appendFileSync(join(folder, 'guides/components.mdx'), `\n${text}\n`);
    expect((await publishArchive(two, 'basic', tarball(folder))).status).toBe('success');
    await read(two, '/guides/install');
    // The other process opens the new build when it hears of it, which also reads the store.
    await until(async () =>
      (await read(one, '/guides/components')).body.includes(text) ? true : undefined,
    );
    counter.onRequest(() => 'none');
    expect((await read(two, '/guides/components')).status).toBe(200);
    expect(reads()).toHaveLength(1);
    for (const encoding of ['', 'identity'])
      await read(two, '/guides/components', { 'accept-encoding': encoding });
    await read(two, '/guides/install');
    expect(reads()).toHaveLength(1);
  });

  test('both link directly to the bundle in the store that one exported, with its own file name', async () => {
    const { jobId } = await start(one, { domain: 'basic' });
    expect(await finish(two, jobId)).toMatchObject({ status: 'completed' });
    const bundle = await bundleOf(two, jobId);
    expect(bundle.bundleUrl).toMatch(new RegExp(`^${store.endpoint}/[^?]+/docs/bundles/`));
    expect((await bundleOf(one, jobId)).sha256).toBe(bundle.sha256);
    const folder = await unpack(bundle);
    expect(readdirSync(folder)).toContain('index.html');
    const headers = (await fetch(bundle.bundleUrl)).headers;
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="basic-export-[\d-]+\.tar\.gz"/,
    );
    expect(headers.get('content-type')).toBe('application/gzip');
    const lifeMs = Date.parse(bundle.expiresAt) - Date.now();
    expect(lifeMs > 86_300_000 && lifeMs <= 86_400_000).toBe(true);
    expect(
      (await fetch(bundle.bundleUrl.replace(/X-Amz-Signature=.{4}/, 'X-Amz-Signature=0000')))
        .status,
    ).toBe(403);
    // The platform itself serves no bundles then.
    expect((await fetch(`${two.apiUrl}/blobs/bundles/${jobId}.tar.gz`)).status).toBe(404);
  });

  test('together accept exactly as many requests as the limit, and respond with 503 while Redis is down', async () => {
    const question = {
      fp: 'anonymous',
      messages: [{ role: 'user', content: 'How do I publish a site?' }],
    };
    // With the counts of a former attempt, no question would be left.
    await limiter.kill();
    await limiter.start();
    const isReady = async (docent: RunningDocent) =>
      (await fetch(`http://localhost:${docent.port}/readyz`)).json();
    for (const docent of [one, two])
      await expect.poll(() => isReady(docent)).toEqual({ status: 'ok', unavailable: [] });
    const ask = (docent: RunningDocent) =>
      call(docent, one.assistantKey, 'POST', '/v2/assistant/docent/message', question);
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 6 }, (_, index) => ask(index % 2 === 0 ? one : two)),
    );
    const statuses = answers.map(({ status }) => status);
    await Promise.all(answers.map((answer) => answer.text()));
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([LIMIT, 6]);
    await limiter.kill();
    const refused = await ask(two);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      'dependency_unavailable',
    ]);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await read(two, '/guides/install')).status).toBe(200);
    await limiter.start();
    await expect.poll(async () => (await ask(one)).status).toBe(200);
  });

  test('do not start with a missing bucket, and name the setting without printing secrets', async () => {
    const { code, stderr } = await runDocent(['serve'], {
      ...env,
      DOCENT_S3_BUCKET: 'nobodys',
      DOCENT_DATA: `${one.dataFolder}-x`,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('DOCENT_S3_BUCKET: there is no bucket "nobodys"');
    expect(stderr).not.toMatch(/secret-of-docent-test|hidden-word|the-same-for-all/);
  });
});
