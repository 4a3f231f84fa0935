import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD, signIn } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import { offerSetup } from './organizations.ts';

const origin = 'http://localhost:3000';

let test: TestApp;
beforeEach(async () => {
  test = await openTestApp();
});
afterEach(() => test.close());

const cookieOf = (headers: Record<string, unknown>): string =>
  ([headers['set-cookie']].flat() as string[]).map((one) => one.split(';')[0]).join('; ');

async function setupToken(): Promise<string> {
  const link = (await offerSetup(test.deps)) as string;
  return new URL(link).searchParams.get('token') as string;
}

const person = { name: 'Ada', email: 'Ada@Example.com', password: PASSWORD };
const setUp = (body: object, headers: Record<string, string> = { origin }) =>
  callDeclared(test.app, { method: 'POST', url: '/v1/setup', headers, payload: body });
const sessionOf = async (headers: Record<string, string>) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/session', headers })).json();

describe('the initial setup', () => {
  it('creates the first account once, as the owner of the existing organization', async () => {
    const { id } = await ensureDefaultOrganization(test.deps);
    expect(await sessionOf({})).toMatchObject({
      setupRequired: true,
      user: null,
      organizations: [],
    });
    const token = await setupToken();
    const done = await setUp({ token, ...person, organization: { name: 'Acme Corp.' } });
    expect([done.statusCode, done.json()]).toEqual([201, { organization: { slug: 'acme-corp' } }]);
    expect(await sessionOf({ cookie: cookieOf(done.headers) })).toMatchObject({
      setupRequired: false,
      user: { name: 'Ada', email: 'ada@example.com' },
      organizations: [
        { id, slug: 'acme-corp', name: 'Acme Corp.', role: 'owner', plan: 'enterprise' },
      ],
    });
    expect((await ensureDefaultOrganization(test.deps)).slug).toBe('acme-corp');
    const again = await setUp({
      token,
      ...person,
      email: 'eve@example.com',
      organization: { name: 'Eve' },
    });
    expect([again.statusCode, again.json().code]).toEqual([403, 'link_refused']);
    expect(await offerSetup(test.deps)).toBeUndefined();
  });

  it('accepts only the newest token, and keeps it valid after an invalid request', async () => {
    const old = await setupToken();
    const token = await setupToken();
    const organization = { name: 'Acme' };
    for (const wrong of [old, '', 'x'.repeat(32), token.slice(0, -1)])
      expect((await setUp({ token: wrong, ...person, organization })).json().code).toBe(
        'link_refused',
      );
    expect((await setUp({ token, ...person, password: 'short', organization })).statusCode).toBe(
      400,
    );
    expect(
      (await setUp({ token, ...person, organization: { name: 'Acme', slug: 'account' } }))
        .statusCode,
    ).toBe(400);
    expect((await setUp({ token, ...person, organization })).statusCode).toBe(201);
  });

  it('creates only one account for two concurrent requests', async () => {
    const token = await setupToken();
    const organization = { name: 'Acme' };
    const both = await Promise.all(
      ['a@example.com', 'b@example.com'].map((email) =>
        setUp({ token, ...person, email, organization }),
      ),
    );
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403]);
  });

  it('cannot be used from a page of another origin', async () => {
    const token = await setupToken();
    for (const headers of [
      {} as Record<string, string>,
      { origin: 'http://acme.localhost:3000' },
      { origin: 'null' },
    ])
      expect(
        (await setUp({ token, ...person, organization: { name: 'Acme' } }, headers)).json().code,
      ).toBe('foreign_origin');
  });
});

