import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { announceExpiringKeys } from '../keys/announce-expiry.ts';
import type { OutsideCall, OutsideCalls } from '../ports/outside-calls.ts';
import { OutsideFault } from '../ports/outside-files.ts';
import { expirePreviews } from '../previews/manage-previews.ts';
import { deliverWebhook, failKilledDelivery } from './deliver-webhook.ts';
import { emitDeployment, emitEvent } from './emit/emit-event.ts';

interface Receiver extends OutsideCalls {
  calls: OutsideCall[];
  status: number;
  answer: string;
  isDown: boolean;
}

const receiver: Receiver = {
  calls: [],
  status: 200,
  answer: 'thanks',
  isDown: false,
  async call(request) {
    receiver.calls.push(request);
    if (receiver.isDown)
      throw new OutsideFault('unreachable', 'The receiver could not be reached.');
    const body = Readable.from([Buffer.from(receiver.answer)]);
    return { status: receiver.status, statusText: '', headers: [], body };
  },
};
const context = { signal: new AbortController().signal, lastAttempt: false };

let test: TestApp;
let headers: Record<string, string>;
let operator: Awaited<ReturnType<typeof addOrganization>>;
let siteId: string;
let sites = 0;

describe('a webhook', () => {
  beforeAll(async () => {
    test = await openTestApp({ outsideCalls: receiver });
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    Object.assign(receiver, { calls: [], status: 200, answer: 'thanks', isDown: false });
    test.deps.jobs.added.length = 0;
    sites += 1;
    operator = await addOrganization(test);
    ({ siteId } = await addSite(test, operator, `hooks-${sites}`, ['start']));
    headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  });

  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest = '', payload?: object) {
    const request = { method, url: `/v1/webhooks${rest}`, headers, ...(payload && { payload }) };
    const response = await callDeclared(test.app, request);
    return {
      status: response.statusCode,
      text: response.body,
      body: response.body ? response.json() : {},
    };
  }
  const create = async (more: object = {}) => {
    const input = {
      name: 'Channel',
      url: 'https://events.acme.example/x',
      events: ['deployment.failed'],
      ...more,
    };
    const { status, body } = await call('POST', '', input);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  };
  const emit = (
    type: 'deployment.failed' | 'feedback.created' = 'deployment.failed',
    of = siteId,
  ) =>
    test.deps.database.queries.transaction().execute((transaction) =>
      emitEvent(test.deps, transaction, {
        type,
        siteId: of,
        title: 'It failed',
        path: 'x',
        details: { extra: 1 },
      }),
    );
  /** Ids of the deliveries that are to be sent. */
  const pending = () =>
    test.deps.jobs.added
      .filter(({ name }) => name === 'deliver-webhook')
      .map(({ payload }) => (payload as { deliveryId: string }).deliveryId);
  const deliveries = async (id: string) => (await call('GET', `/${id}/deliveries`)).body.items;
  const headersOf = ({ headers: sent }: OutsideCall) =>
    Object.fromEntries(sent) as Record<string, string>;

  it('without a name is named after the host of its URL, without the path that may be a secret', async () => {
    const { name } = await create({ name: undefined, url: 'https://chat.acme.example/T0/secret' });
    expect(name).toBe('chat.acme.example');
  });

  it('is sent its events, signed so that a library of Standard Webhooks accepts them, and no others', async () => {
    const { id, secret } = await create();
    await emit('feedback.created');
    expect(pending()).toEqual([]);
    await emit();
    const [deliveryId = ''] = pending();
    await deliverWebhook(test.deps, deliveryId, context);
    const [request] = receiver.calls as [OutsideCall];
    expect(request.url).toBe('https://events.acme.example/x');
    vi.setSystemTime(test.deps.clock.now());
    const message = new Webhook(secret).verify(
      Buffer.from(request.body as Uint8Array).toString(),
      headersOf(request),
    );
    expect(() =>
      new Webhook(`whsec_${'A'.repeat(43)}=`).verify('{}', headersOf(request)),
    ).toThrow();
    vi.useRealTimers();
    const slug = `hooks-${sites}`;
    expect(message).toMatchObject({
      type: 'deployment.failed',
      data: {
        title: 'It failed',
        site: slug,
        projectId: siteId,
        extra: 1,
        url: expect.stringContaining(`/${slug}/x`),
      },
    });
    expect(await deliveries(id)).toMatchObject([
      {
        event: 'deployment.failed',
        state: 'delivered',
        attempts: 1,
        status: 200,
        answer: 'thanks',
        error: null,
      },
    ]);
    await deliverWebhook(test.deps, deliveryId, context);
    expect(receiver.calls).toHaveLength(1);
  });

  it('is sent that a key is about to expire, once, and nothing about revoked or other keys', async () => {
    const { id } = await create({ events: ['key.expiring'] });
    const { queries } = test.deps.database;
    const input = { kind: 'admin', expiresInDays: 30 };
    const add = async (name: string) => {
      const key = {
        method: 'POST' as const,
        url: '/v1/keys',
        headers,
        payload: { ...input, name },
      };
      return (await callDeclared(test.app, key)).json().id as string;
    };
    const keyId = await add('Soon');
    const revoked = await add('Revoked');
    await add('Later');
    const now = test.deps.clock.now();
    const expiry = new Date(now.getTime() + 2 * 24 * 3600 * 1000);
    const update = queries.updateTable('api_keys').where('id', 'in', [keyId, revoked]);
    await update.set({ expires_at: expiry }).execute();
    const revocation = queries.updateTable('api_keys').where('id', '=', revoked);
    await revocation.set({ revoked_at: now }).execute();
    await announceExpiringKeys(test.deps);
    await announceExpiringKeys(test.deps);
    expect(await deliveries(id)).toMatchObject([
      { event: 'key.expiring', message: { data: { title: 'Soon', keyId, projectId: null } } },
    ]);
  });

  it('is sent that a limit was reached, once a day', async () => {
    const { id } = await create({ events: ['limit.reached'] });
    const { queries } = test.deps.database;
    const add = (name: string) =>
      callDeclared(test.app, {
        method: 'POST',
        url: '/v1/keys',
        headers,
        payload: { kind: 'admin', expiresInDays: 30, name },
      });
    const statuses: number[] = [];
    for (let number = 0; statuses.at(-1) !== 429 && number < 20; number++)
      statuses.push((await add(`Key ${number}`)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    await add('Another');
    const limit = 'rate_limited createKey';
    expect(await deliveries(id)).toMatchObject([
      { event: 'limit.reached', message: { data: { limit, projectId: null } } },
    ]);
    const { organizationId } = operator;
    const [row] = await queries.selectFrom('announced_limits').selectAll().execute();
    expect(row?.id).toContain(organizationId);
  });

  it('is sent that a preview has expired', async () => {
    const { id } = await create({ events: ['preview.ended'] });
    const preview = { id: `old-${sites}`, site_id: siteId, name: 'old', branch: 'old' };
    await test.deps.database.queries
      .insertInto('previews')
      .values({ ...preview, members_only: false, expires_at: test.deps.clock.now() })
      .execute();
    await expirePreviews(test.deps);
    expect(await deliveries(id)).toMatchObject([{ message: { data: { preview: 'old' } } }]);
  });

  it('is one of at most twenty, also when many are created at once', async () => {
    const input = {
      name: 'Channel',
      url: 'https://events.acme.example/x',
      events: ['deployment.failed'],
    };
    const answers = await Promise.all(Array.from({ length: 24 }, () => call('POST', '', input)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  it('is not sent again what was accepted, although the answer broke off', async () => {
    const { id } = await create();
    await emit();
    const [deliveryId = ''] = pending();
    const { call: answerWhole } = receiver;
    receiver.call = async (request) => {
      const answer = await answerWhole(request);
      const body = async function* () {
        yield* answer.body;
        throw new Error('The connection was reset.');
      };
      return { ...answer, body: body() };
    };
    try {
      await deliverWebhook(test.deps, deliveryId, context);
    } finally {
      receiver.call = answerWhole;
    }
    expect(await deliveries(id)).toMatchObject([
      { state: 'delivered', status: 200, answer: 'thanks' },
    ]);
  });

  it('has a failed delivery, not a pending one, after its last attempt was killed', async () => {
    const { id } = await create();
    await emit();
    const [deliveryId = ''] = pending();
    await failKilledDelivery(test.deps, deliveryId);
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('replay') },
    ]);
    await deliverWebhook(test.deps, deliveryId, context);
    expect(receiver.calls).toEqual([]);
  });

  it('is tried again under the same id until it is accepted, and fails after the last attempt', async () => {
    const { id } = await create();
    await emit();
    const [deliveryId = ''] = pending();
    receiver.status = 500;
    receiver.answer = 'x'.repeat(5000);
    await expect(deliverWebhook(test.deps, deliveryId, context)).rejects.toThrow('status 500');
    receiver.isDown = true;
    await expect(deliverWebhook(test.deps, deliveryId, context)).rejects.toThrow(
      'could not be reached',
    );
    await deliverWebhook(test.deps, deliveryId, { ...context, lastAttempt: true });
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', attempts: 3, error: 'The receiver could not be reached.' },
    ]);
    expect(new Set(receiver.calls.map((request) => headersOf(request)['webhook-id'])).size).toBe(1);
    receiver.isDown = false;
    receiver.status = 204;
    const replayed = await call('POST', `/${id}/deliveries/${deliveryId}/replay`);
    expect(replayed.body).toMatchObject({
      state: 'delivered',
      status: 204,
      messageId: `msg_${deliveryId}`,
    });
    expect(await deliveries(id)).toHaveLength(2);
  });

  it('is turned off when its receiver is gone, and then sends nothing, not even what was pending', async () => {
    const { id } = await create();
    await emit();
    await emit();
    const [first = '', second = ''] = pending();
    receiver.status = 410;
    await deliverWebhook(test.deps, first, context);
    await deliverWebhook(test.deps, second, context);
    expect((await call('GET')).body.items[0].enabled).toBe(false);
    expect((await deliveries(id)).map(({ state }: { state: string }) => state).sort()).toEqual([
      'canceled',
      'failed',
    ]);
    await emit();
    expect(receiver.calls).toHaveLength(1);
    expect((await call('POST', `/${id}/test`)).status).toBe(400);
  });

  it('is tested at once, and says what the receiver answered', async () => {
    const { id } = await create({ format: 'slack' });
    receiver.status = 302;
    const { body } = await call('POST', `/${id}/test`);
    expect(body).toMatchObject({
      event: 'test',
      state: 'failed',
      status: 302,
      error: expect.stringContaining('redirects'),
    });
    const [request] = receiver.calls as [OutsideCall];
    expect(JSON.parse(Buffer.from(request.body as Uint8Array).toString())).toEqual({
      text: 'Docent sends a test (Channel)',
    });
  });

  it('signs with the previous secret too for a day after that was replaced, and never shows one again', async () => {
    const { id, secret } = await create();
    const rotated = (await call('POST', `/${id}/rotate-secret`)).body.secret;
    expect(rotated).not.toBe(secret);
    const signatures = async () => {
      await call('POST', `/${id}/test`);
      return headersOf(receiver.calls.at(-1) as OutsideCall)['webhook-signature']?.split(' ')
        .length;
    };
    expect(await signatures()).toBe(2);
    test.deps.clock.advance(25 * 3600);
    expect(await signatures()).toBe(1);
    expect((await call('GET')).text).not.toContain('whsec_');
    const stored = await test.deps.database.queries
      .selectFrom('webhooks')
      .select('secret')
      .where('id', '=', id)
      .execute();
    expect(JSON.stringify(stored)).not.toContain(rotated.slice(6));
  });

  it('gets the events of one site where it is for that, and of no other organization', async () => {
    const { siteId: otherSite } = await addSite(test, operator, `hooks-other-${sites}`, ['start']);
    const { id } = await create({ projectId: `hooks-${sites}` });
    await emit('deployment.failed', otherSite);
    const stranger = await addOrganization(test);
    const { siteId: strange } = await addSite(test, stranger, `hooks-strange-${sites}`, ['start']);
    await emit('deployment.failed', strange);
    expect(pending()).toEqual([]);
    expect((await call('PATCH', `/${id}`, { projectId: null })).body.projectId).toBeNull();
    await emit('deployment.failed', otherSite);
    expect(pending()).toHaveLength(1);
    headers = (await addKey(test, stranger, { kind: 'admin' })).headers;
    expect((await call('DELETE', `/${id}`)).body.code).toBe('webhook_not_found');
  });

  it('is sent how deployments go, with their commit, and that a preview is ready', async () => {
    await create({ events: ['deployment.started', 'deployment.succeeded', 'preview.ready'] });
    const { queries } = test.deps.database;
    const [{ id = '' } = {}] = await queries
      .selectFrom('deployments')
      .select('id')
      .where('site_id', '=', siteId)
      .execute();
    const git = { sha: 'abc', ref: 'main', message: 'Better', author: 'Ada' };
    await queries
      .updateTable('deployments')
      .set({ git: JSON.stringify(git) })
      .where('id', '=', id)
      .execute();
    const tell = (outcome: 'started' | 'succeeded' | 'failed') =>
      queries
        .transaction()
        .execute((transaction) => emitDeployment(test.deps, transaction, outcome, id));
    await tell('started');
    await tell('failed');
    await tell('succeeded');
    const preview = { id: `preview-${sites}`, site_id: siteId, name: 'pr-7', branch: 'pr-7' };
    await queries
      .insertInto('previews')
      .values({ ...preview, members_only: false })
      .execute();
    await queries
      .updateTable('deployments')
      .set({ preview_id: preview.id })
      .where('id', '=', id)
      .execute();
    await tell('succeeded');
    const rows = await queries
      .selectFrom('webhook_deliveries')
      .select('message')
      .orderBy('id')
      .execute();
    const messages = rows
      .map(({ message }) => message)
      .filter(({ data }) => data.projectId === siteId);
    expect(messages.map(({ type }) => type).sort()).toEqual([
      'deployment.started',
      'deployment.succeeded',
      'preview.ready',
    ]);
    const started = messages.find(({ type }) => type === 'deployment.started');
    expect(started?.data).toMatchObject({
      title: 'Better',
      deploymentId: id,
      preview: null,
      commit: git,
    });
  });

  it('refuses addresses that are none, events that do not exist, and keys that are bound to sites', async () => {
    const input = { name: 'x', url: 'https://a.example', events: ['deployment.failed'] };
    for (const more of [
      { url: 'file:///etc' },
      { url: 'https://me:pw@a.example' },
      { events: [] },
      { events: ['x'] },
      { format: 'x' },
    ])
      expect((await call('POST', '', { ...input, ...more })).status).toBe(400);
    headers = (await addKey(test, operator, { kind: 'admin', siteIds: [`hooks-${sites}`] }))
      .headers;
    expect((await call('POST', '', input)).body.code).toBe('wrong_site');
    const { headers: editor } = await addMember(test, operator, 'editor');
    headers = editor;
    expect((await call('GET')).body.code).toBe('role_missing');
  });

  it('keeps at most a thousand events that its receiver has not accepted', async () => {
    const { id } = await create();
    const { queries } = test.deps.database;
    const row = {
      webhook_id: id,
      message_id: 'm',
      event: 'test' as const,
      message: '{}',
      state: 'pending' as const,
      created_at: test.deps.clock.now(),
    };
    await queries
      .insertInto('webhook_deliveries')
      .values(Array.from({ length: 1000 }, (_, index) => ({ ...row, id: `${id}-${index}` })))
      .execute();
    await emit();
    expect(pending()).toEqual([]);
  });
});
