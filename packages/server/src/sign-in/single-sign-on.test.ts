import type { Actor } from '@docent/format/access/may.ts';
import { addressAfterSignIn } from '@docent/format/access/return-address.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  type Forgery,
  OIDC_CLIENT,
  type ProviderPerson,
  startOidcProvider,
} from '../../../../test/support/oidc-provider.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { offerSetup } from '../accounts/organizations.ts';
import { invite } from '../invitations/manage-invitations.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';

const origin = 'http://localhost:3000';
const CALLBACK = `${origin}/v1/auth/callback/oidc`;

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let test: TestApp;
let operator: Actor;
let count = 0;
beforeAll(async () => {
  provider = await startOidcProvider(CALLBACK);
});
afterAll(() => provider.stop());

async function open(env: Record<string, string> = {}): Promise<void> {
  await test?.close();
  test = await openTestApp({
    env: {
      DOCENT_OIDC_ISSUER: provider.issuer,
      DOCENT_OIDC_CLIENT_ID: OIDC_CLIENT.clientId,
      DOCENT_OIDC_CLIENT_SECRET: OIDC_CLIENT.clientSecret,
      DOCENT_OIDC_ORGANIZATION: 'acme',
      ...env,
    },
  });
  operator = await addOrganization(test);
  await test.deps.database.queries
    .updateTable('organizations')
    .set({ slug: 'acme' })
    .where('id', '=', operator.organizationId)
    .execute();
  // The server has been set up.
  await addMember(test, operator, 'owner');
}
beforeEach(() => open());
afterAll(() => test.close());

