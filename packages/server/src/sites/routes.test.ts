import { once } from 'node:events';
import http from 'node:http';
import { createGzip } from 'node:zlib';
import type { Actor } from '@docent/format/access/may.ts';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, collectBytes } from '../../../../test/support/collect.ts';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { beginDeployment, failDeployment } from '../publishing/queries.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
  await addSite(test, operator, 'docs');
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
});
afterAll(() => test.close());

async function archive(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const tar = pack();
  for (const [name, text] of Object.entries(entries)) tar.entry({ name }, text);
  tar.finalize();
  return collectBytes(tar.pipe(createGzip()));
}

const put = (payload: Buffer | string, more: Record<string, string> = {}, project = 'docs') =>
  callDeclared(test.app, {
    method: 'PUT',
    url: `/v1/project/${project}/source`,
    headers: { ...headers, 'content-type': 'application/gzip', ...more },
    payload,
  });
const uploads = () => collect(test.deps.blobs.list('uploads/'));
const status = (statusId: string, as = headers) =>
  callDeclared(test.app, {
    method: 'GET',
    url: `/v1/project/update-status/${statusId}`,
    headers: as,
  });

describe('a site', () => {
  const create = (payload: object) =>
    callDeclared(test.app, { method: 'POST', url: '/v1/projects', headers, payload });

  it('is created with its slug and hostnames, and then listed', async () => {
    const created = await create({
      slug: 'guide',
      name: 'The guide',
      hostnames: ['Guide.Example.com'],
    });
    expect(created.statusCode).toBe(201);
    expect(created.json()).toMatchObject({
      slug: 'guide',
      name: 'The guide',
      hostnames: [{ hostname: 'guide.example.com', status: 'pending' }],
      url: 'http://guide.localhost:3000',
      published: false,
    });
    const { projects } = (
      await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers })
    ).json();
    expect(projects).toContainEqual(created.json());
  });

  it('is rejected with 409 if its slug is taken, and nothing of it is stored', async () => {
    await addSite(test, await addOrganization(test), 'foreign');
    const response = await create({ slug: 'foreign', hostnames: ['new.example.com'] });
    expect([response.statusCode, response.json().code]).toEqual([409, 'site_exists']);
    const claims = await test.deps.database.queries
      .selectFrom('hostname_claims')
      .select('hostname')
      .execute();
    expect(claims).not.toContainEqual({ hostname: 'new.example.com' });
  });

  it.each([
    [{ slug: 'Bad Slug' }, '/slug'],
    [{ slug: '' }, '/slug'],
    [{ slug: 'feature--docs' }, '/slug'],
    [{}, '/slug'],
    [{ slug: 'ok', hostnames: ['127.0.0.1'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['other.localhost'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['localhost'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['docs.localhost.localhost'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['printer.local'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['docs.internal'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['docent.default.svc.cluster.local'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['docent.default.svc'] }, '/hostnames/0'],
    [{ slug: 'ok', hostnames: ['https://a.example'] }, '/hostnames/0'],
  ])('%j is rejected with 400 and a pointer to %s', async (payload, path) => {
    const response = await create(payload);
    expect([response.statusCode, response.json().errors[0].path]).toEqual([400, path]);
  });

  it('of another organization is not listed', async () => {
    const key = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect(
      (
        await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers: key.headers })
      ).json(),
    ).toEqual({
      items: [],
      projects: [],
      nextCursor: null,
      hasMore: false,
    });
  });
});

describe('the rate limit on publishes', () => {
  it('is shared by uploads and rebuilds of an organization, and rejects an excess upload before it is read', async () => {
    const limited = await openTestApp({
      env: { DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '2' },
    });
    try {
      const owner = await addOrganization(limited);
      await addSite(limited, owner, 'docs');
      const key = await addKey(limited, owner, { kind: 'admin' });
      const send = async (
        method: 'PUT' | 'POST',
        url: string,
        payload?: Buffer,
        as = key.headers,
      ) =>
        callDeclared(limited.app, {
          method,
          url,
          headers: { ...as, ...(payload && { 'content-type': 'application/gzip' }) },
          ...(payload && { payload }),
        });
      const source = await archive({ 'docs.json': '{}' });
      const first = await send('PUT', '/v1/project/docs/source', source);
      expect(first.headers).toMatchObject({
        'ratelimit-policy': '"publishes-organization";q=2;w=3600',
        ratelimit: expect.stringContaining('"publishes-organization";r=1;'),
      });
      expect((await send('POST', '/v1/project/update/docs')).statusCode).toBe(202);
      const stored = await collect(limited.deps.blobs.list('uploads/'));
      for (const past of [
        await send('PUT', '/v1/project/docs/source', source),
        await send('POST', '/v1/project/update/docs'),
      ]) {
        expect([past.statusCode, past.json().code]).toEqual([429, 'rate_limited']);
        expect(past.json().detail).toMatch(
          /^An organization may start 2 publishes an hour; try again in \d+ minutes\.$/,
        );
        expect(Number(past.headers['retry-after'])).toBeGreaterThan(3000);
      }
      expect(await collect(limited.deps.blobs.list('uploads/'))).toEqual(stored);
      const other = await addOrganization(limited);
      await addSite(limited, other, 'elsewhere');
      const { headers: ofOther } = await addKey(limited, other, { kind: 'admin' });
      expect((await send('PUT', '/v1/project/elsewhere/source', source, ofOther)).statusCode).toBe(
        202,
      );
    } finally {
      await limited.close();
    }
  });
});

describe('uploading a source', () => {
  it('stores the archive unchanged, and enqueues one build', async () => {
    const source = await archive({ 'docs.json': '{}', 'index.mdx': '# Hello' });
    const response = await put(source);
    const { statusId } = response.json();
    expect(response.statusCode).toBe(202);
    expect(Buffer.from((await test.deps.blobs.read(`uploads/${statusId}.tar.gz`)) ?? [])).toEqual(
      source,
    );
    expect(test.deps.jobs.added.at(-1)).toMatchObject({
      name: 'publish-site',
      payload: { deploymentId: statusId },
      inTransaction: true,
    });
    expect((await status(statusId)).json()).toMatchObject({
      _id: statusId,
      status: 'queued',
      endedAt: null,
      subdomain: 'docs',
      commit: null,
      source: 'api',
      logs: [],
      report: null,
    });
  });

  it.each(['application/x-gzip', 'application/octet-stream', 'application/x-tar+gzip'])(
    'accepts the media type %s',
    async (type) => {
      expect(
        (await put(await archive({ 'docs.json': '{}' }), { 'content-type': type })).statusCode,
      ).toBe(202);
    },
  );

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'rejects the media type %s with 415',
    async (type) => {
      expect((await put('{}', { 'content-type': type })).statusCode).toBe(415);
    },
  );

  it.each([
    [
      'an entry outside the folder',
      () => archive({ 'docs.json': '{}', '../evil.mdx': 'x' }),
      '../evil.mdx',
    ],
    ['a body that is not an archive', async () => Buffer.from('hello, this is no archive'), ''],
    [
      'a truncated archive',
      async () =>
        (await archive({ 'docs.json': '{}', 'a.bin': Buffer.alloc(100_000, 1) })).subarray(0, -60),
      '',
    ],
    ['an empty body', async () => Buffer.alloc(0), ''],
  ])('rejects %s with 400, and stores nothing', async (_, make, named) => {
    const before = [await uploads(), test.deps.jobs.added.length];
    const response = await put(await make());
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_archive']);
    expect(response.body).toContain(named);
    expect([await uploads(), test.deps.jobs.added.length]).toEqual(before);
  });

  it('returns 404 for a site that is unknown or of another organization, and 403 for a read-only key', async () => {
    await addSite(test, await addOrganization(test), 'notmine');
    const source = await archive({ 'docs.json': '{}' });
    expect((await put(source, {}, 'notmine')).statusCode).toBe(404);
    expect((await put(source, {}, '%00')).statusCode).toBe(404);
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
    expect((await put(source, reader.headers)).statusCode).toBe(403);
  });

  it('is rejected with 413 before it is read if its announced size is too large', async () => {
    const response = await put('x', { 'content-length': String(600 * 1024 * 1024) });
    expect([response.statusCode, response.json().code]).toEqual([413, 'body_too_large']);
  });

  it('accepts the project id instead of the slug', async () => {
    const { projects } = (
      await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers })
    ).json();
    const { projectId } = projects.find((one: { slug: string }) => one.slug === 'docs');
    expect((await put(await archive({ 'docs.json': '{}' }), {}, projectId)).statusCode).toBe(202);
  });
});

