import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD, signIn } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { changeOrganization, createOrganization } from './organizations.ts';

let test: TestApp;
let organization: Actor;
let owner: Awaited<ReturnType<typeof addMember>>;
beforeEach(async () => {
  test = await openTestApp({ env: { DOCENT_ORGANIZATION_CREATION: 'members' } });
  organization = await addOrganization(test);
  owner = await addMember(test, organization, 'owner');
});
afterEach(() => test.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = async (
  headers: Record<string, string>,
  method: Method,
  path: string,
  payload?: object,
) => {
  const response = await callDeclared(test.app, {
    method,
    url: path,
    headers,
    ...(payload && { payload }),
  });
  return {
    status: response.statusCode,
    body: response.body === '' ? undefined : response.json(),
    headers: response.headers,
  };
};
const members = async () =>
  (await call(owner.headers, 'GET', '/v1/organization/members')).body.items as {
    userId: string;
    role: string;
  }[];
const invite = async (email: string, role = 'editor') =>
  (await call(owner.headers, 'POST', '/v1/organization/invitations', { email, role })).body as {
    id: string;
    url: string;
  };
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) as string;
const origin = { origin: 'http://localhost:3000' };

it('an invitation creates an account with the given role, signs it in, and works once', async () => {
  const token = tokenOf(await invite('Grace@Example.com', 'viewer'));
  expect((await call({}, 'GET', `/v1/invitations/${token}`)).body).toMatchObject({
    email: 'grace@example.com',
    inviter: expect.stringMatching(/^Person \d+$/),
    hasAccount: false,
  });
  const account = { name: 'Grace', password: PASSWORD };
  const accepted = await call(origin, 'POST', `/v1/invitations/${token}/accept`, account);
  expect(accepted.status).toBe(200);
  const cookie = ([accepted.headers['set-cookie']].flat() as string[])
    .map((one) => one.split(';')[0])
    .join('; ');
  expect((await call({ cookie }, 'GET', '/v1/session')).body.organizations).toMatchObject([
    { role: 'viewer' },
  ]);
  expect((await call(origin, 'POST', `/v1/invitations/${token}/accept`, account)).body.code).toBe(
    'link_refused',
  );
  expect(await members()).toHaveLength(2);
});

it('only the account with the invited address can accept its invitation', async () => {
  const other = await addMember(test, await addOrganization(test), 'owner');
  const stranger = await addMember(test, await addOrganization(test), 'owner');
  const token = tokenOf(await invite(other.email));
  const accept = (headers: Record<string, string>) =>
    call(headers, 'POST', `/v1/invitations/${token}/accept`, { name: 'Eve', password: PASSWORD });
  expect((await accept(origin)).body.code).toBe('unauthenticated');
  expect((await accept(stranger.headers)).body.code).toBe('unauthenticated');
  expect((await accept(other.headers)).status).toBe(200);
  expect((await members()).map(({ userId }) => userId)).toContain(other.userId);
  expect(
    (
      await call(owner.headers, 'POST', '/v1/organization/invitations', {
        email: other.email,
        role: 'viewer',
      })
    ).status,
  ).toBe(409);
});

it('a revoked, expired or replaced invitation is rejected', async () => {
  const replaced = await invite('a@example.com');
  const revoked = await invite('a@example.com');
  await call(owner.headers, 'DELETE', `/v1/organization/invitations/${revoked.id}`);
  const expired = await invite('b@example.com');
  test.deps.clock.advance(8 * 24 * 3600);
  for (const one of [replaced, revoked, expired]) {
    expect((await call({}, 'GET', `/v1/invitations/${tokenOf(one)}`)).body.code).toBe(
      'link_refused',
    );
    const accepted = await call(origin, 'POST', `/v1/invitations/${tokenOf(one)}/accept`, {
      name: 'A',
      password: PASSWORD,
    });
    expect(accepted.body.code).toBe('link_refused');
  }
});

