import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectBytes } from '../../../../test/support/collect.ts';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import { hostSiteOf } from '../kernel/http/site-hosts.ts';
import { attachOperator } from '../kernel/operations/identify.ts';

const logged: object[] = [];
const record = (fields: object, message: string) => {
  logged.push({ ...fields, message });
};
const logger = { debug: record, info: record, warn: record, error: record, child: () => logger };

const probes: FastifyPluginAsync = async (app) => {
  app.get('/sites/:slug/*', { schema: { hide: true } }, async (request) => ({
    url: request.url,
    host: hostSiteOf(request.raw) ?? null,
  }));
  app.get('/probe/crash', { schema: { hide: true } }, async () => {
    throw new Error('secret connection string');
  });
  app.get('/probe/lost-connection', { schema: { hide: true } }, async () => {
    throw new Error('Connection terminated unexpectedly');
  });
  app.get('/probe/outage', { schema: { hide: true } }, async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.9:5432'), { code: 'ECONNREFUSED' });
  });
};

let test: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp({
    plugins: [probes],
    logger,
    routing: {
      slugOf: (name) => (name === 'docs.example.com' ? 'docs' : undefined),
      basePathOf: () => '',
    },
  });
  headers = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
});
afterAll(() => test.close());

it('every API response forbids caching: lists, new secrets, errors and unauthenticated responses', async () => {
  const key = {
    method: 'POST',
    url: '/v1/keys',
    headers,
    payload: { kind: 'admin', name: 'cached' },
  } as const;
  const management = [
    { url: '/v1/projects', headers },
    key,
    { url: '/v1/projects/none', headers },
    { url: '/v1/session' },
  ];
  const discovery = [
    { url: '/discovery/v1/assistant/none/settings' },
    { url: '/v2/assistant/none/message' },
  ];
  for (const request of [...management, ...discovery])
    expect((await test.app.inject(request)).headers, request.url).toMatchObject({
      'cache-control': 'no-store',
    });
});

it('no operation fails with a server error on U+0000, and filters reject it', async () => {
  await test.app.inject({ method: 'POST', url: '/v1/projects', headers, payload: { slug: 'nul' } });
  const { paths, components } = JSON.parse(
    await readFile(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
  );
  type Parameter = { in: string; name: string; $ref?: string };
  const requests = Object.entries<Record<string, { parameters?: Parameter[] }>>(paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([name, { parameters = [] }]) => {
        const method = name.toUpperCase() as 'GET';
        const url = path.replace('{projectId}', 'nul').replaceAll(/\{\w+\}/g, '%00');
        const queries = parameters
          .map(
            (one): Parameter =>
              one.$ref ? components.parameters[one.$ref.split('/').at(-1) as string] : one,
          )
          .filter((parameter) => parameter.in === 'query');
        return [
          { method, url },
          { method, url: path.replaceAll(/\{\w+\}/g, '%00') },
          ...queries.map((query) => ({ method, url: `${url}?${query.name}=%00` })),
        ];
      }),
  );
  expect(requests.length).toBeGreaterThan(300);
  const failed: string[] = [];
  for (const request of requests)
    if ((await test.app.inject({ ...request, headers })).statusCode >= 500)
      failed.push(`${request.method} ${request.url}`);
  expect(failed).toEqual([]);
  for (const url of [
    '/v1/audit-log?actor=%00',
    '/v1/analytics/nul/views?path=%00',
    '/v1/analytics/nul/assistant?version=%00',
  ])
    expect((await test.app.inject({ url, headers })).json(), url).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
});

