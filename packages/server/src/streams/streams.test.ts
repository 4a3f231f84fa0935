import { createHmac } from 'node:crypto';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { callDeclared } from '../../../../test/support/declared.ts';
import { type Received, type Receiver, startReceiver } from '../../../../test/support/receiver.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { createHttpOutside } from '../adapters/outside-files/http.ts';
import { addDueDeliveries, deliverStream } from './deliver-stream.ts';
import type { streamSchema } from './routes.ts';

type Shown = z.input<typeof streamSchema> & { secret: string; code: string };

const outsideCalls = createHttpOutside({
  allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange],
});
let test: TestApp;
let receiver: Receiver;
let headers: Record<string, string>;
let siteId: string;
let slug: string;
let sites = 0;

beforeAll(async () => {
  test = await openTestApp({ outsideCalls });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await outsideCalls.close();
  await test.close();
});
beforeEach(async () => {
  // Streams of earlier tests must not become due again.
  await test.deps.database.queries.deleteFrom('analytics_streams').execute();
  receiver.received.length = 0;
  receiver.answers.length = 0;
  test.deps.jobs.added.length = 0;
  sites += 1;
  slug = `streams-${sites}`;
  const operator = await addOrganization(test);
  ({ siteId } = await addSite(test, operator, slug));
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
});

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  rest = '',
  payload?: object,
  as = headers,
) {
  const url = `/v1/projects/${slug}/analytics-streams${rest}`;
  const response = await callDeclared(test.app, {
    method,
    url,
    headers: as,
    ...(payload && { payload }),
  });
  return {
    status: response.statusCode,
    text: response.body,
    body: (response.body ? response.json() : {}) as Shown,
  };
}
const create = async (more: object = {}): Promise<Shown> => {
  const { status, body } = await call('POST', '', {
    name: 'Warehouse',
    webhook: { url: receiver.url },
    ...more,
  });
  expect(status).toBe(201);
  return body;
};
const get = async (id: string) => (await call('GET', `/${id}`)).body;

function event(more: Partial<AnalyticsEvent> = {}): AnalyticsEvent {
  const at = test.deps.clock.now();
  const texts = {
    version: '',
    language: '',
    name: 'page',
    target: '',
    source: '',
    campaign: '',
    groups: '',
    agent: '',
  };
  const client = {
    class: 'human',
    visitor: '-7043211',
    device: 'desktop',
    browser: 'Firefox',
  } as const;
  return {
    siteId,
    at,
    kind: 'view',
    path: '/start',
    amount: 0,
    position: 0,
    ...texts,
    ...client,
    ...more,
  };
}
const store = (count: number, more: Partial<AnalyticsEvent> = {}) =>
  test.deps.analytics.store.append(
    Array.from({ length: count }, (_, n) => event({ path: `/p${n}`, ...more })),
  );

/** Does the work of the timer and the workers. */
async function run(): Promise<void> {
  await addDueDeliveries(test.deps);
  for (const { payload } of test.deps.jobs.added.splice(0))
    await deliverStream(
      test.deps,
      (payload as { streamId: string }).streamId,
      new AbortController().signal,
    );
}

const eventsOf = (received: Received[]) =>
  received.flatMap(({ body }) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
/** Implemented independently, from the specification. */
function signatureOf(
  secret: string,
  { headers: { 'webhook-id': id, 'webhook-timestamp': time }, body }: Received,
): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
}

