import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addKey, addOrganisation, addSite, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import type { Actor } from '../../../core/access/may.ts';

let test: TestApp;
let operator: Actor;
let admin: Awaited<ReturnType<typeof addKey>>;

beforeAll(async () => {
  test = await openTestApp();
  operator = await addOrganisation(test);
  await addSite(test, operator, 'docs', ['index']);
  admin = await addKey(test, operator, { kind: 'admin' });
});
afterAll(() => test.close());

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers = admin.headers) => {
  if (method !== 'GET') test.deps.clock.advance(1);
  return callDeclared(test.app, { method, url, headers, remoteAddress: '2001:db8::7', ...(payload && { payload }) });
};
const log = async (query = '', headers = admin.headers) =>
  (await send('GET', `/v1/audit-log${query}`, undefined, headers)).json();

describe('the audit log', () => {
  it('records every change with actor, action, target, address, time and outcome before the response', async () => {
    const project = (await send('POST', '/v1/projects', { slug: 'acme' })).json();
    const key = (await send('POST', '/v1/keys', { kind: 'assistant', name: 'x', site: 'acme' })).json();
    await send('DELETE', `/v1/keys/${key.id}`);
    await send('PATCH', '/v1/project/docs/assistant-settings', { retentionDays: 30 });
    await send('POST', '/v1/project/update/acme');
    const job = (await send('POST', '/v1/static-export/jobs', { domain: 'docs' })).json();
    await send('DELETE', `/v1/static-export/jobs/${job.jobId}`);
    const { items } = await log();
    const done = { actor: admin.id, address: '2001:db8:0:0:0:0:0:7', outcome: 'done', code: null };
    expect(items[0].time).toBe(test.deps.clock.now().toISOString());
    expect(items.toReversed()).toMatchObject([
      { ...done, action: 'createProject', thing: project.projectId },
      { ...done, action: 'createKey', thing: key.id },
      { ...done, action: 'revokeKey', thing: key.id },
      { ...done, action: 'changeProjectAssistantSettings', thing: 'docs' },
      { ...done, action: 'updateProject', thing: 'acme', outcome: 'refused', code: 'source_missing' },
      { ...done, action: 'startStaticExport', thing: job.jobId },
      { ...done, action: 'cancelStaticExport', thing: job.jobId },
    ]);
    expect(JSON.stringify(items)).not.toContain(key.key);
  });

  it('records every denied change of every operation that accepts an admin key', async () => {
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
    const { paths } = (await test.app.inject('/openapi.json')).json() as { paths: Record<string, Record<string, Operation>> };
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { security }]) => method !== 'get' && JSON.stringify(security)?.includes('adminKey'))
        .map(([method, { operationId }]) => ({ path: path.replaceAll(/\{\w+\}/g, 'docs'), method, operationId })),
    );
    expect(changing.length).toBeGreaterThan(7);
    for (const { path, method } of changing) {
      const response = await test.app.inject({ method: method.toUpperCase() as 'POST', url: path, headers: reader.headers });
      expect(response.statusCode, `${method} ${path}`).toBe(403);
    }
    const { items } = await log(`?actor=${reader.id}`);
    expect(items.map((item: { action: string }) => item.action).sort()).toEqual(changing.map((one) => one.operationId).sort());
    // Some operations are for owners or the operator, regardless of the scopes of a key.
    const codes = new Set(items.map((item: { code: string }) => item.code));
    expect(codes).toEqual(new Set(['scope_missing', 'role_missing', 'operator_required']));
  });

  it('records the use of an admin key from a forbidden address, and no use of a public key', async () => {
    const bound = await addKey(test, operator, { kind: 'admin', ipAllowlist: ['198.51.100.0/24'] });
    const open = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    for (const key of [bound, open])
      expect((await send('POST', '/v1/projects', { slug: 'mine' }, key.headers)).statusCode).toBe(403);
    expect((await log(`?actor=${bound.id}`)).items).toMatchObject([{ action: 'createProject', code: 'ip_not_allowed' }]);
    expect((await log(`?actor=${open.id}`)).items).toEqual([]);
  });

  it('is read page by page, and filtered by actor, action, target and time', async () => {
    const all = (await log()).items;
    const first = await log('?limit=2');
    expect(first).toMatchObject({ items: all.slice(0, 2), hasMore: true });
    expect((await log(`?limit=2&cursor=${first.nextCursor}`)).items).toEqual(all.slice(2, 4));
    expect((await log(`?action=revokeKey&actor=${admin.id}`)).items).toHaveLength(1);
    expect((await log('?thing=acme')).items).toHaveLength(1);
    expect(await log('?dateTo=2000-01-01')).toEqual({ items: [], nextCursor: null, hasMore: false });
    expect((await send('GET', '/v1/audit-log?cursor=x')).statusCode).toBe(400);
  });

  it('is readable only by its own organization, and not with an assistant key', async () => {
    const stranger = await addKey(test, await addOrganisation(test), { kind: 'admin' });
    expect((await log('', stranger.headers)).items).toEqual([]);
    const open = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    expect((await send('GET', '/v1/audit-log', undefined, open.headers)).statusCode).toBe(403);
  });

  it('limits recorded refusals to 1000 per hour, so that nobody can flood it', async () => {
    const flooded = await addOrganisation(test);
    const reader = await addKey(test, flooded, { kind: 'admin', scopes: ['read'] });
    for (let count = 0; count < 1010; count++)
      await test.app.inject({ method: 'DELETE', url: '/v1/keys/x', headers: reader.headers });
    const { rows } = await test.deps.database.queries
      .selectFrom('audit_log')
      .select((query) => query.fn.countAll<string>().as('rows'))
      .where('organisation_id', '=', flooded.organisationId)
      .executeTakeFirstOrThrow();
    expect(Number(rows)).toBe(1000);
  });
});

interface Operation {
  operationId: string;
  security?: object[];
}