const newPerson = (): ProviderPerson => {
  count += 1;
  return {
    sub: `sub-${count}`,
    email: `person-${count}@acme.example`,
    email_verified: true,
    name: `Person ${count} of Acme`,
  };
};
const cookieOf = (headers: Record<string, unknown>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ');
const start = (
  callbackURL = '/dashboard',
  headers: Record<string, string> = { origin },
  path = 'sign-in/social',
) =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/auth/${path}`,
    headers,
    payload: { provider: 'oidc', callbackURL },
  });
const back = (url: string, cookie: string) => {
  const { pathname, search } = new URL(url);
  return test.app.inject({ method: 'GET', url: pathname + search, headers: { cookie } });
};

/** Signs in as a browser does. @returns the final location, and its cookies */
async function signIn(person: ProviderPerson, callbackURL?: string) {
  const started = await start(callbackURL);
  const cookie = cookieOf(started.headers);
  const done = await back(await provider.signIn(started.json().url, person), cookie);
  return {
    location: done.headers.location as string,
    cookie: cookieOf(done.headers),
    status: done.statusCode,
  };
}
const sessionOf = async (cookie: string) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/session', headers: { cookie } })).json();
const errorOf = (location: string): string | null =>
  new URL(location, origin).searchParams.get('error');

describe('single sign-on', () => {
  it('uses PKCE, a state and a nonce, and makes a new user a member with the configured role', async () => {
    expect((await sessionOf('')).signIn.sso).toEqual([{ id: 'oidc', name: 'single sign-on' }]);
    const { searchParams } = new URL((await start()).json().url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThan(20);
    const person = newPerson();
    const first = await signIn(person);
    expect([first.status, first.location]).toEqual([302, `${origin}/dashboard`]);
    const session = await sessionOf(first.cookie);
    expect(session).toMatchObject({
      user: { name: person.name, email: person.email, hasPassword: false, hasSso: true },
      organizations: [{ slug: 'acme', role: 'viewer' }],
    });
    const again = await signIn(person, '/dashboard/acme/docs?tab=1');
    expect(again.location).toBe(`${origin}/dashboard/acme/docs?tab=1`);
    expect((await sessionOf(again.cookie)).user.id).toBe(session.user.id);
    const kept = await test.deps.database.queries
      .selectFrom('user_credentials')
      .selectAll()
      .where('provider_id', '=', 'oidc')
      .execute();
    expect(kept).toMatchObject([
      {
        account_id: person.sub,
        access_token: null,
        refresh_token: null,
        id_token: null,
        password: null,
      },
    ]);
  });

  it('rejects unverified addresses, and addresses without a verification status unless those are trusted', async () => {
    const { email_verified: _, ...silent } = newPerson();
    for (const person of [{ ...newPerson(), email_verified: false }, silent]) {
      const { location, cookie } = await signIn(person);
      expect([errorOf(location), (await sessionOf(cookie)).user]).toEqual([
        'email_not_verified',
        null,
      ]);
    }
    await open({ DOCENT_OIDC_TRUST_EMAIL: 'on' });
    expect((await signIn(silent)).location).toBe(`${origin}/dashboard`);
    expect(errorOf((await signIn({ ...newPerson(), email_verified: false })).location)).toBe(
      'email_not_verified',
    );
  });

  it('links to an existing account only while its owner is signed in, and only with the same verified address', async () => {
    const { email, headers, userId } = await addMember(test, operator, 'admin');
    for (const verified of [true, false]) {
      const { location, cookie } = await signIn({
        ...newPerson(),
        email,
        email_verified: verified,
      });
      expect(errorOf(location)).toMatch(/account_not_linked|email_not_verified/);
      expect((await sessionOf(cookie)).user).toBeNull();
    }
    const own = { ...newPerson(), email };
    const connect = async (person: ProviderPerson) => {
      const started = await start('/dashboard/account/security', headers, 'link-social');
      const cookie = `${headers.cookie}; ${cookieOf(started.headers)}`;
      return (await back(await provider.signIn(started.json().url, person), cookie)).headers
        .location as string;
    };
    expect(errorOf(await connect(newPerson()))).toBe('email_does_not_match');
    expect(errorOf(await connect({ ...own, email_verified: false }))).toBe('email_not_verified');
    expect(await connect(own)).toBe(`${origin}/dashboard/account/security`);
    expect((await sessionOf((await signIn(own)).cookie)).user).toMatchObject({
      id: userId,
      hasPassword: true,
      hasSso: true,
    });
    expect((await start('/dashboard', { origin }, 'link-social')).statusCode).toBe(401);
  });

  it('can be disconnected by a user with a password, and never if it is the only way to sign in', async () => {
    const disconnect = (headers: Record<string, string>) =>
      callDeclared(test.app, {
        method: 'POST',
        url: '/v1/auth/unlink-social',
        headers,
        payload: { provider: 'oidc' },
      });
    const { email, headers, userId } = await addMember(test, operator, 'admin');
    const person = { ...newPerson(), email };
    const started = await start('/dashboard', headers, 'link-social');
    await back(
      await provider.signIn(started.json().url, person),
      `${headers.cookie}; ${cookieOf(started.headers)}`,
    );
    expect((await sessionOf(headers.cookie)).user.hasSso).toBe(true);
    for (const [wrong, code] of [
      [{ origin }, 'unauthenticated'],
      [{ ...headers, origin: 'https://evil.example' }, 'foreign_origin'],
    ] as const)
      expect((await disconnect(wrong)).json().code).toBe(code);
    expect((await disconnect(headers)).statusCode).toBe(200);
    expect((await sessionOf(headers.cookie)).user).toMatchObject({
      id: userId,
      hasPassword: true,
      hasSso: false,
    });
    expect(errorOf((await signIn(person)).location)).toBe('account_not_linked');
    const again = await disconnect(headers);
    expect([again.statusCode, again.json().detail]).toEqual([
      400,
      'Your account is not connected with an identity provider.',
    ]);
    const log = await test.deps.database.queries
      .selectFrom('audit_log')
      .select('action')
      .where('actor', 'like', `%${userId}`)
      .execute();
    expect(log.map(({ action }) => action)).toContain('disconnectSingleSignOn');

    const only = await signIn(newPerson());
    const last = await disconnect({ origin, cookie: only.cookie });
    expect([last.statusCode, last.json().detail]).toEqual([
      400,
      expect.stringContaining('only way to sign in'),
    ]);
    expect((await sessionOf(only.cookie)).user.hasSso).toBe(true);
  });

  it('refuses an answer without an ID token', async () => {
    provider.setIdToken(false);
    const { location, cookie } = await signIn(newPerson()).finally(() => provider.setIdToken(true));
    expect([errorOf(location), (await sessionOf(cookie)).user]).toEqual([
      'unable_to_get_user_info',
      null,
    ]);
  });

  it('refuses an ID token that another key signed, of another issuer, for another client, of another sign-in, or that has expired', async () => {
    const forgeries: Forgery[] = [
      { isForeign: true },
      { alg: 'none' },
      { alg: 'HS256' },
      { claims: { iss: 'https://id.evil.example' } },
      { claims: { aud: 'another client' } },
      { claims: { nonce: 'that of another sign-in' } },
      { claims: { nonce: undefined } },
      { claims: { exp: Math.floor(Date.now() / 1000) - 3600 } },
    ];
    for (const forgery of forgeries) {
      provider.setForgery(forgery);
      const { location, cookie } = await signIn(newPerson());
      expect([errorOf(location), (await sessionOf(cookie)).user], JSON.stringify(forgery)).toEqual([
        expect.any(String),
        null,
      ]);
    }
    // Written again without a change, a token signs in.
    provider.setForgery({});
    const { location, cookie } = await signIn(newPerson());
    provider.setForgery();
    expect([location, (await sessionOf(cookie)).user]).toEqual([
      `${origin}/dashboard`,
      expect.any(Object),
    ]);
  });

  it('knows a person by issuer and subject: whoever gets the address later does not get the account', async () => {
    const person = newPerson();
    const { user } = await sessionOf((await signIn(person)).cookie);
    const { queries } = test.deps.database;
    const setIssuer = (issuer: string | null) =>
      queries
        .updateTable('user_credentials')
        .set({ issuer })
        .where('account_id', '=', person.sub)
        .execute();
    const issuers = async () =>
      (
        await queries
          .selectFrom('user_credentials')
          .select('issuer')
          .where('user_id', '=', user.id)
          .execute()
      ).map((row) => row.issuer);
    const successor = await signIn({ ...newPerson(), email: person.email });
    expect([errorOf(successor.location), (await sessionOf(successor.cookie)).user]).toEqual([
      'other_identity',
      null,
    ]);
    // One that was connected before issuers were stored.
    await setIssuer(null);
    expect(errorOf((await signIn({ ...newPerson(), email: person.email })).location)).toBe(
      'other_identity',
    );
    expect((await sessionOf((await signIn(person)).cookie)).user.id).toBe(user.id);
    expect(await issuers()).toEqual([provider.issuer]);
    // The same subject of another issuer is another person, unless the address says otherwise.
    await setIssuer('https://former.example');
    expect(errorOf((await signIn({ ...person, email: newPerson().email })).location)).toBe(
      'other_identity',
    );
    expect((await sessionOf((await signIn(person)).cookie)).user.id).toBe(user.id);
    expect(await issuers()).toEqual([provider.issuer]);
  });

  it('accepts a state once, and only in the browser that started the sign-in', async () => {
    const started = await start();
    const returned = await provider.signIn(started.json().url, newPerson());
    const other = cookieOf((await start()).headers);
    for (const cookie of ['', other])
      expect(errorOf((await back(returned, cookie)).headers.location as string)).toBe(
        'state_mismatch',
      );
    const forged = new URL(returned);
    forged.searchParams.set('state', 'x'.repeat(32));
    expect(
      errorOf((await back(forged.href, cookieOf(started.headers))).headers.location as string),
    ).toBe('state_mismatch');
    expect((await back(returned, cookieOf(started.headers))).headers.location).toBe(
      `${origin}/dashboard`,
    );
    expect(
      errorOf((await back(returned, cookieOf(started.headers))).headers.location as string),
    ).toBe('state_mismatch');
  });

  it('rejects the code of another sign-in, even with the right state', async () => {
    const [mine, theirs] = [await start(), await start()];
    const stolen = new URL(await provider.signIn(theirs.json().url, newPerson())).searchParams.get(
      'code',
    ) as string;
    const returned = new URL(await provider.signIn(mine.json().url, newPerson()));
    returned.searchParams.set('code', stolen);
    const { headers } = await back(returned.href, cookieOf(mine.headers));
    expect([
      errorOf(headers.location as string),
      (await sessionOf(cookieOf(headers))).user,
    ]).toEqual(['invalid_code', null]);
  });

  it('redirects only to pages of the dashboard', async () => {
    for (const url of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/dashboard\\..\\evil',
      '/dashboardx',
      '/v1/session',
      '/dashboard/ x',
      'javascript:alert(1)',
      '/dashboard/../sites/evil/',
      '/dashboard/%2e%2E/sites/evil/',
      '/dashboard/.%2e//evil.example',
      'https:/dashboard/../evil.example',
      '/\t/evil.example',
    ]) {
      // The same function decides here and on the sign-in page.
      expect((await start(url)).statusCode, url).toBe(400);
      expect(addressAfterSignIn(url), url).toBe('/dashboard');
    }
    for (const url of [
      '/dashboard/acme/docs?next=//evil.example',
      '/dashboard/a%2F..%2F..%2Fb',
      '/dashboard/a/...',
    ]) {
      // What both accept, a browser resolves to a page of the dashboard.
      expect([(await start(url)).statusCode, addressAfterSignIn(url)], url).toEqual([200, url]);
      const { origin: reached, pathname } = new URL(addressAfterSignIn(url), origin);
      expect([reached, pathname.startsWith('/dashboard/')], url).toEqual([origin, true]);
    }
    expect((await start('/dashboard', { origin: 'https://evil.example' })).json().code).toBe(
      'foreign_origin',
    );
    // Other options of the library are not passed on.
    const payload = {
      provider: 'oidc',
      callbackURL: '/dashboard',
      errorCallbackURL: 'https://evil.example',
      idToken: { token: 'x' },
      scopes: ['admin'],
    };
    const started = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/auth/sign-in/social',
      headers: { origin },
      payload,
    });
    expect(new URL(started.json().url).searchParams.get('scope')).toBe('openid profile email');
    const refused = await back(
      `${CALLBACK}?error=access_denied&state=${new URL(started.json().url).searchParams.get('state')}`,
      cookieOf(started.headers),
    );
    expect(refused.headers.location).toBe(
      `${origin}/dashboard/sign-in?next=%2Fdashboard&error=access_denied`,
    );
  });

  it('leads new and known people to the page that they wanted, also after a refusal, as the sign-in page reads it', async () => {
    const wanted = '/dashboard/acme/docs/searches?days=7&q=a%2Bb~#top';
    const nextOf = (location: string) => new URL(location).searchParams.get('next') ?? undefined;
    const refused = await signIn({ ...newPerson(), email_verified: false }, wanted);
    expect(new URL(refused.location).pathname).toBe('/dashboard/sign-in');
    const next = addressAfterSignIn(nextOf(refused.location));
    expect(next).toBe(wanted);
    const person = newPerson();
    for (const _ of ['new', 'known'])
      expect((await signIn(person, next)).location).toBe(origin + wanted);
    // A new account has accepted its invitations.
    expect((await signIn(newPerson(), '/dashboard/invite/abc')).location).toBe(
      `${origin}/dashboard`,
    );
    expect((await signIn(person, '/dashboard/invite/abc')).location).toBe(
      `${origin}/dashboard/invite/abc`,
    );
  });

  it('admits only people whom the provider confirms a second factor, where one is required', async () => {
    const attempt = async (claims: Record<string, unknown>, person = newPerson()) => {
      provider.setForgery({ claims });
      const { location, cookie } = await signIn(person);
      provider.setForgery();
      const error = errorOf(location);
      expect((await sessionOf(cookie)).user === null).toBe(error !== null);
      return error;
    };
    expect(await attempt({})).toBeNull();
    await open({
      DOCENT_OIDC_SECOND_FACTOR: 'required',
      DOCENT_OIDC_SECOND_FACTOR_ACR: 'urn:acme:strong, gold',
    });
    expect(new URL((await start()).json().url).searchParams.get('acr_values')).toBe(
      'urn:acme:strong gold',
    );
    const refused = [
      {},
      { amr: ['pwd'] },
      { amr: ['otp'] },
      { amr: ['pwd', 'kba'] },
      { amr: 'mfa' },
      { acr: 'silver' },
      { acr: ['gold'] },
    ];
    for (const claims of refused)
      expect(await attempt(claims), JSON.stringify(claims)).toBe('second_factor_missing');
    const person = newPerson();
    for (const claims of [
      { amr: ['mfa'] },
      { amr: ['pwd', 'otp'] },
      { amr: ['hwk', 'pin'] },
      { amr: ['pwd'], acr: 'gold' },
    ])
      expect(await attempt(claims, person), JSON.stringify(claims)).toBeNull();
    // Also whoever came with one before.
    expect(await attempt({ amr: ['pwd'] }, person)).toBe('second_factor_missing');
  });

  it('admits only allowed domains, and only invited users if no organization is configured', async () => {
    await open({
      DOCENT_OIDC_EMAIL_DOMAINS: 'acme.example, acme.test',
      DOCENT_OIDC_ORGANIZATION: '',
    });
    const person = newPerson();
    expect(errorOf((await signIn(person)).location)).toBe('not_invited');
    await invite(test.deps, operator, { email: person.email, role: 'editor' });
    expect((await sessionOf((await signIn(person)).cookie)).organizations).toMatchObject([
      { slug: 'acme', role: 'editor' },
    ]);
    for (const email of [
      'eve@evil.example',
      'eve@notacme.example',
      'eve@acme.example.evil.example',
    ])
      expect(errorOf((await signIn({ ...newPerson(), email })).location), email).toBe(
        'domain_not_allowed',
      );
    // Also for a user who joined before the domain was removed.
    expect(errorOf((await signIn({ ...person, email: 'moved@evil.example' })).location)).toBe(
      'domain_not_allowed',
    );
  });

  it('admits nobody before the setup, and does not restore removed members', async () => {
    const person = newPerson();
    const { cookie } = await signIn(person);
    const { user } = await sessionOf(cookie);
    await test.deps.database.queries.deleteFrom('members').where('user_id', '=', user.id).execute();
    expect((await sessionOf((await signIn(person)).cookie)).organizations).toEqual([]);
    await test.deps.database.queries.deleteFrom('users').execute();
    expect(errorOf((await signIn(newPerson())).location)).toBe('not_set_up');
    expect(await findOrganization(test.deps.database.queries, 'acme')).toBeDefined();
  });

  it('is the only way to sign in if passwords are off, except for links of the operator', async () => {
    await open({
      DOCENT_PASSWORDS: 'off',
      DOCENT_SMTP_URL: 'smtp://127.0.0.1:9',
      DOCENT_MAIL_FROM: 'docs@acme.example',
    });
    const post = async (
      url: string,
      payload: object,
      headers: Record<string, string> = { origin },
    ) => callDeclared(test.app, { method: 'POST', url, headers, payload });
    expect((await sessionOf('')).signIn).toMatchObject({ password: false, sso: [{ id: 'oidc' }] });
    const { email, headers, userId } = await addMember(test, operator, 'admin');
    const { url } = await invite(test.deps, operator, {
      email: 'new@acme.example',
      role: 'editor',
    });
    const invitation = `/v1/invitations/${url.split('/').at(-1)}/accept`;
    for (const refused of [
      await post('/v1/auth/sign-in/email', { email, password: PASSWORD }),
      await post('/v1/auth/request-password-reset', { email }),
      await post(
        '/v1/auth/change-password',
        { currentPassword: PASSWORD, newPassword: 'another long passphrase' },
        headers,
      ),
      await post(invitation, { name: 'New', password: PASSWORD }),
      await post(invitation, {}),
    ])
      expect([refused.statusCode, refused.json().detail]).toEqual([
        400,
        expect.stringContaining('Passwords are turned off'),
      ]);
    const { queries } = test.deps.database;
    await queries.updateTable('organizations').set({ two_factor_required: true }).execute();
    expect(
      (await test.app.inject({ method: 'GET', url: '/v1/projects', headers })).statusCode,
    ).toBe(200);
    expect((await sessionOf(headers.cookie)).user.hasPassword).toBe(false);

    const token = await test.deps.accounts.createPasswordReset(userId);
    const reset = await post('/v1/auth/reset-password', {
      token,
      newPassword: 'another long passphrase',
    });
    expect(reset.statusCode).toBe(200);
    const cookie = cookieOf(reset.headers);
    expect((await sessionOf(cookie)).user.id).toBe(userId);
    const started = await start('/dashboard', { origin, cookie }, 'link-social');
    await back(
      await provider.signIn(started.json().url, { ...newPerson(), email }),
      `${cookie}; ${cookieOf(started.headers)}`,
    );
    expect((await sessionOf(cookie)).user.hasSso).toBe(true);
    const last = await post('/v1/auth/unlink-social', { provider: 'oidc' }, { origin, cookie });
    expect([last.statusCode, last.json().detail]).toEqual([
      400,
      expect.stringContaining('only way to sign in'),
    ]);

    await queries.deleteFrom('users').execute();
    const link = await offerSetup(test.deps);
    const setUp = await post('/v1/setup', {
      token: new URL(link as string).searchParams.get('token'),
      name: 'Ada',
      email: 'ada@acme.example',
      password: PASSWORD,
      organization: { name: 'Base' },
    });
    expect((await sessionOf(cookieOf(setUp.headers))).user.email).toBe('ada@acme.example');
  });

  it('responds with 503 while the provider is unreachable or its issuer differs', async () => {
    for (const issuer of ['http://127.0.0.1:9', `${provider.issuer}/`]) {
      await open({ DOCENT_OIDC_ISSUER: issuer });
      const refused = await start();
      expect([refused.statusCode, refused.json().code], issuer).toEqual([
        503,
        'dependency_unavailable',
      ]);
      await addMember(test, operator, 'viewer');
    }
  });

  it('is unavailable if it is not configured', async () => {
    await test.close();
    test = await openTestApp();
    expect((await sessionOf('')).signIn.sso).toEqual([]);
    expect((await start()).statusCode).toBe(400);
    expect((await back(`${CALLBACK}?code=x&state=y`, '')).statusCode).toBe(400);
  });
});