describe('a webhook', () => {
  it('receives new events, signed by Standard Webhooks, without visitor ids', async () => {
    await store(1);
    const { id, secret } = await create();
    await store(2, { source: 'example.org' });
    await run();
    const [request] = receiver.received as [Received];
    expect(receiver.received).toHaveLength(1);
    expect(request.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'webhook-id': expect.stringMatching(/^msg_/),
    });
    expect(request.headers['webhook-timestamp']).toBe(
      String(test.deps.clock.now().getTime() / 1000),
    );
    expect(request.headers['webhook-signature']).toBe(signatureOf(secret, request));
    const [first, second] = eventsOf(receiver.received);
    expect(first).toEqual({
      id: expect.any(Number),
      projectId: siteId,
      at: test.deps.clock.now().toISOString(),
      kind: 'view',
      class: 'human',
      agent: '',
      path: '/p0',
      version: '',
      language: '',
      name: 'page',
      target: '',
      source: 'example.org',
      campaign: '',
      groups: '',
      device: 'desktop',
      browser: 'Firefox',
      amount: 0,
      position: 0,
    });
    expect(second.path).toBe('/p1');
    expect(await get(id)).toMatchObject({
      backlog: 0,
      delivered: 2,
      dropped: 0,
      lastDeliveredAt: first.at,
      lastError: null,
    });
  });

  it('receives stored events if the owner starts at the oldest', async () => {
    await store(3);
    await create({ startAt: 'oldest' });
    await run();
    expect(eventsOf(receiver.received)).toHaveLength(3);
  });

  it('receives no events of other sites', async () => {
    await create();
    await store(1, { siteId: 'another' });
    await run();
    expect(receiver.received).toEqual([]);
  });

  it('receives each event once and in order, in batches of at most 1,000 events and 1 MB', async () => {
    const { id } = await create();
    await store(2300);
    await store(600, { name: 'x'.repeat(2000) });
    await run();
    const events = eventsOf(receiver.received);
    expect(receiver.received.map(({ body }) => body.split('\n').length - 1).slice(0, 2)).toEqual([
      1000, 1000,
    ]);
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThanOrEqual(
      1_000_000,
    );
    expect(events.map((one) => one.id)).toEqual(
      [...new Set(events.map((one) => one.id))].sort((a, b) => a - b),
    );
    expect(events).toHaveLength(2900);
    expect(await get(id)).toMatchObject({ delivered: 2900, backlog: 0 });
  });

  it('receives a failed batch again, unchanged and under the same id, with growing delays', async () => {
    const { id } = await create();
    await store(2);
    receiver.answers.push({ status: 500 }, { status: 503 });
    await run();
    await store(1);
    expect(await get(id)).toMatchObject({
      backlog: 3,
      failures: 1,
      lastError: 'The receiver returned status 500.',
    });
    await run();
    expect(receiver.received).toHaveLength(1);
    test.deps.clock.advance(10);
    await run();
    test.deps.clock.advance(19);
    await run();
    expect(receiver.received).toHaveLength(2);
    test.deps.clock.advance(1);
    await run();
    const [first, second, third, rest] = receiver.received as [
      Received,
      Received,
      Received,
      Received,
    ];
    expect([second.headers['webhook-id'], third.headers['webhook-id']]).toEqual(
      Array(2).fill(first.headers['webhook-id']),
    );
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(eventsOf([rest])).toHaveLength(1);
    expect(await get(id)).toMatchObject({ backlog: 0, failures: 0, delivered: 3 });
  });

  it('is not called again before its Retry-After, up to an hour', async () => {
    const { id } = await create();
    await store(1);
    receiver.answers.push({ status: 429, headers: { 'retry-after': '86400' } });
    await run();
    const { nextDeliveryAt } = await get(id);
    expect(Date.parse(nextDeliveryAt as string) - test.deps.clock.now().getTime()).toBe(3_600_000);
  });

  it('that returns 410 is disabled, and receives the missed events when it is enabled again', async () => {
    const { id } = await create();
    await store(1);
    receiver.answers.push({ status: 410 });
    await run();
    expect(await get(id)).toMatchObject({ enabled: false, backlog: 1, nextDeliveryAt: null });
    await store(1);
    test.deps.clock.advance(86_400);
    await run();
    expect(receiver.received).toHaveLength(1);
    await call('PATCH', `/${id}`, { enabled: true });
    await run();
    expect(eventsOf(receiver.received.slice(1))).toHaveLength(2);
  });

  it('receives signatures with both secrets for a day after a rotation', async () => {
    const { id, secret } = await create();
    const rotated = (await call('POST', `/${id}/rotate-secret`)).body;
    expect(rotated.secret).toMatch(/^whsec_/);
    const signed = async () => {
      await call('POST', `/${id}/test`);
      const request = receiver.received.at(-1) as Received;
      const signatures = String(request.headers['webhook-signature']).split(' ');
      return [rotated.secret, secret].map((one) => signatures.includes(signatureOf(one, request)));
    };
    expect(await signed()).toEqual([true, true]);
    test.deps.clock.advance(86_400);
    expect(await signed()).toEqual([true, false]);
    expect((await get(id)).formerSecretUntil).toBeNull();
  });

  it('at a private address is not called, and the stream reports the reason', async () => {
    const { id } = await create({ webhook: { url: 'http://10.0.0.1/' } });
    expect((await call('POST', `/${id}/test`)).body).toEqual({
      delivered: false,
      error: expect.stringContaining('private or reserved'),
    });
    await call('PATCH', `/${id}`, { webhook: { url: receiver.url } });
    expect((await call('POST', `/${id}/test`)).body).toEqual({ delivered: true, error: null });
    expect(eventsOf(receiver.received)).toMatchObject([{ id: 0, kind: 'test' }]);
  });

  it('is not followed through redirects', async () => {
    const { id } = await create();
    receiver.answers.push({ status: 307, headers: { location: receiver.url } });
    expect((await call('POST', `/${id}/test`)).body).toMatchObject({
      delivered: false,
      error: expect.stringContaining('redirects'),
    });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('counts events that expired before their delivery', async () => {
    const { id } = await create();
    receiver.answers.push({ status: 500 });
    await store(3);
    await run();
    test.deps.clock.advance(60 * 86_400);
    await store(1);
    await test.deps.analytics.store.rollUp();
    const retention = { eventDays: 30, figureDays: 730 };
    await test.deps.analytics.store.expire(test.deps.clock.now(), retention);
    await test.deps.analytics.store.expire(test.deps.clock.now(), retention);
    expect(await get(id)).toMatchObject({ backlog: 1, dropped: 3 });
    await run();
    expect(eventsOf(receiver.received.slice(1))).toHaveLength(1);
    expect(await get(id)).toMatchObject({ backlog: 0, dropped: 3, delivered: 1 });
  });

  it('returns its secrets only once, and stores them encrypted', async () => {
    const { id, secret } = await create();
    const bucket = { bucket: 'events', accessKeyId: 'AK', secretAccessKey: 'very-secret-key' };
    const s3 = await call('POST', '', { name: 'Bucket', s3: bucket });
    expect(s3.body).toMatchObject({
      kind: 's3',
      secret: null,
      webhook: null,
      s3: { bucket: 'events', prefix: '', endpoint: null },
    });
    const shown = [(await call('GET')).text, (await call('GET', `/${id}`)).text, s3.text].join();
    const rows = JSON.stringify(
      await test.deps.database.queries.selectFrom('analytics_streams').selectAll().execute(),
    );
    for (const text of [shown, rows])
      for (const one of [secret, 'very-secret-key']) expect(text).not.toContain(one);
  });

  it('to a bucket asks for the secret again when its store changes, and keeps it for other changes', async () => {
    const store = {
      bucket: 'events',
      accessKeyId: 'AK',
      endpoint: 'https://store.example.com',
      region: 'eu-1',
    };
    const { id } = (
      await call('POST', '', {
        name: 'Bucket',
        s3: { ...store, secretAccessKey: 'very-secret-key' },
      })
    ).body;
    for (const endpoint of ['https://evil.example.com', null]) {
      expect(await call('PATCH', `/${id}`, { s3: { endpoint } })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/s3/secretAccessKey' }] },
      });
    }
    expect(
      (await call('PATCH', `/${id}`, { s3: { endpoint: store.endpoint, bucket: 'other' } })).status,
    ).toBe(200);
    const moved = await call('PATCH', `/${id}`, {
      s3: { endpoint: 'https://new.example.com', secretAccessKey: 'new-secret-key' },
    });
    expect(moved.body).toMatchObject({
      s3: { bucket: 'other', endpoint: 'https://new.example.com' },
    });
  });

  it('can be created, listed, changed and deleted, and the audit log records each of them', async () => {
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, { name: 'Other', enabled: false })).body).toMatchObject({
      name: 'Other',
      enabled: false,
    });
    expect((await call('GET')).body).toMatchObject({
      items: [{ id, name: 'Other' }],
      hasMore: false,
    });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ code: 'stream_not_found' });
    const { items } = (
      await callDeclared(test.app, { method: 'GET', url: `/v1/audit-log?thing=${id}`, headers })
    ).json();
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions.sort()).toEqual(['changeAnalyticsStream', 'deleteAnalyticsStream']);
    const ofSite = (
      await callDeclared(test.app, { method: 'GET', url: `/v1/audit-log?thing=${slug}`, headers })
    ).json().items;
    expect(ofSite).toMatchObject([{ action: 'createAnalyticsStream', outcome: 'done' }]);
  });

  it.each([
    { webhook: { url: 'ftp://example.com' } },
    { webhook: { url: 'https://user:password@example.com' } },
    { webhook: { url: 'nonsense' } },
    {},
    {
      webhook: { url: 'https://example.com' },
      s3: { bucket: 'events', accessKeyId: 'a', secretAccessKey: 'b' },
    },
    { s3: { bucket: '../events', accessKeyId: 'a', secretAccessKey: 'b' } },
    {
      s3: {
        bucket: 'events',
        prefix: '../',
        region: 'x/y',
        accessKeyId: 'a',
        secretAccessKey: 'b',
      },
    },
  ])('to %j is rejected with 400', async (target) => {
    expect(await call('POST', '', { name: 'x', ...target })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  it('cannot be the eleventh of its site', async () => {
    for (let count = 0; count < 10; count += 1) await create();
    expect(await call('POST', '', { name: 'x', webhook: { url: receiver.url } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('10 streams') },
    });
  });

  it('of another organization or site can be neither read nor changed', async () => {
    const { id } = await create();
    const organization = await addOrganization(test);
    const other = (await addKey(test, organization, { kind: 'admin' })).headers;
    await addSite(test, organization, `other-${sites}`);
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/rotate-secret`],
    ] as const)
      expect((await call(method, rest, undefined, other)).body.code).toBe('site_not_found');
    slug = `other-${sites}`;
    expect((await call('GET', `/${id}`, undefined, other)).body.code).toBe('stream_not_found');
  });
});
