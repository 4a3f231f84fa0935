import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD, signIn } from '../../../../test/support/people.ts';
import { addKey, addOrganisation, addSite, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import type { Actor } from '../../../core/access/may.ts';
import { changeOrganisation } from '../../../services/accounts/organisations.ts';

let test: TestApp;
let organisation: Actor;
let owner: Awaited<ReturnType<typeof addMember>>;
beforeEach(async () => {
  test = await openTestApp();
  organisation = await addOrganisation(test);
  owner = await addMember(test, organisation, 'owner');
});
afterEach(() => test.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = async (headers: Record<string, string>, method: Method, path: string, payload?: object) => {
  const response = await callDeclared(test.app, { method, url: path, headers, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json(), headers: response.headers };
};
const members = async () =>
  (await call(owner.headers, 'GET', '/v1/organisation/members')).body.items as { userId: string; role: string }[];
const invite = async (email: string, role = 'editor') =>
  (await call(owner.headers, 'POST', '/v1/organisation/invitations', { email, role })).body as { id: string; url: string };
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) as string;
const origin = { origin: 'http://localhost:3000' };

it('an invitation creates an account with the given role, signs it in, and works once', async () => {
  const token = tokenOf(await invite('Grace@Example.com', 'viewer'));
  expect((await call({}, 'GET', `/v1/invitations/${token}`)).body).toMatchObject({
    email: 'grace@example.com',
    hasAccount: false,
  });
  const account = { name: 'Grace', password: PASSWORD };
  const accepted = await call(origin, 'POST', `/v1/invitations/${token}/accept`, account);
  expect(accepted.status).toBe(200);
  const cookie = ([accepted.headers['set-cookie']].flat() as string[]).map((one) => one.split(';')[0]).join('; ');
  expect((await call({ cookie }, 'GET', '/v1/session')).body.organisations).toMatchObject([{ role: 'viewer' }]);
  expect((await call(origin, 'POST', `/v1/invitations/${token}/accept`, account)).body.code).toBe('link_refused');
  expect(await members()).toHaveLength(2);
});

it('only the account with the invited address can accept its invitation', async () => {
  const other = await addMember(test, await addOrganisation(test), 'owner');
  const stranger = await addMember(test, await addOrganisation(test), 'owner');
  const token = tokenOf(await invite(other.email));
  const accept = (headers: Record<string, string>) =>
    call(headers, 'POST', `/v1/invitations/${token}/accept`, { name: 'Eve', password: PASSWORD });
  expect((await accept(origin)).body.code).toBe('unauthenticated');
  expect((await accept(stranger.headers)).body.code).toBe('unauthenticated');
  expect((await accept(other.headers)).status).toBe(200);
  expect((await members()).map(({ userId }) => userId)).toContain(other.userId);
  expect((await call(owner.headers, 'POST', '/v1/organisation/invitations', { email: other.email, role: 'viewer' })).status).toBe(
    409,
  );
});

it('a revoked, expired or replaced invitation is rejected', async () => {
  const replaced = await invite('a@example.com');
  const revoked = await invite('a@example.com');
  await call(owner.headers, 'DELETE', `/v1/organisation/invitations/${revoked.id}`);
  const expired = await invite('b@example.com');
  test.deps.clock.advance(8 * 24 * 3600);
  for (const one of [replaced, revoked, expired]) {
    expect((await call({}, 'GET', `/v1/invitations/${tokenOf(one)}`)).body.code).toBe('link_refused');
    const accepted = await call(origin, 'POST', `/v1/invitations/${tokenOf(one)}/accept`, { name: 'A', password: PASSWORD });
    expect(accepted.body.code).toBe('link_refused');
  }
});

it('the last owner can neither leave nor be demoted, even if two owners leave concurrently', async () => {
  const path = `/v1/organisation/members/${owner.userId}`;
  expect((await call(owner.headers, 'DELETE', path)).body.code).toBe('last_owner');
  expect((await call(owner.headers, 'PATCH', path, { role: 'admin' })).body.code).toBe('last_owner');
  const second = await addMember(test, organisation, 'owner');
  const both = await Promise.all([
    call(owner.headers, 'DELETE', path),
    call(second.headers, 'DELETE', `/v1/organisation/members/${second.userId}`),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
});

it('admins and keys manage members but cannot add, change or remove owners', async () => {
  const admin = await addMember(test, organisation, 'admin');
  const viewer = await addMember(test, organisation, 'viewer');
  const { headers: key } = await addKey(test, organisation, { kind: 'admin' });
  for (const headers of [admin.headers, key]) {
    const path = `/v1/organisation/members/${viewer.userId}`;
    expect((await call(headers, 'PATCH', path, { role: 'editor' })).status).toBe(204);
    expect((await call(headers, 'PATCH', path, { role: 'owner' })).body.code).toBe('role_missing');
    expect((await call(headers, 'PATCH', `/v1/organisation/members/${owner.userId}`, { role: 'viewer' })).body.code).toBe(
      'role_missing',
    );
    expect((await call(headers, 'DELETE', `/v1/organisation/members/${owner.userId}`)).body.code).toBe('role_missing');
    expect(
      (await call(headers, 'POST', '/v1/organisation/invitations', { email: 'x@example.com', role: 'owner' })).body.code,
    ).toBe('role_missing');
  }
  expect((await call(viewer.headers, 'DELETE', `/v1/organisation/members/${admin.userId}`)).body.code).toBe('role_missing');
  expect((await call(viewer.headers, 'DELETE', `/v1/organisation/members/${viewer.userId}`)).status).toBe(204);
  expect((await call(viewer.headers, 'GET', '/v1/projects')).body.code).toBe('organisation_not_found');
});

it('only an owner chooses the plan, up to the highest that the operator allows, with immediate effect for keys', async () => {
  const setPlan = async (headers: Record<string, string>, plan: string) => {
    const { status, body } = await call(headers, 'PATCH', '/v1/organisation', { plan });
    return status === 200 ? [body.plan, body.highestPlan] : body.code;
  };
  const { headers: key } = await addKey(test, organisation, { kind: 'admin' });
  const admin = await addMember(test, organisation, 'admin');
  for (const headers of [admin.headers, key]) expect(await setPlan(headers, 'free')).toBe('role_missing');
  expect(await setPlan(owner.headers, 'free')).toEqual(['free', 'enterprise']);
  for (const headers of [owner.headers, key])
    expect((await call(headers, 'GET', '/v1/static-export/jobs')).body.code).toBe('plan_required');
  expect(await setPlan(owner.headers, 'enterprise')).toEqual(['enterprise', 'enterprise']);
  expect((await call(key, 'GET', '/v1/static-export/jobs')).status).toBe(200);
  await changeOrganisation(test.deps, organisation, { plan: 'pro' }, () => true);
  expect(await setPlan(owner.headers, 'enterprise')).toBe('operator_required');
  expect(await setPlan(owner.headers, 'free')).toEqual(['free', 'pro']);
  const other = await call(owner.headers, 'POST', '/v1/organisations', { name: 'Acme Labs' });
  expect([other.body.plan, other.body.highestPlan]).toEqual(['free', 'pro']);
});

it('only the operator can access the accounts of all users', async () => {
  const { headers: key } = await addKey(test, organisation, { kind: 'admin' });
  for (const headers of [owner.headers, key]) {
    expect((await call(headers, 'GET', '/v1/users')).body.code).toBe('operator_required');
    expect((await call(headers, 'POST', `/v1/users/${owner.userId}/password-reset`)).body.code).toBe('operator_required');
  }
});

it('an organization can be renamed, and deleted with all its contents after confirming its identifier', async () => {
  const changed = await call(owner.headers, 'PATCH', '/v1/organisation', { name: 'Acme', slug: 'acme' });
  expect(changed.body).toMatchObject({ name: 'Acme', slug: 'acme' });
  test.deps.clock.advance(1);
  const second = await call(owner.headers, 'POST', '/v1/organisations', { name: 'Acme' });
  expect(second.body.code).toBe('organisation_exists');
  const labs = await call(owner.headers, 'POST', '/v1/organisations', { name: 'Acme Labs' });
  expect([labs.status, labs.body.slug]).toEqual([201, 'acme-labs']);
  await addSite(test, organisation, 'site');
  const { headers: key } = await addKey(test, organisation, { kind: 'admin' });
  expect((await call(owner.headers, 'DELETE', '/v1/organisation?confirm=acm')).status).toBe(400);
  expect((await call(key, 'DELETE', '/v1/organisation?confirm=acme')).body.code).toBe('role_missing');
  expect((await call(owner.headers, 'DELETE', '/v1/organisation?confirm=acme')).status).toBe(204);
  expect((await call(key, 'GET', '/v1/projects')).status).toBe(401);
  const rows = await test.deps.database.queries.selectFrom('sites').select('id').execute();
  expect(rows).toEqual([]);
  const again = { ...(await signIn(test, owner.email)) };
  expect((await call(again, 'GET', '/v1/session')).body.organisations).toMatchObject([{ slug: 'acme-labs' }]);
});

it('a change with If-Match is rejected if the organization has changed since', async () => {
  const before = await call(owner.headers, 'GET', '/v1/organisation');
  const headers = { ...owner.headers, 'if-match': before.headers.etag as string };
  const changed = await call(headers, 'PATCH', '/v1/organisation', { name: 'First' });
  expect([changed.status, changed.headers.etag === before.headers.etag]).toEqual([200, false]);
  const late = await call(headers, 'PATCH', '/v1/organisation', { name: 'Second' });
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect((await call(owner.headers, 'GET', '/v1/organisation')).body.name).toBe('First');
});

it('keys are listed page by page, each exactly once', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++)
    ids.push((await addKey(test, organisation, { kind: 'admin', name: `key ${count}` })).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/keys?limit=2${cursor && `&cursor=${cursor}`}`;
    const { body } = await call(owner.headers, 'GET', path);
    expect([body.items.length, body.hasMore]).toEqual(body.nextCursor === null ? [1, false] : [2, true]);
    expect(body.keys).toEqual(body.items);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  expect(seen).toHaveLength(5);
  expect(new Set(seen)).toEqual(new Set(ids));
  expect((await call(owner.headers, 'GET', '/v1/keys?cursor=x')).status).toBe(400);
});

it('only one of several concurrent claims to an identifier or an invitation succeeds', async () => {
  const create = () => call(owner.headers, 'POST', '/v1/organisations', { name: 'Same', slug: 'same' });
  const created = await Promise.all([create(), create(), create()]);
  expect(created.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    201,
    'organisation_exists',
    'organisation_exists',
  ]);
  const others = await Promise.all([1, 2, 3].map(async () => addMember(test, await addOrganisation(test), 'owner')));
  const renamed = await Promise.all(others.map(({ headers }) => call(headers, 'PATCH', '/v1/organisation', { slug: 'taken' })));
  expect(renamed.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    200,
    'organisation_exists',
    'organisation_exists',
  ]);
  const token = tokenOf(await invite('both@example.com'));
  const accept = () => call(origin, 'POST', `/v1/invitations/${token}/accept`, { name: 'Both', password: PASSWORD });
  const accepted = await Promise.all([accept(), accept()]);
  expect(accepted.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'account_exists']);
});
