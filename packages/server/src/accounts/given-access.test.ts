import type { Actor, Role } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { manageUsers } from './members.ts';

let test: TestApp;
let organization: Actor;
let owner: Person;
let admin: Person;

type Person = Awaited<ReturnType<typeof addMember>>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

beforeEach(async () => {
  test = await openTestApp();
  organization = await addOrganization(test);
  await addSite(test, organization, 'docs', ['index']);
  owner = await addMember(test, organization, 'owner');
  admin = await addMember(test, organization, 'admin');
});
afterEach(() => test.close());

async function call(
  headers: Record<string, string>,
  method: Method,
  url: string,
  payload?: object,
) {
  test.deps.clock.advance(1);
  const response = await callDeclared(test.app, {
    method,
    url,
    headers,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const memberUrl = ({ userId }: Person) => `/v1/organization/members/${userId}`;
const origin = { origin: 'http://localhost:3000' };

async function createKey(
  headers: Record<string, string>,
  options: object = {},
): Promise<{ id: string; key: string }> {
  const created = await call(headers, 'POST', '/v1/keys', {
    kind: 'admin',
    name: 'Pipeline',
    ...options,
  });
  expect(created.status).toBe(201);
  return created.body;
}

async function invite(
  headers: Record<string, string>,
  email: string,
  role: Role,
): Promise<{ id: string; token: string }> {
  const created = await call(headers, 'POST', '/v1/organization/invitations', { email, role });
  expect(created.status).toBe(201);
  return { id: created.body.id, token: created.body.url.split('/').at(-1) };
}

const accept = async (token: string) =>
  (
    await call(origin, 'POST', `/v1/invitations/${token}/accept`, {
      name: 'Grace',
      password: PASSWORD,
    })
  ).status;
const worksKey = async (key: string) => (await call(bearer(key), 'GET', '/v1/projects')).status;
const auditOf = async (action: string) =>
  (await call(owner.headers, 'GET', `/v1/audit-log?action=${action}`)).body.items as {
    thing: string;
    sentence: string;
  }[];

async function createStream(headers: Record<string, string>): Promise<string> {
  const stream = { name: 'Warehouse', webhook: { url: 'https://events.example.com/docs' } };
  return (await call(headers, 'POST', '/v1/projects/docs/analytics-streams', stream)).body.id;
}

it('no key gives, changes or takes a role, whatever its scopes', async () => {
  for (const scopes of [[], ['keys'], ['read', 'write', 'keys']] as const) {
    const { headers } = await addKey(test, organization, { kind: 'admin', scopes: [...scopes] });
    const invitation = { email: 'accomplice@example.com', role: 'viewer' };
    const refused = [
      await call(headers, 'POST', '/v1/organization/invitations', invitation),
      await call(headers, 'PATCH', memberUrl(admin), { role: 'viewer' }),
      await call(headers, 'DELETE', memberUrl(admin)),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'role_missing']),
    );
  }
});

it('lists say by name who created a key, an invitation, a stream and an export', async () => {
  const { key } = await createKey(admin.headers);
  await createKey(bearer(key), { name: 'Child' });
  await invite(admin.headers, 'grace@example.com', 'editor');
  await createStream(admin.headers);
  await call(admin.headers, 'POST', '/v1/static-export/jobs', { domain: 'docs' });
  const person = { kind: 'person', id: admin.userId, name: expect.stringMatching(/^Person \d+$/) };
  const items = async (url: string) =>
    (await call(owner.headers, 'GET', url)).body.items.map(
      (one: { createdBy: unknown }) => one.createdBy,
    );
  expect(await items('/v1/keys')).toEqual([
    { kind: 'key', id: expect.any(String), name: 'Pipeline' },
    person,
  ]);
  expect(await items('/v1/organization/invitations')).toEqual([person]);
  expect(await items('/v1/projects/docs/analytics-streams')).toEqual([person]);
  expect(await items('/v1/static-export/jobs')).toEqual([person]);
});

it('the keys and open invitations of a removed member end with them, and their streams are taken over, with entries in the audit log', async () => {
  const { id, key } = await createKey(admin.headers, { expiresInDays: null });
  const child = await createKey(bearer(key), { name: 'Child' });
  const invitation = await invite(admin.headers, 'grace@example.com', 'admin');
  const streamId = await createStream(admin.headers);
  const others = await createKey(owner.headers, { name: 'Of the owner' });
  const { body: given } = await call(owner.headers, 'GET', `${memberUrl(admin)}/access`);
  expect(given).toMatchObject({
    keys: [{ id, name: 'Pipeline' }],
    invitations: [{ email: 'grace@example.com', role: 'admin' }],
    streams: [{ id: streamId, name: 'Warehouse', site: 'docs' }],
  });
  expect((await call(owner.headers, 'DELETE', memberUrl(admin))).status).toBe(204);
  expect([await worksKey(key), await worksKey(child.key), await worksKey(others.key)]).toEqual([
    401, 401, 200,
  ]);
  expect(await accept(invitation.token)).toBe(403);
  const { body: streams } = await call(owner.headers, 'GET', '/v1/projects/docs/analytics-streams');
  expect(streams.items).toMatchObject([
    { id: streamId, createdBy: { kind: 'person', id: owner.userId } },
  ]);
  expect((await auditOf('revokeKey')).map(({ thing }) => thing).sort()).toEqual(
    [id, child.id].sort(),
  );
  expect(await auditOf('revokeInvitation')).toMatchObject([
    { sentence: expect.stringContaining('grace@example.com') },
  ]);
  expect(await auditOf('takeOverStream')).toMatchObject([
    { thing: streamId, sentence: expect.stringMatching(/took over the stream Warehouse of docs$/) },
  ]);
});

it('access that is kept belongs to the one who keeps it, and ends with them', async () => {
  const { key } = await createKey(admin.headers);
  const invitation = await invite(admin.headers, 'grace@example.com', 'editor');
  const second = await addMember(test, organization, 'admin');
  expect((await call(second.headers, 'DELETE', `${memberUrl(admin)}?access=keep`)).status).toBe(
    204,
  );
  expect(await worksKey(key)).toBe(200);
  const { body: keys } = await call(owner.headers, 'GET', '/v1/keys');
  expect(keys.items).toMatchObject([{ createdBy: { id: second.userId } }]);
  expect((await auditOf('takeOverKey')).length + (await auditOf('takeOverInvitation')).length).toBe(
    2,
  );
  expect((await call(owner.headers, 'DELETE', memberUrl(second))).status).toBe(204);
  expect([await worksKey(key), await accept(invitation.token)]).toEqual([401, 403]);
});

it('a lower role ends what it could not have given, and nothing else', async () => {
  const second = await addMember(test, organization, 'owner');
  const secret = await createKey(second.headers);
  const open = await createKey(second.headers, { kind: 'assistant', name: 'Chat', site: 'docs' });
  const [ofOwner, ofAdmin] = [
    await invite(second.headers, 'owner@example.com', 'owner'),
    await invite(second.headers, 'admin@example.com', 'admin'),
  ];
  const streamId = await createStream(second.headers);
  const states = async () => {
    const { body } = await call(owner.headers, 'GET', '/v1/keys');
    const isUsed = (wanted: string) =>
      body.items.find(({ id }: { id: string }) => id === wanted).revokedAt === null;
    const { body: invitations } = await call(owner.headers, 'GET', '/v1/organization/invitations');
    const ids = invitations.items.map(({ id }: { id: string }) => id);
    const { body: streams } = await call(
      owner.headers,
      'GET',
      `/v1/projects/docs/analytics-streams/${streamId}`,
    );
    return [
      isUsed(secret.id),
      isUsed(open.id),
      ids.includes(ofOwner.id),
      ids.includes(ofAdmin.id),
      streams.createdBy.id === second.userId,
    ];
  };
  const setRole = async (role: Role) =>
    (await call(owner.headers, 'PATCH', memberUrl(second), { role })).status;
  expect(await states()).toEqual([true, true, true, true, true]);
  const { body: given } = await call(
    owner.headers,
    'GET',
    `${memberUrl(second)}/access?role=admin`,
  );
  expect([given.keys, given.streams, given.invitations.length]).toEqual([[], [], 1]);
  expect([await setRole('admin'), await states()]).toEqual([204, [true, true, false, true, true]]);
  expect([await setRole('editor'), await states()]).toEqual([
    204,
    [false, true, false, false, false],
  ]);
  expect([await setRole('viewer'), await states()]).toEqual([
    204,
    [false, false, false, false, false],
  ]);
});

it('somebody who leaves keeps nothing, and an owner takes over their streams', async () => {
  const { key } = await createKey(admin.headers);
  const streamId = await createStream(admin.headers);
  const kept = await call(admin.headers, 'DELETE', `${memberUrl(admin)}?access=keep`);
  expect([kept.status, kept.body.code]).toEqual([400, 'invalid_request']);
  expect((await call(admin.headers, 'DELETE', memberUrl(admin))).status).toBe(204);
  expect(await worksKey(key)).toBe(401);
  const { body } = await call(
    owner.headers,
    'GET',
    `/v1/projects/docs/analytics-streams/${streamId}`,
  );
  expect(body.createdBy.id).toBe(owner.userId);
});

it('a revoked key takes with it the invitations that it created when keys could invite', async () => {
  const { id } = await createKey(admin.headers);
  const invitation = await invite(owner.headers, 'grace@example.com', 'admin');
  await test.deps.database.queries
    .updateTable('invitations')
    .set({ invited_by: id })
    .where('id', '=', invitation.id)
    .execute();
  expect((await call(owner.headers, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
  expect(await accept(invitation.token)).toBe(403);
  expect(await auditOf('revokeInvitation')).toHaveLength(1);
  expect(await auditOf('revokeKey')).toHaveLength(1);
});

it('a deleted account takes its access with it in every organization', async () => {
  const elsewhere = await addOrganization(test);
  await test.deps.database.queries
    .insertInto('members')
    .values({ organization_id: elsewhere.organizationId, user_id: admin.userId, role: 'admin' })
    .execute();
  const here = await createKey(admin.headers);
  const there = await createKey({
    ...admin.headers,
    'docent-organization': elsewhere.organizationId,
  });
  const consequences = await manageUsers(test.deps).remove(organization, admin.email);
  expect(consequences.map(({ organizationId }) => organizationId).sort()).toEqual(
    [organization.organizationId, elsewhere.organizationId].sort(),
  );
  expect([await worksKey(here.key), await worksKey(there.key)]).toEqual([401, 401]);
});

it('only admins see what another member gave', async () => {
  const viewer = await addMember(test, organization, 'viewer');
  const url = `${memberUrl(admin)}/access`;
  expect((await call(viewer.headers, 'GET', url)).body.code).toBe('role_missing');
  const { headers: key } = await addKey(test, organization, { kind: 'admin' });
  expect((await call(key, 'GET', url)).body.code).toBe('role_missing');
  expect(
    (await call(admin.headers, 'GET', '/v1/organization/members/unknown/access')).body.code,
  ).toBe('member_not_found');
});
