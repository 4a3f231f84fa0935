import { AUDITED } from '@docent/format/access/audit-words.ts';
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
import { accountOperations } from '../sign-in/auth-operations.ts';

let test: TestApp;
let operator: Actor;
let admin: Awaited<ReturnType<typeof addKey>>;

beforeAll(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['index']);
  admin = await addKey(test, operator, { kind: 'admin' });
});
afterAll(() => test.close());

const send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers = admin.headers,
) => {
  if (method !== 'GET') test.deps.clock.advance(1);
  return callDeclared(test.app, {
    method,
    url,
    headers,
    remoteAddress: '2001:db8::7',
    ...(payload && { payload }),
  });
};
const log = async (query = '', headers = admin.headers) =>
  (await send('GET', `/v1/audit-log${query}`, undefined, headers)).json();

describe('the audit log', () => {
  it('records every change with actor, action, target, address, time and outcome before the response', async () => {
    const project = (await send('POST', '/v1/projects', { slug: 'acme' })).json();
    const key = (
      await send('POST', '/v1/keys', { kind: 'assistant', name: 'x', site: 'acme' })
    ).json();
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
      {
        ...done,
        action: 'updateProject',
        thing: 'acme',
        outcome: 'refused',
        code: 'source_missing',
      },
      { ...done, action: 'startStaticExport', thing: job.jobId },
      { ...done, action: 'cancelStaticExport', thing: job.jobId },
    ]);
    expect(JSON.stringify(items)).not.toContain(key.key);
  });

  it('records every denied change of every operation that accepts an admin key', async () => {
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
    const { paths } = (await test.app.inject('/openapi.json')).json() as {
      paths: Record<string, Record<string, Operation>>;
    };
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(
          ([method, { security }]) =>
            method !== 'get' && JSON.stringify(security)?.includes('adminKey'),
        )
        .filter(([, { operationId }]) => !READING.includes(operationId))
        .map(([method, { operationId }]) => ({
          path: path.replaceAll(/\{\w+\}/g, 'docs'),
          method,
          operationId,
        })),
    );
    expect(changing.length).toBeGreaterThan(7);
    for (const { path, method } of changing) {
      const response = await test.app.inject({
        method: method.toUpperCase() as 'POST',
        url: path,
        headers: reader.headers,
      });
      expect(response.statusCode, `${method} ${path}`).toBe(403);
    }
    const { items } = await log(`?actor=${reader.id}`);
    // The one vocabulary has a sentence for each.
    for (const { action, sentence } of items as { action: string; sentence: string }[]) {
      expect(AUDITED[action], action).toBeDefined();
      expect(sentence).toMatch(/^The key test tried to (?!run )/);
    }
    expect(items.map((item: { action: string }) => item.action).sort()).toEqual(
      changing.map((one) => one.operationId).sort(),
    );
    // Some operations are for owners or the operator, regardless of the scopes of a key.
    const codes = new Set(items.map((item: { code: string }) => item.code));
    expect(codes).toEqual(new Set(['scope_missing', 'role_missing', 'operator_required']));
  });

  it('records no reading, not even of lists that only those may read who may change them', async () => {
    const key = await addKey(test, operator, { kind: 'admin' });
    for (const list of ['readers', 'reader-sessions'])
      expect(
        (await send('GET', `/v1/projects/docs/${list}`, undefined, key.headers)).statusCode,
      ).toBe(200);
    expect((await log(`?actor=${key.id}`)).items).toEqual([]);
  });

  it('records the use of an admin key from a forbidden address, and no use of a public key', async () => {
    const bound = await addKey(test, operator, { kind: 'admin', ipAllowlist: ['198.51.100.0/24'] });
    const open = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    for (const key of [bound, open])
      expect((await send('POST', '/v1/projects', { slug: 'mine' }, key.headers)).statusCode).toBe(
        403,
      );
    expect((await log(`?actor=${bound.id}`)).items).toMatchObject([
      { action: 'createProject', code: 'ip_not_allowed' },
    ]);
    expect((await log(`?actor=${open.id}`)).items).toEqual([]);
  });

  it('is read page by page, and filtered by actor, action, target and time', async () => {
    const all = (await log()).items;
    const first = await log('?limit=2');
    expect(first).toMatchObject({ items: all.slice(0, 2), hasMore: true });
    expect((await log(`?limit=2&cursor=${first.nextCursor}`)).items).toEqual(all.slice(2, 4));
    expect((await log(`?action=revokeKey&actor=${admin.id}`)).items).toHaveLength(1);
    expect((await log('?thing=acme')).items).toHaveLength(1);
    expect(await log('?dateTo=2000-01-01')).toEqual({
      items: [],
      nextCursor: null,
      hasMore: false,
    });
    expect((await send('GET', '/v1/audit-log?cursor=x')).statusCode).toBe(400);
  });

  it('has a sentence for every change of an account', () => {
    const names = accountOperations.flatMap(({ audit }) => audit ?? []);
    expect(names.length).toBeGreaterThan(4);
    for (const name of [
      ...names,
      'disconnectSingleSignOn',
      'resetPassword',
      'requestEmailChange',
      'confirmEmailChange',
      'connectSingleSignOn',
      'joinBySso',
      'setUp',
      'acceptInvitation',
    ])
      expect(AUDITED[name], name).toBeDefined();
  });

  it('says who did what to what in a sentence, with the names of that time, and what changed', async () => {
    await send('POST', '/v1/projects', { slug: 'names', name: 'Hoppscotch' });
    const key = (
      await send('POST', '/v1/keys', { kind: 'admin', name: 'CI', scopes: ['read'] })
    ).json();
    await send('DELETE', `/v1/keys/${key.id}`);
    await send('PATCH', '/v1/projects/names', {
      name: 'Hoppscotch docs',
      settings: { noindex: true },
    });
    await send('PATCH', '/v1/project/names/assistant-settings', {
      retentionDays: 30,
      starterQuestions: ['How?'],
    });
    await send('PATCH', '/v1/organization', { name: 'Acme Inc.' });
    await send('POST', '/v1/project/update/names');
    await send('DELETE', '/v1/projects/names?confirm=names');
    const { items } = await log('?limit=8');
    expect(items.toReversed().map((item: { sentence: string }) => item.sentence)).toEqual([
      'The key test created the site Hoppscotch',
      'The key test created the key CI',
      'The key test revoked the key CI',
      'The key test changed the settings of Hoppscotch',
      'The key test changed the assistant settings of Hoppscotch docs',
      'The key test changed the settings of the organization',
      'The key test tried to publish Hoppscotch docs again',
      'The key test deleted the site Hoppscotch docs',
    ]);
    expect(items[4].changes).toEqual([
      { field: 'name', before: 'Hoppscotch', after: 'Hoppscotch docs' },
      { field: 'noindex', before: false, after: true },
    ]);
    expect(items[3].changes).toEqual([
      { field: 'starterQuestions', before: null, after: ['How?'] },
      { field: 'retentionDays', before: 90, after: 30 },
    ]);
    expect(items[2].changes).toEqual([{ field: 'name', before: 'Test', after: 'Acme Inc.' }]);
    expect(items[1].changes).toEqual([]);
    expect(items[0]).toMatchObject({
      actorKind: 'key',
      actorName: 'test',
      siteName: 'Hoppscotch docs',
    });
    expect(items[0].requestId).toMatch(/./);
    // A deleted site is still found, by the id that its entries have.
    expect(
      (await log(`?siteId=${items[0].siteId}&limit=3`)).items.map(
        (item: { id: string }) => item.id,
      ),
    ).toEqual([items[0], items[1], items[3]].map(({ id }) => id));
  });

  it('is filtered by site, kind, outcome and the words that it shows', async () => {
    await send('POST', '/v1/keys', { kind: 'assistant', name: '100% widget_1', site: 'docs' });
    await send('PATCH', '/v1/project/docs/analytics-settings', { eventDays: 20 });
    const said = async (query: string) => {
      const { items } = await log(query);
      return (items as { sentence: string }[]).map(({ sentence }) =>
        sentence.replace('The key test ', ''),
      );
    };
    expect(await said('?siteId=docs&kind=analytics&outcome=done')).toEqual([
      'changed the analytics settings of docs',
    ]);
    expect(await said('?q=created%20WIDGET_1')).toEqual(['created the key 100% widget_1']);
    expect(await said('?q=100%25')).toEqual(['created the key 100% widget_1']);
    expect(await said('?q=widget.1')).toEqual([]);
    const refused = (await said('?kind=keys&outcome=refused')).sort();
    expect(refused).toEqual([
      'tried to change a key',
      'tried to create a key',
      'tried to revoke a key',
    ]);
    expect(new Set(await said('?outcome=refused&q=source_missing'))).toEqual(
      new Set(['tried to publish acme again', 'tried to publish Hoppscotch docs again']),
    );
    expect((await send('GET', '/v1/audit-log?kind=nothing')).statusCode).toBe(400);
  });

  it('is exported as CSV and as JSON Lines, with the same filters and no formula for a spreadsheet', async () => {
    await send('POST', '/v1/keys', { kind: 'assistant', name: '=cmd()', site: 'docs' });
    const exported = (query: string) => send('GET', `/v1/audit-log/export?${query}`);
    const csv = await exported('kind=keys');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"');
    expect(csv.body.split('\r\n')[0]).toMatch(/^"id","time","sentence","actor",/);
    expect(csv.body).toContain("'=cmd()");
    const rows = await test.app.inject({
      url: '/v1/audit-log/export?format=ndjson&kind=keys',
      headers: admin.headers,
    });
    const lines = rows.body.trimEnd().split('\n');
    const { items } = await log('?kind=keys&limit=1000');
    expect(lines.map((line) => JSON.parse(line).sentence)).toEqual(
      items.map((item: { sentence: string }) => item.sentence),
    );
    const reader = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    expect((await send('GET', '/v1/audit-log/export', undefined, reader.headers)).statusCode).toBe(
      403,
    );
  });

  it('contains no secret, whatever is changed', async () => {
    const secrets = ['hook-token', 'preview password 1', 'AKIDSECRETKEY'];
    await send('POST', '/v1/projects/docs/previews', { branch: 'next', password: secrets[1] });
    const hook = await send('POST', '/v1/projects/docs/analytics-streams', {
      name: 'Warehouse',
      webhook: { url: `https://hooks.example.com/${secrets[0]}?key=${secrets[0]}` },
    });
    await send('POST', '/v1/projects/docs/analytics-streams', {
      name: 'Bucket',
      s3: { bucket: 'events', region: 'eu', accessKeyId: 'AKID', secretAccessKey: secrets[2] },
    });
    const { items } = await log('?siteId=docs&limit=3');
    expect(items.map((item: { sentence: string }) => item.sentence)).toEqual([
      'The key test created the stream Bucket of docs',
      'The key test created the stream Warehouse of docs',
      'The key test set up the preview next of docs',
    ]);
    expect(items[1].changes).toContainEqual({
      field: 'webhook',
      before: null,
      after: 'hooks.example.com',
    });
    const everything = JSON.stringify((await log('?limit=1000')).items);
    for (const secret of [...secrets, hook.json().secret]) expect(everything).not.toContain(secret);
  });

  it('tells nobody the names of things in other organizations', async () => {
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    await send('PATCH', '/v1/projects/docs', { name: 'Mine' }, stranger.headers);
    await send('DELETE', `/v1/keys/${admin.id}`, undefined, stranger.headers);
    const { items } = await log('', stranger.headers);
    expect(items).toMatchObject([
      { sentence: 'The key test tried to revoke a key', thingName: null },
      { sentence: 'The key test tried to change the settings of a site', siteName: null },
    ]);
  });

  it('is readable only by its own organization, and not with an assistant key', async () => {
    const stranger = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect((await log('', stranger.headers)).items).toEqual([]);
    const open = await addKey(test, operator, { kind: 'assistant', site: 'docs' });
    expect((await send('GET', '/v1/audit-log', undefined, open.headers)).statusCode).toBe(403);
  });

  it('limits recorded refusals to 1000 per hour, so that nobody can flood it', async () => {
    const flooded = await addOrganization(test);
    const reader = await addKey(test, flooded, { kind: 'admin', scopes: ['read'] });
    for (let count = 0; count < 1010; count++)
      await test.app.inject({ method: 'DELETE', url: '/v1/keys/x', headers: reader.headers });
    const { rows } = await test.deps.database.queries
      .selectFrom('audit_log')
      .select((query) => query.fn.countAll<string>().as('rows'))
      .where('organization_id', '=', flooded.organizationId)
      .executeTakeFirstOrThrow();
    expect(Number(rows)).toBe(1000);
  });
});

/** They change nothing; what they send must not be in an address, so they are no GET. */
const READING = [
  'openPreview',
  'tryProjectSearchRules',
  'replayAssistantAnswer',
  'draftPage',
  'readAnswerPrompt',
];

interface Operation {
  operationId: string;
  security?: object[];
}