describe('an error', () => {
  it('is an HTML page in a browser, with the remedy and the request id, and loads and runs nothing', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const url = '/v1/static-export/<b>';
    const response = await test.app.inject({ url, headers: { accept, 'x-request-id': 'abc-2' } });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    expect(response.headers.vary).toContain('accept');
    expect(response.body).toContain('<h1>Not found</h1><p>Nothing was found at this address.</p>');
    expect(response.body).toContain('request <code>abc-2</code>');
    const crash = await test.app.inject({ url: '/probe/crash', headers: { accept } });
    expect(crash.statusCode).toBe(500);
    expect(crash.body).not.toContain('secret connection string');
  });

  it('is a problem document for clients that accept JSON, and for requests other than page views', async () => {
    for (const [method, accept] of [
      ['GET', 'application/json, text/html'],
      ['GET', '*/*'],
      ['POST', 'text/html'],
    ] as const) {
      const response = await test.app.inject({ method, url: '/nothing', headers: { accept } });
      expect([method, accept, response.headers['content-type']]).toEqual([
        method,
        accept,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  it('is a problem document with the documented members and the request id of the header', async () => {
    const response = await test.app.inject({
      method: 'GET',
      url: '/nothing',
      headers: { 'x-request-id': 'abc-1' },
    });
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.headers['x-request-id']).toBe('abc-1');
    expect(response.json()).toEqual({
      type: '/errors/route_not_found',
      title: 'Not found',
      status: 404,
      detail: 'Nothing was found at this address.',
      error: 'Nothing was found at this address.',
      code: 'route_not_found',
      requestId: 'abc-1',
    });
  });

  it('also has `message` on the discovery paths, and is readable from every origin', async () => {
    const response = await test.app.inject({ method: 'GET', url: '/discovery/v1/nothing' });
    expect(response.json().message).toBe(response.json().detail);
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });

  it('hides the cause of an internal fault, which is logged under the request id', async () => {
    const response = await test.app.inject({ method: 'GET', url: '/probe/crash' });
    expect([response.statusCode, response.json().code]).toEqual([500, 'internal_error']);
    expect(response.body).not.toContain('secret');
    expect(response.body).not.toContain('at ');
    const requestId = response.headers['x-request-id'];
    expect(logged).toContainEqual(
      expect.objectContaining({
        requestId,
        fault: expect.stringContaining('secret connection string'),
      }),
    );
  });

  it('is 503 with Retry-After when a dependency is unavailable', async () => {
    for (const url of ['/probe/outage', '/probe/lost-connection']) {
      const response = await test.app.inject({ method: 'GET', url });
      expect([response.statusCode, response.json().code]).toEqual([503, 'dependency_unavailable']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(response.body).not.toMatch(/10\.0\.0\.9|Connection terminated/);
    }
  });

  it('is a problem document for an invalid path too', async () => {
    const response = await test.app.inject({ method: 'GET', url: '/v1/keys/%zz' });
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    expect(response.headers['x-request-id']).toBe(response.json().requestId);
    expect(
      (await test.app.inject({ method: 'GET', url: `/v1/static-export/jobs/${'x'.repeat(600)}` }))
        .statusCode,
    ).toBe(404);
  });

  it.each(['', 'a b', 'x'.repeat(65), 'ä'])(
    'has a generated request id if the request sends %j',
    async (requestId) => {
      const response = await test.app.inject({
        method: 'GET',
        url: '/healthz',
        headers: { 'x-request-id': requestId },
      });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('a request body', () => {
  const post = (payload: string, type = 'application/json') =>
    callDeclared(test.app, {
      method: 'POST',
      url: '/v1/keys',
      headers: { ...headers, 'content-type': type },
      payload,
    });

  it('is rejected with 400 malformed_json if it is not JSON', async () => {
    for (const payload of ['{', '{"a":1,}', 'undefined', '{"__proto__":{"x":1}}']) {
      const response = await post(payload);
      expect([response.statusCode, response.json().code]).toEqual([400, 'malformed_json']);
    }
  });

  it('is rejected with a pointer to the root if it is JSON but not an object', async () => {
    for (const payload of ['', '[]', 'null', '"x"']) {
      const response = await post(payload);
      expect([response.statusCode, response.json().errors[0].path]).toEqual([400, '']);
    }
  });

  it('is rejected with 415 if it has another media type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/gzip']) {
      const response = await post('{}', type);
      expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
    }
  });

  it('is rejected with 413 if it is too large', async () => {
    const response = await post(JSON.stringify({ name: 'x'.repeat(1_100_000) }));
    expect([response.statusCode, response.json().code]).toEqual([413, 'body_too_large']);
  });

  it('is not parsed before the key is checked', async () => {
    const response = await test.app.inject({
      method: 'POST',
      url: '/v1/keys',
      headers: { 'content-type': 'text/plain' },
      payload: '{',
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('a method that an address does not support', () => {
  it.each([
    ['DELETE', '/v1/keys', 'GET, HEAD, POST'],
    ['GET', '/v1/keys/abc', 'DELETE, PATCH'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['GET', '/v1/static-export/jobs/se_1/bundle', 'DELETE, POST'],
    ['PATCH', '/v1/static-export/jobs', 'GET, HEAD, POST'],
    ['POST', '/sites/docs/page', 'GET, HEAD'],
  ] as const)('%s %s returns 405 with Allow: %s', async (method, url, allow) => {
    const response = await test.app.inject({ method, url });
    expect([response.statusCode, response.headers.allow, response.json().code]).toEqual([
      405,
      allow,
      'method_not_allowed',
    ]);
  });

  it.each(['application/json', 'text/csv'])(
    'returns 405 for any body of type %s, and an unknown address returns 404',
    async (type) => {
      const send = async (url: string) =>
        (
          await test.app.inject({
            method: 'PUT',
            url,
            headers: { 'content-type': type },
            payload: '{',
          })
        ).json().code;
      expect([await send('/healthz'), await send('/v1/nothing')]).toEqual([
        'method_not_allowed',
        'route_not_found',
      ]);
    },
  );
});

describe('a browser', () => {
  it('receives its preflight response without a key, with Authorization allowed by name', async () => {
    for (const prefix of ['/discovery', '/api/discovery', '']) {
      const response = await test.app.inject({
        method: 'OPTIONS',
        url: `${prefix}/v1/assistant/docs/message`,
        headers: { origin: 'https://a.example' },
      });
      expect(response.statusCode).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
      });
      expect(response.headers['access-control-allow-headers']).toContain('authorization');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it.each([
    ['Authorization, x-my-client', 'Authorization, x-my-client'],
    ['x-a\u0000', 'authorization, content-type, x-request-id'],
  ])('may send the valid headers that it requests: %j', async (requested, allowed) => {
    const response = await test.app.inject({
      method: 'OPTIONS',
      url: '/v1/assistant/docs/message',
      headers: { origin: 'https://a.example', 'access-control-request-headers': requested },
    });
    expect(response.headers['access-control-allow-headers']).toBe(allowed);
  });

  it('receives no CORS header from the management API', async () => {
    const origin = 'https://a.example';
    const preflight = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    for (const request of [
      { method: 'GET', headers: { ...headers, origin } },
      { method: 'OPTIONS', headers: preflight },
    ] as const) {
      const response = await test.app.inject({ ...request, url: '/v1/keys' });
      expect(response.statusCode).toBe(request.method === 'GET' ? 200 : 405);
      expect(
        Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
      ).toEqual([]);
    }
  });
});

describe('a site', () => {
  it('is served at the root of its own host, which cannot reach the API', async () => {
    const get = async (host: string, url: string) =>
      (await test.app.inject({ method: 'GET', url, headers: { host } })).json();
    expect(await get('docs.localhost:3000', '/v1/keys?x=1')).toEqual({
      url: '/sites/docs/v1/keys?x=1',
      host: 'docs',
    });
    expect(await get('docs.example.com', '/')).toEqual({ url: '/sites/docs/', host: 'docs' });
    expect(await get('localhost', '/sites/docs/a')).toEqual({ url: '/sites/docs/a', host: null });
  });
});

describe('the platform', () => {
  it('reports that it is alive and ready', async () => {
    expect((await callDeclared(test.app, { method: 'GET', url: '/healthz' })).json()).toEqual({
      status: 'ok',
    });
    const ready = await callDeclared(test.app, { method: 'GET', url: '/readyz' });
    expect(ready.json()).toEqual({ status: 'ok', unavailable: [] });
  });

  it('is not ready without its database and cached sites, and reports itself as degraded if it has cached sites', async () => {
    const down = await openTestApp();
    down.deps.database.ping = async () => false;
    const ready = () => callDeclared(down.app, { method: 'GET', url: '/readyz' });
    // The database is checked in the background.
    await expect.poll(async () => (await ready()).statusCode).toBe(503);
    const empty = await ready();
    expect(empty.json().code).toBe('dependency_unavailable');
    expect(Number(empty.headers['retry-after'])).toBeGreaterThan(0);
    Object.defineProperty(down.deps.liveSites, 'heldCount', { value: 1 });
    expect((await ready()).json()).toEqual({ status: 'degraded', unavailable: ['database'] });
    await down.close();
  });

  it('explains an error at the URL of its type', async () => {
    const problem = await callDeclared(test.app, { method: 'GET', url: '/v1/keys' });
    const page = await test.app.inject({ method: 'GET', url: problem.json().type });
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(page.body).toMatch(
      /^# Authentication required\n\nCode: unauthenticated\n\n## Why it happens\n/,
    );
    for (const code of ['no_such_code', 'toString', '..%2Findex'])
      expect((await test.app.inject({ method: 'GET', url: `/errors/${code}` })).statusCode).toBe(
        404,
      );
  });

  it('describes its API as OpenAPI 3.1, with the errors of every operation that requires a key', async () => {
    const api = (await test.app.inject({ method: 'GET', url: '/openapi.json' })).json();
    expect(api.openapi).toBe('3.1.0');
    const operations = Object.values<
      Record<string, { operationId: string; security: object[]; responses: object }>
    >(api.paths).flatMap((path) => Object.values(path));
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(operations.length);
    const guarded = operations.filter((one) => one.security.length > 0);
    expect(guarded.length).toBeGreaterThanOrEqual(11);
    for (const { operationId, responses } of guarded) {
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['401', '403', '500']),
      );
    }
    expect(api.components.schemas.StaticExportJob.properties.progress).toMatchObject({
      minimum: 0,
      maximum: 100,
    });
  });

  it('shows its metrics to direct local requests only, not over the network or through a proxy', async () => {
    const local = await test.app.inject({ method: 'GET', url: '/metrics' });
    expect(local.body).toMatch(
      /docent_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} \d+/,
    );
    expect(local.body).toContain('process_cpu_seconds_total');
    expect(local.body).toMatch(/^nodejs_eventloop_lag_p99_seconds 0\.\d+$/m);
    expect(local.body).not.toContain('/v1/keys/%');
    const status = async (more: object) =>
      (await test.app.inject({ method: 'GET', url: '/metrics', ...more })).statusCode;
    for (const remoteAddress of ['203.0.113.1', '10.0.0.7', '192.168.1.20', 'fd00::7'])
      expect(await status({ remoteAddress }), remoteAddress).toBe(401);
    for (const remoteAddress of ['::1', '::ffff:127.0.0.1'])
      expect(await status({ remoteAddress }), remoteAddress).toBe(200);
    expect(await status({ headers })).toBe(200);
    expect(await status({ remoteAddress: '203.0.113.1', headers })).toBe(401);
    for (const name of ['x-forwarded-for', 'X-Real-IP', 'forwarded', 'via'])
      expect(await status({ headers: { [name]: '127.0.0.1' } })).toBe(401);
  });

  it('shows its metrics only to the holder of the metrics token, if one is configured', async () => {
    const token = 'scrape-me-0123456789';
    const guarded = await openTestApp({ env: { DOCENT_METRICS_TOKEN: token } });
    const status = async (authorization?: string) =>
      (
        await guarded.app.inject({
          method: 'GET',
          url: '/metrics',
          headers: { 'x-forwarded-for': '203.0.113.9', ...(authorization && { authorization }) },
        })
      ).statusCode;
    expect(
      await Promise.all([
        status(),
        status('Bearer wrong'),
        status(token),
        status(`Bearer ${token}`),
      ]),
    ).toEqual([401, 401, 401, 200]);
    expect((await guarded.app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(401);
    await guarded.close();
  });

  it('warns once about an untrusted proxy', async () => {
    for (let count = 0; count < 3; count++)
      await test.app.inject({
        method: 'GET',
        url: '/healthz',
        headers: { 'x-forwarded-for': '203.0.113.9' },
      });
    expect(
      logged.filter((one) => JSON.stringify(one).includes('DOCENT_TRUSTED_PROXIES')),
    ).toHaveLength(1);
  });

  it('logs each request by its path, without the query, secrets of links and headers', async () => {
    await test.app.inject({ method: 'GET', url: '/blobs/a?signature=topsecret', headers });
    expect(logged).toContainEqual(
      expect.objectContaining({ message: 'request', path: '/blobs/a', status: 403 }),
    );
    for (const url of [
      '/v1/invitations/topsecret',
      '/v1/auth/reset-password/topsecret',
      '/dashboard/reset/topsecret',
      '/dashboard/email/topsecret',
    ])
      await test.app.inject({ method: 'GET', url });
    await test.app.inject({ method: 'POST', url: '/v1/invitations/topsecret/accept', payload: {} });
    expect(logged).toContainEqual(
      expect.objectContaining({ message: 'request', path: '/v1/invitations/***/accept' }),
    );
    expect(JSON.stringify(logged)).not.toContain('topsecret');
    expect(JSON.stringify(logged)).not.toContain((headers.authorization as string).slice(7));
  });
});

describe('the listening server', () => {
  let folder: string;
  let server: ReturnType<typeof createServer>;
  const socketPath = () => join(folder, 'operator.sock');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-operator-'));
    server = createServer();
    attachOperator(test.app, server);
    await once(server.listen(socketPath()), 'listening');
  });
  afterAll(async () => {
    test.app.server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  async function request(
    options: http.RequestOptions,
    body?: object,
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const call = http.request({
      headers: { host: 'localhost', 'content-type': 'application/json' },
      ...options,
    });
    call.end(body && JSON.stringify(body));
    const [response] = (await once(call, 'response')) as [http.IncomingMessage];
    const text = (await collectBytes(response)).toString();
    return { status: response.statusCode ?? 0, json: text === '' ? {} : JSON.parse(text) };
  }

  it('serves no connection of the operator once they are ended, as before the database is closed', async () => {
    const other = createServer();
    const path = join(folder, 'other.sock');
    const detach = attachOperator(test.app, other);
    await once(other.listen(path), 'listening');
    const agent = new http.Agent({ keepAlive: true });
    const read = () => request({ socketPath: path, path: '/v1/organization', agent });
    expect((await read()).status).toBe(200);
    const [socket] = Object.values(agent.freeSockets).flat();
    await detach();
    if (socket?.closed === false) await once(socket, 'close');
    const late = read();
    const [refused] = (await once(other, 'connection')) as [Socket];
    refused.destroy();
    // The socket was hung up, or had been when it was written to.
    await expect(late).rejects.toThrow();
    other.close();
  });

  it('has the organizations that the operator creates and deletes by name in the audit log, and none of that as a failure in its own', async () => {
    const path = '/v1/organizations';
    const of = { socketPath: socketPath(), path };
    const send = (method: string, rest: object, body?: object) =>
      request({ ...of, method, ...rest }, body);
    // Entries of one time have no order.
    test.deps.clock.advance(1);
    const { status } = await send('POST', {}, { name: 'Acme Labs', slug: 'acme-labs' });
    expect(status).toBe(201);
    test.deps.clock.advance(1);
    logged.length = 0;
    const route = '/v1/organization?confirm=acme-labs';
    const named = { host: 'localhost', 'docent-organization': 'acme-labs' };
    expect((await send('DELETE', { path: route, headers: named })).status).toBe(204);
    expect(logged).toContainEqual(
      expect.objectContaining({ message: 'organization deleted', name: 'Acme Labs', sites: 0 }),
    );
    expect(JSON.stringify(logged)).not.toContain('could not be stored');
    const { json } = await send('GET', { path: '/v1/audit-log?limit=2' });
    expect(json.items).toMatchObject([
      { sentence: 'The operator deleted the organization Acme Labs' },
      { sentence: 'The operator created the organization Acme Labs' },
    ]);
  });

  it('needs no key on the operator socket, uses the default organization, and applies no rate limit', async () => {
    const site = await request(
      { socketPath: socketPath(), method: 'POST', path: '/v1/projects' },
      { slug: 'mine' },
    );
    expect(site.status).toBe(201);
    for (let index = 0; index < 12; index++) {
      const key = await request(
        { socketPath: socketPath(), method: 'POST', path: '/v1/keys' },
        { kind: 'assistant', name: 'x', site: 'mine' },
      );
      expect([key.status, String(key.json.key).slice(0, 8)]).toEqual([201, 'svc_dsc_']);
    }
    const { id } = await ensureDefaultOrganization(test.deps);
    const row = await test.deps.database.queries
      .selectFrom('sites')
      .selectAll()
      .where('slug', '=', 'mine')
      .executeTakeFirstOrThrow();
    expect(row.organization_id).toBe(id);
  });

  it('accepts no operator over the network, regardless of headers', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.addresses()[0] as { port: number };
    expect(
      (
        await request({
          port,
          method: 'GET',
          path: '/v1/keys',
          headers: { host: 'localhost', 'x-forwarded-for': 'unix:' },
        })
      ).status,
    ).toBe(401);
  });

  async function sendRaw(text: string): Promise<{ head: string; body: string }> {
    const { port } = test.app.addresses()[0] as { port: number };
    const answer = (await collectBytes(connect(port, '127.0.0.1').end(text))).toString();
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    return { head, body };
  }

  it('responds to a request that is not HTTP with a problem document', async () => {
    const { head, body } = await sendRaw('HELLO\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('responds to a request without Host or with an unknown expectation with a problem document and a request id', async () => {
    for (const [text, status] of [
      ['GET /v1/keys HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      [
        'GET /v1/keys HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nConnection: close\r\n\r\n',
        401,
      ],
    ] as const) {
      const { head, body } = await sendRaw(text);
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toMatch(/^x-request-id: \S/im);
      expect(JSON.parse(body)).toMatchObject({ status, requestId: expect.any(String) });
    }
  });
});