describe('a session', () => {
  it('authorizes its member in operations that accept an admin key', async () => {
    const owner = await addMember(test, await addOrganization(test), 'owner');
    const created = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/projects',
      headers: owner.headers,
      payload: { slug: 'acme', name: 'Acme' },
    });
    expect(created.statusCode).toBe(201);
    const log = await callDeclared(test.app, {
      method: 'GET',
      url: '/v1/audit-log',
      headers: owner.headers,
    });
    expect(log.json().items).toMatchObject([
      { action: 'createProject', actor: owner.userId, outcome: 'done' },
    ]);
  });

  it('cannot change anything from another origin, and reads without an Origin header', async () => {
    const { headers } = await addMember(test, await addOrganization(test), 'owner');
    for (const foreign of [
      undefined,
      'null',
      'http://acme.localhost:3000',
      'https://localhost:3000',
      'http://localhost:3000.evil.example',
    ]) {
      const requestHeaders = {
        cookie: headers.cookie,
        ...(foreign !== undefined && { origin: foreign }),
      };
      const refused = await callDeclared(test.app, {
        method: 'POST',
        url: '/v1/projects',
        headers: requestHeaders,
        payload: { slug: 'a' },
      });
      expect([refused.statusCode, refused.json().code], foreign).toEqual([403, 'foreign_origin']);
    }
    const read = await callDeclared(test.app, {
      method: 'GET',
      url: '/v1/projects',
      headers: { cookie: headers.cookie },
    });
    expect(read.statusCode).toBe(200);
  });

  it('does not replace an invalid key, and reaches only the sites of its own organization', async () => {
    const operator = await addOrganization(test);
    await addSite(test, operator, 'acme', ['start']);
    const { headers } = await addMember(test, operator, 'owner');
    const wrong = { ...headers, authorization: 'Bearer svc_nonsense' };
    expect(
      (await test.app.inject({ method: 'GET', url: '/v1/projects', headers: wrong })).statusCode,
    ).toBe(401);
    const search = (sent: Record<string, string>) =>
      test.app.inject({
        method: 'POST',
        url: '/v1/search/acme',
        headers: sent,
        payload: { query: 'start' },
      });
    expect((await search(headers)).statusCode).toBe(200);
    const stranger = await addMember(test, await addOrganization(test), 'owner');
    expect((await search(stranger.headers)).statusCode).toBe(404);
  });

  it('is rejected immediately after it was revoked or signed out', async () => {
    const { email, headers } = await addMember(test, await addOrganization(test), 'owner');
    const other = await signIn(test, email);
    const list = (sent: Record<string, string>) =>
      test.app.inject({ method: 'GET', url: '/v1/projects', headers: sent });
    expect((await list(other)).statusCode).toBe(200);
    const revoked = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/auth/revoke-other-sessions',
      headers,
      payload: {},
    });
    expect([
      revoked.statusCode,
      (await list(other)).statusCode,
      (await list(headers)).statusCode,
    ]).toEqual([200, 401, 200]);
    expect((await sessionOf(other)).user).toBeNull();
    await callDeclared(test.app, { method: 'POST', url: '/v1/auth/sign-out', headers });
    expect((await list(headers)).statusCode).toBe(401);
  });

  it('selects the organization that the header names, if the user is its member', async () => {
    const [first, second, third] = [
      await addOrganization(test),
      await addOrganization(test),
      await addOrganization(test),
    ];
    const { userId, headers } = await addMember(test, first, 'owner');
    const { queries } = test.deps.database;
    const created_at = new Date(test.deps.clock.now().getTime() + 1000);
    await queries
      .insertInto('members')
      .values({
        user_id: userId,
        organization_id: second.organizationId,
        role: 'viewer',
        created_at,
      })
      .execute();
    await addSite(test, second, 'second');
    const list = async (name?: string) =>
      (
        await test.app.inject({
          method: 'GET',
          url: '/v1/projects',
          headers: { ...headers, ...(name !== undefined && { 'docent-organization': name }) },
        })
      ).json();
    expect((await list()).projects).toEqual([]);
    expect((await list(second.organizationId)).projects).toMatchObject([{ slug: 'second' }]);
    expect((await list(second.organizationId.toLowerCase())).projects).toHaveLength(1);
    expect((await list(third.organizationId)).code).toBe('organization_not_found');
  });

  it('needs a second factor if the organization requires one and the user has a password', async () => {
    const organization = await addOrganization(test);
    const { headers } = await addMember(test, organization, 'owner');
    await test.deps.database.queries
      .updateTable('organizations')
      .set({ two_factor_required: true })
      .execute();
    const refused = await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'two_factor_required']);
    expect((await sessionOf(headers)).organizations).toMatchObject([{ twoFactorRequired: true }]);
    const enabled = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/auth/two-factor/enable',
      headers,
      payload: { password: PASSWORD },
    });
    expect(Object.keys(enabled.json()).sort()).toEqual(['backupCodes', 'totpURI']);
  });
});

describe('a sign-in', () => {
  it('returns cookies that scripts cannot read, and no token', async () => {
    const { email } = await addMember(test, await addOrganization(test), 'owner');
    const payload = { email, password: PASSWORD };
    const answer = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/auth/sign-in/email',
      headers: { origin },
      payload,
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    for (const cookie of [answer.headers['set-cookie']].flat())
      expect(cookie).toMatch(/^docent\..*HttpOnly; SameSite=Lax/i);
    const sessions = await callDeclared(test.app, {
      method: 'GET',
      url: '/v1/auth/list-sessions',
      headers: { cookie: cookieOf(answer.headers) },
    });
    expect(sessions.json()).toHaveLength(2);
  });

  it('exposes no undocumented endpoint of the library', async () => {
    for (const path of [
      'sign-up/email',
      'delete-user',
      'send-verification-email',
      'get-session',
      'ok',
      'error',
    ])
      expect(
        (
          await test.app.inject({
            method: 'POST',
            url: `/v1/auth/${path}`,
            headers: { origin },
            payload: {},
          })
        ).statusCode,
      ).toBe(404);
  });
});

it('an admin key needs no Origin header, even with a session cookie in the request', async () => {
  const operator = await addOrganization(test);
  const { headers } = await addKey(test, operator, { kind: 'admin' });
  const { headers: session } = await addMember(test, operator, 'viewer');
  const both = { ...headers, cookie: session.cookie };
  const made = await test.app.inject({
    method: 'POST',
    url: '/v1/projects',
    headers: both,
    payload: { slug: 'by-key' },
  });
  expect(made.statusCode).toBe(201);
});