it('the last owner can neither leave nor be demoted, even if two owners leave concurrently', async () => {
  const path = `/v1/organization/members/${owner.userId}`;
  expect((await call(owner.headers, 'DELETE', path)).body.code).toBe('last_owner');
  expect((await call(owner.headers, 'PATCH', path, { role: 'admin' })).body.code).toBe(
    'last_owner',
  );
  const second = await addMember(test, organization, 'owner');
  const both = await Promise.all([
    call(owner.headers, 'DELETE', path),
    call(second.headers, 'DELETE', `/v1/organization/members/${second.userId}`),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
});

it('admins manage members but cannot add, change or remove owners', async () => {
  const admin = await addMember(test, organization, 'admin');
  const viewer = await addMember(test, organization, 'viewer');
  const { headers } = admin;
  const path = `/v1/organization/members/${viewer.userId}`;
  expect((await call(headers, 'PATCH', path, { role: 'editor' })).status).toBe(204);
  expect((await call(headers, 'PATCH', path, { role: 'owner' })).body.code).toBe('role_missing');
  const owners = `/v1/organization/members/${owner.userId}`;
  expect((await call(headers, 'PATCH', owners, { role: 'viewer' })).body.code).toBe('role_missing');
  expect((await call(headers, 'DELETE', owners)).body.code).toBe('role_missing');
  const asOwner = { email: 'x@example.com', role: 'owner' };
  expect((await call(headers, 'POST', '/v1/organization/invitations', asOwner)).body.code).toBe(
    'role_missing',
  );
  expect(
    (await call(viewer.headers, 'DELETE', `/v1/organization/members/${admin.userId}`)).body.code,
  ).toBe('role_missing');
  expect(
    (await call(viewer.headers, 'DELETE', `/v1/organization/members/${viewer.userId}`)).status,
  ).toBe(204);
  expect((await call(viewer.headers, 'GET', '/v1/projects')).body.code).toBe(
    'organization_not_found',
  );
});

it('only an owner chooses the plan, up to the highest that the operator allows, with immediate effect for keys', async () => {
  const setPlan = async (headers: Record<string, string>, plan: string) => {
    const { status, body } = await call(headers, 'PATCH', '/v1/organization', { plan });
    return status === 200 ? [body.plan, body.highestPlan] : body.code;
  };
  const { headers: key } = await addKey(test, organization, { kind: 'admin' });
  const admin = await addMember(test, organization, 'admin');
  for (const headers of [admin.headers, key])
    expect(await setPlan(headers, 'free')).toBe('role_missing');
  expect(await setPlan(owner.headers, 'free')).toEqual(['free', 'enterprise']);
  for (const headers of [owner.headers, key])
    expect((await call(headers, 'GET', '/v1/static-export/jobs')).body.code).toBe('plan_required');
  expect(await setPlan(owner.headers, 'enterprise')).toEqual(['enterprise', 'enterprise']);
  expect((await call(key, 'GET', '/v1/static-export/jobs')).status).toBe(200);
  await changeOrganization(test.deps, organization, { plan: 'pro' }, () => true);
  expect(await setPlan(owner.headers, 'enterprise')).toBe('operator_required');
  expect(await setPlan(owner.headers, 'free')).toEqual(['free', 'pro']);
  const other = await call(owner.headers, 'POST', '/v1/organizations', { name: 'Acme Labs' });
  expect([other.body.plan, other.body.highestPlan]).toEqual(['free', 'pro']);
});

it('only the operator can access the accounts of all users, and the list of all organizations', async () => {
  const { headers: key } = await addKey(test, organization, { kind: 'admin' });
  for (const headers of [owner.headers, key]) {
    for (const url of ['/v1/users', '/v1/organizations'])
      expect((await call(headers, 'GET', url)).body.code).toBe('operator_required');
    expect(
      (await call(headers, 'POST', `/v1/users/${owner.userId}/password-reset`)).body.code,
    ).toBe('operator_required');
  }
});

it('an organization can be renamed, and deleted with all its contents after confirming its identifier', async () => {
  const changed = await call(owner.headers, 'PATCH', '/v1/organization', {
    name: 'Acme',
    slug: 'acme',
  });
  expect(changed.body).toMatchObject({ name: 'Acme', slug: 'acme' });
  test.deps.clock.advance(1);
  const second = await call(owner.headers, 'POST', '/v1/organizations', { name: 'Acme' });
  expect(second.body.code).toBe('organization_exists');
  const labs = await call(owner.headers, 'POST', '/v1/organizations', { name: 'Acme Labs' });
  expect([labs.status, labs.body.slug]).toEqual([201, 'acme-labs']);
  await addSite(test, organization, 'site');
  const { headers: key } = await addKey(test, organization, { kind: 'admin' });
  expect((await call(owner.headers, 'DELETE', '/v1/organization?confirm=acm')).status).toBe(400);
  expect((await call(key, 'DELETE', '/v1/organization?confirm=acme')).body.code).toBe(
    'role_missing',
  );
  expect((await call(owner.headers, 'DELETE', '/v1/organization?confirm=acme')).status).toBe(204);
  expect((await call(key, 'GET', '/v1/projects')).status).toBe(401);
  const rows = await test.deps.database.queries.selectFrom('sites').select('id').execute();
  expect(rows).toEqual([]);
  const again = { ...(await signIn(test, owner.email)) };
  expect((await call(again, 'GET', '/v1/session')).body.organizations).toMatchObject([
    { slug: 'acme-labs' },
  ]);
});

it('a change with If-Match is rejected if the organization has changed since', async () => {
  const before = await call(owner.headers, 'GET', '/v1/organization');
  const headers = { ...owner.headers, 'if-match': before.headers.etag as string };
  const changed = await call(headers, 'PATCH', '/v1/organization', { name: 'First' });
  expect([changed.status, changed.headers.etag === before.headers.etag]).toEqual([200, false]);
  const late = await call(headers, 'PATCH', '/v1/organization', { name: 'Second' });
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect((await call(owner.headers, 'GET', '/v1/organization')).body.name).toBe('First');
});

it('keys are listed page by page, each exactly once', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++)
    ids.push((await addKey(test, organization, { kind: 'admin', name: `key ${count}` })).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/keys?limit=2${cursor && `&cursor=${cursor}`}`;
    const { body } = await call(owner.headers, 'GET', path);
    expect([body.items.length, body.hasMore]).toEqual(
      body.nextCursor === null ? [1, false] : [2, true],
    );
    expect(body.keys).toEqual(body.items);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  expect(seen).toHaveLength(5);
  expect(new Set(seen)).toEqual(new Set(ids));
  expect((await call(owner.headers, 'GET', '/v1/keys?cursor=x')).status).toBe(400);
});

it('only one of several concurrent claims to an identifier or an invitation succeeds', async () => {
  const create = () =>
    call(owner.headers, 'POST', '/v1/organizations', { name: 'Same', slug: 'same' });
  const created = await Promise.all([create(), create(), create()]);
  expect(created.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    201,
    'organization_exists',
    'organization_exists',
  ]);
  const others = await Promise.all(
    [1, 2, 3].map(async () => addMember(test, await addOrganization(test), 'owner')),
  );
  const renamed = await Promise.all(
    others.map(({ headers }) => call(headers, 'PATCH', '/v1/organization', { slug: 'taken' })),
  );
  expect(renamed.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    200,
    'organization_exists',
    'organization_exists',
  ]);
  const token = tokenOf(await invite('both@example.com'));
  const accept = () =>
    call(origin, 'POST', `/v1/invitations/${token}/accept`, { name: 'Both', password: PASSWORD });
  const accepted = await Promise.all([accept(), accept()]);
  expect(accepted.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    200,
    'account_exists',
  ]);
});

it('a former identifier leads to its organization until another one takes it, and is no obstacle to that', async () => {
  const nameOf = async (slug: string, { headers } = owner) => {
    const named = { ...headers, 'docent-organization': slug };
    const { status, body } = await call(named, 'GET', '/v1/organization');
    return status === 200 ? (body.slug as string) : body.code;
  };
  const rename = (slug: string) => call(owner.headers, 'PATCH', '/v1/organization', { slug });
  for (const slug of ['acme-old', 'acme-new', 'acme-last', 'acme-new'])
    expect((await rename(slug)).status).toBe(200);
  expect(await nameOf('acme-old')).toBe('acme-new');
  expect(await nameOf('acme-last')).toBe('acme-new');
  // Only for its members.
  const stranger = await addMember(test, await addOrganization(test), 'owner');
  expect(await nameOf('acme-old', stranger)).toBe('organization_not_found');
  const other = { name: 'Another', slug: 'acme-old' };
  expect((await call(owner.headers, 'POST', '/v1/organizations', other)).status).toBe(201);
  expect(await nameOf('acme-old')).toBe('acme-old');
  const asNew = { ...owner.headers, 'docent-organization': 'acme-new' };
  const back = await call(asNew, 'PATCH', '/v1/organization', { slug: 'acme-old' });
  expect(back.body.code).toBe('organization_exists');
});

it('by default, nobody but the operator creates an organization, and no key ever does', async () => {
  const { headers: key } = await addKey(test, organization, { kind: 'admin' });
  expect((await call(key, 'POST', '/v1/organizations', { name: 'Of a key' })).body.code).toBe(
    'role_missing',
  );
  const preset = await openTestApp();
  try {
    const operator = await addOrganization(preset);
    const { headers } = await addMember(preset, operator, 'owner');
    const payload = { name: 'Acme Labs' };
    const response = await callDeclared(preset.app, {
      method: 'POST',
      url: '/v1/organizations',
      headers,
      payload,
    });
    expect([response.statusCode, response.json().code]).toEqual([403, 'operator_required']);
    expect(response.json().detail).toContain('docent organizations create');
    const session = await callDeclared(preset.app, { method: 'GET', url: '/v1/session', headers });
    expect(session.json().organizationCreation).toBe('operator');
    const created = await createOrganization(preset.deps, operator, payload);
    expect(created).toMatchObject({ slug: 'acme-labs', createdByUser: null });
  } finally {
    await preset.close();
  }
});

it('a person creates a limited number of organizations per hour and in total, counted across all their organizations', async () => {
  const create = (name: string, headers: Record<string, string> = owner.headers) =>
    call(headers, 'POST', '/v1/organizations', { name });
  const { headers: viewer } = await addMember(test, organization, 'viewer');
  expect((await create('Of a viewer', viewer)).body).toMatchObject({
    plan: 'free',
    highestPlan: 'free',
  });
  for (const name of ['First', 'Second', 'Third'])
    expect((await create(name)).body.plan).toBe('enterprise');
  const inThird = { ...owner.headers, 'docent-organization': 'third' };
  const refused = await create('Fourth', inThird);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const { queries } = test.deps.database;
  const few = {
    ...test.deps.config,
    quotas: { ...test.deps.config.quotas, organizationsPerPerson: 3 },
  };
  const member: Actor = {
    ...organization,
    kind: 'member',
    userId: owner.userId,
    sessionId: '',
    role: 'owner',
  };
  const unlimited = {
    ...test.deps,
    config: { ...few, limits: { ...few.limits, organizationsPerPersonHour: 1000 } },
  };
  await expect(createOrganization(unlimited, member, { name: 'Fifth' })).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
  await queries.deleteFrom('organizations').where('slug', '=', 'third').execute();
  await createOrganization(unlimited, member, { name: 'Fifth' });
  await expect(createOrganization(unlimited, member, { name: 'Sixth' })).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
});

it('all organizations that one person created share one set of limits, quotas and storage', async () => {
  const limits = {
    DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: '4',
    DOCENT_SITES_PER_ORGANIZATION: '3',
  };
  const shared = await openTestApp({ env: { DOCENT_ORGANIZATION_CREATION: 'members', ...limits } });
  try {
    const first = await addOrganization(shared);
    const { headers } = await addMember(shared, first, 'owner');
    const send = async (slug: string, method: Method, url: string, payload?: object) => {
      const sent = {
        method,
        url,
        headers: { ...headers, 'docent-organization': slug },
        ...(payload && { payload }),
      };
      const response = await callDeclared(shared.app, sent);
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : response.json(),
      };
    };
    const slugs = ['one', 'two', 'three'];
    for (const slug of slugs)
      await send(first.organizationId, 'POST', '/v1/organizations', { name: slug, slug });
    const statuses: number[] = [];
    for (const slug of [...slugs, ...slugs])
      statuses.push((await send(slug, 'POST', '/v1/keys', { kind: 'admin', name: 'key' })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
    // The operator's organization has limits of its own, with the same owner.
    expect(
      (await send(first.organizationId, 'POST', '/v1/keys', { kind: 'admin', name: 'key' })).status,
    ).toBe(201);
    for (const slug of slugs)
      expect((await send(slug, 'POST', '/v1/projects', { slug: `site-${slug}` })).status).toBe(201);
    const fourth = await send('two', 'POST', '/v1/projects', { slug: 'site-four' });
    expect([fourth.status, fourth.body.code]).toEqual([403, 'quota_exceeded']);
    const { body: usage } = await send('two', 'GET', '/v1/organization/usage');
    expect(usage.sites).toEqual({ used: 1, limit: 1 });
    expect(usage.limits.find(({ name }: { name: string }) => name === 'keys')).toMatchObject({
      used: 4,
      limit: 4,
    });
    const site = await shared.deps.database.queries
      .selectFrom('sites')
      .select('id')
      .where('slug', '=', 'site-one')
      .executeTakeFirst();
    const row = {
      id: 'd',
      site_id: site?.id as string,
      status: 'failure' as const,
      source_key: 'uploads/d.tar.gz',
    };
    await shared.deps.database.queries
      .insertInto('deployments')
      .values({ ...row, source_bytes: 1_000_000 })
      .execute();
    const { body } = await send('two', 'GET', '/v1/organization/usage');
    expect(body.storedBytes).toMatchObject({ used: 0, limit: usage.storedBytes.limit - 1_000_000 });
  } finally {
    await shared.close();
  }
});