describe('an upload over a real connection', () => {
  let port: number;
  beforeAll(async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = test.app.addresses()[0] as { port: number });
  });

  const open = () =>
    http.request({
      port,
      method: 'PUT',
      path: '/v1/project/docs/source',
      headers: { ...headers, 'content-type': 'application/gzip' },
    });

  it('receives the reason of a rejection while it is still sending', async () => {
    const upload = open();
    const answered = once(upload, 'response') as Promise<[http.IncomingMessage]>;
    upload.on('error', () => {});
    for (let chunk = 0; chunk < 64; chunk++)
      if (!upload.write(Buffer.alloc(65_536, 7)))
        await Promise.race([once(upload, 'drain'), answered]);
    upload.end();
    const [response] = await answered;
    const body = JSON.parse((await collectBytes(response)).toString());
    expect([response.statusCode, body.code]).toEqual([400, 'invalid_archive']);
  });

  it('leaves nothing behind if the client disconnects midway', async () => {
    const before = await uploads();
    const jobs = test.deps.jobs.added.length;
    const upload = open();
    upload.on('error', () => {});
    const complete = await archive({
      'docs.json': '{}',
      'a.bin': Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251)),
    });
    upload.write(complete.subarray(0, complete.length / 2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    upload.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await uploads()).toEqual(before);
    expect(test.deps.jobs.added.length).toBe(jobs);
  });
});

describe('a stalled upload', () => {
  let slow: TestApp;
  let slowHeaders: Record<string, string>;
  let port: number;
  beforeAll(async () => {
    slow = await openTestApp({
      env: { DOCENT_UPLOAD_GRACE_SECONDS: '1', DOCENT_UPLOADS_PER_ORGANIZATION: '2' },
    });
    const owner = await addOrganization(slow);
    await addSite(slow, owner, 'docs');
    slowHeaders = (await addKey(slow, owner, { kind: 'admin' })).headers;
    await slow.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = slow.app.addresses()[0] as { port: number });
  });
  afterAll(() => slow.close());

  function begin() {
    const path = '/v1/project/docs/source';
    const upload = http.request({
      port,
      method: 'PUT',
      path,
      headers: { ...slowHeaders, 'content-type': 'application/gzip' },
    });
    const closed = once(upload, 'close');
    const answered = (once(upload, 'response') as Promise<[http.IncomingMessage]>).then(
      async ([response]) => ({
        status: response.statusCode,
        connection: response.headers.connection,
        body: JSON.parse((await collectBytes(response)).toString()),
      }),
    );
    upload.on('error', () => {});
    upload.write(Buffer.from([0x1f]));
    return { upload, answered, closed };
  }

  it.each([
    ['sends nothing more', () => undefined],
    [
      'sends single bytes slowly',
      (upload: http.ClientRequest, bytes: Buffer) => {
        let sent = 1;
        return setInterval(() => upload.write(bytes.subarray(sent, ++sent)), 100);
      },
    ],
  ])(
    'that %s is ended with 408, its connection is closed, and nothing of it is stored',
    async (_, goOn) => {
      const { upload, answered, closed } = begin();
      const timer = goOn(upload, await archive({ 'docs.json': '{}' }));
      try {
        const { status, connection, body } = await answered;
        expect([status, body.code, connection]).toEqual([408, 'upload_too_slow', 'close']);
        await closed;
        expect(await collect(slow.deps.blobs.list(''))).toEqual([]);
      } finally {
        clearInterval(timer);
        upload.destroy();
      }
    },
  );

  it('counts against the limit of concurrent uploads of an organization until it has ended', async () => {
    const answers = await Promise.all([begin(), begin(), begin()].map(({ answered }) => answered));
    expect(answers.map(({ status }) => status).sort()).toEqual([408, 408, 429]);
    expect(answers.find(({ status }) => status === 429)?.body.code).toBe('rate_limited');
    expect((await begin().answered).status).toBe(408);
  });
});

describe('rebuilding a site', () => {
  const update = (project: string) =>
    callDeclared(test.app, { method: 'POST', url: `/v1/project/update/${project}`, headers });

  it('uses the source that was uploaded last', async () => {
    await addSite(test, operator, 'again');
    const first = (await put(await archive({ 'docs.json': '{}' }), {}, 'again')).json().statusId;
    test.deps.clock.advance(1);
    const second = (await put(await archive({ 'docs.json': '{"name":"2"}' }), {}, 'again')).json()
      .statusId;
    test.deps.clock.advance(1);
    const response = await update('again');
    expect(response.statusCode).toBe(202);
    const { statusId } = response.json();
    expect([first, second]).not.toContain(statusId);
    // It replaces the first one, which was queued.
    expect(
      await beginDeployment(test.deps.database.queries, first, test.deps.clock.now()),
    ).toMatchObject({
      id: statusId,
      sourceKey: `uploads/${second}.tar.gz`,
    });
    expect((await status(statusId)).json().status).toBe('in_progress');
  });

  it('returns 409 if nothing was uploaded, and 404 for an unknown site', async () => {
    await addSite(test, operator, 'bare');
    const response = await update('bare');
    expect([response.statusCode, response.json().code]).toEqual([409, 'source_missing']);
    expect((await update('nope')).statusCode).toBe(404);
  });
});

describe('the state of a deployment', () => {
  it('includes the diagnostics of the source with their positions after a failure', async () => {
    const { statusId } = (await put(await archive({ 'docs.json': '{' }))).json();
    const now = test.deps.clock.now();
    const fault = {
      severity: 'error',
      code: 'invalid-json',
      message: 'It ends too early.',
      remedy: 'Close it.',
      file: 'docs.json',
      line: 1,
    } as const;
    const report = {
      pageCount: 0,
      failedPageCount: 0,
      fileCount: 0,
      durationMs: 1.5,
      diagnostics: [fault],
    };
    await failDeployment(test.deps.database.queries, {
      id: statusId,
      summary: 'docs.json cannot be read',
      report,
      now,
    });
    expect((await status(statusId)).json()).toMatchObject({
      status: 'failure',
      summary: 'docs.json cannot be read',
      endedAt: now.toISOString(),
      logs: ['error docs.json:1 [invalid-json] It ends too early. Close it.'],
      report,
    });
  });

  it('returns the same 404 for another organization as for an unknown id', async () => {
    const { statusId } = (await put(await archive({ 'docs.json': '{}' }))).json();
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    for (const [id, as] of [
      [statusId, stranger.headers],
      ['nope', headers],
      ['%00', headers],
    ]) {
      const response = await status(id as string, as as Record<string, string>);
      expect([response.statusCode, response.json().code]).toEqual([404, 'deployment_not_found']);
    }
  });
});
