import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Forgery,
  OIDC_CLIENT,
  type ProviderPerson,
  startOidcProvider,
} from '../../../../test/support/oidc-provider.ts';
import {
  browserOf,
  cookiesAfter,
  managerOf,
} from '../../../../test/support/organization-sign-in.ts';
import { addMember } from '../../../../test/support/people.ts';
import { createSamlProvider } from '../../../../test/support/saml-provider.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createHttpOutside } from '../adapters/outside-files/http.ts';

const outside = createHttpOutside({ allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange] });
const saml = createSamlProvider();

let test: TestApp;
let browser: ReturnType<typeof browserOf>;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
/** The provider leads back to each of these alone, so they exist before it. */
let operators: Awaited<ReturnType<typeof addOrganization>>[];
let count = 0;

beforeAll(async () => {
  test = await openTestApp({ outsideFiles: outside, outsideCalls: outside });
  browser = browserOf(test);
  operators = await Promise.all(Array.from({ length: 60 }, () => addOrganization(test)));
  provider = await startOidcProvider(
    operators.map(
      ({ organizationId }) => `${test.deps.config.publicUrl}/v1/sign-in/${organizationId}/oidc`,
    ),
  );
});
afterAll(async () => {
  await test.close();
  await provider.stop();
  await outside.close();
});
beforeEach(() => provider.setForgery(undefined));

const oidc = (more: object = {}) => ({ issuer: provider.issuer, ...OIDC_CLIENT, ...more });

/** An organization with an owner, whose people sign in with the provider. */
async function open(settings: object = {}) {
  const operator = operators.pop() as (typeof operators)[number];
  const owner = await addMember(test, operator, 'owner');
  const { organizationId } = operator;
  const { manage, change } = managerOf(test, owner.headers);
  const changed = await change({ oidc: oidc(settings) });
  expect(changed.statusCode, changed.body).toBe(200);
  const url = `/v1/sign-in/${organizationId}`;
  const begin = (cookie = '', query = '') =>
    test.app.inject({ url: url + query, headers: { cookie } });
  /** Follows the provider back. */
  const back = (address: string, cookie: string) => {
    const { pathname, search } = new URL(address);
    return test.app.inject({ url: pathname + search, headers: { cookie } });
  };
  const signIn = async (person: ProviderPerson, cookie = '', query = '') => {
    const begun = await begin(cookie, query);
    expect(begun.statusCode, begun.body).toBe(303);
    const jar = cookiesAfter(cookie, begun.headers['set-cookie']);
    const address = await provider.signIn(String(begun.headers.location), person);
    const answer = await back(address, jar);
    return { answer, address, jar, cookie: cookiesAfter(jar, answer.headers['set-cookie']) };
  };
  return { operator, organizationId, owner, manage, change, url, begin, back, signIn };
}

const newPerson = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  count += 1;
  return {
    sub: `person-${count}`,
    email: `oidc-${count}@acme.example`,
    email_verified: true,
    name: 'Ada Lovelace',
    ...more,
  };
};

describe('a person of an organization with an OpenID Connect provider', () => {
  it('joins and comes in with it, known by issuer and subject, and the audit log says so', async () => {
    const acme = await open();
    const person = newPerson();
    const begun = await acme.begin();
    const { origin, searchParams } = new URL(String(begun.headers.location));
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `${test.deps.config.publicUrl}${acme.url}/oidc`,
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThan(20);
    const { answer, cookie } = await acme.signIn(person);
    expect([answer.statusCode, answer.headers.location], answer.body).toEqual([
      303,
      `/dashboard/${acme.organizationId.toLowerCase()}`,
    ]);
    const session = await browser.sessionOf(cookie);
    expect(session.user).toMatchObject({ email: person.email, name: 'Ada Lovelace' });
    expect(session.organizations).toMatchObject([{ id: acme.organizationId, role: 'viewer' }]);
    expect(await browser.statusIn(acme.organizationId, cookie)).toEqual([200, undefined]);
    const log = await test.app.inject({ url: '/v1/audit-log', headers: acme.owner.headers });
    expect(log.json().items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['changeOrganizationSignIn', 'connectSingleSignOn', 'signInWithSso']),
    );
    expect(JSON.stringify(log.json())).not.toContain(OIDC_CLIENT.clientSecret);
    const renamed = await acme.signIn({ ...person, email: 'renamed@acme.example' });
    expect((await browser.sessionOf(renamed.cookie)).user.id).toBe(session.user.id);
    const successor = await acme.signIn(newPerson({ email: person.email }));
    expect([successor.answer.statusCode, successor.answer.body]).toEqual([
      403,
      expect.stringContaining('somebody else'),
    ]);
  });

  it('gets the role of their groups, and never that of an owner', async () => {
    const acme = await open({ groupsClaim: 'groups' });
    await acme.manage('PATCH', '/directory', {
      groupRoles: [{ group: 'Writers', role: 'editor' }],
    });
    const person = newPerson();
    const roleAfter = async (groups: string[] | string) => {
      const { cookie } = await acme.signIn({ ...person, groups });
      return (await browser.sessionOf(cookie)).organizations[0].role;
    };
    expect(await roleAfter(['Writers'])).toBe('editor');
    // Small letters, a letter of another script, a space, and a list in a text.
    for (const group of ['writers', 'Wrіters', 'Writers ', 'a,Writers'])
      expect(await roleAfter(group), group).toBe('viewer');
  });

  it('comes in with a verified address, or one that an owner trusts, of the chosen domains', async () => {
    const acme = await open({ emailDomains: ['acme.example'] });
    const refusalOf = async (person: ProviderPerson) => {
      const { answer, cookie } = await acme.signIn(person);
      expect((await browser.sessionOf(cookie)).user).toBeNull();
      return [answer.statusCode, /role="alert">([^<]*)/.exec(answer.body)?.[1]];
    };
    const { email_verified: _, ...unsaid } = newPerson();
    for (const person of [unsaid, newPerson({ email_verified: false })])
      expect(await refusalOf(person)).toEqual([403, expect.stringContaining('verified')]);
    for (const email of [
      'eve@evil.example',
      'eve@acme.example.evil.example',
      'eve@sub.acme.example',
    ])
      expect(await refusalOf(newPerson({ email }))).toEqual([
        403,
        expect.stringContaining('domain'),
      ]);
    await acme.change({ oidc: oidc({ emailDomains: ['acme.example'], trustsEmail: true }) });
    expect((await acme.signIn(unsaid)).answer.statusCode).toBe(303);
  });

  it('gets into no account that exists, unless its owner is signed in to it in this browser', async () => {
    const [acme, other] = [await open(), await open()];
    const member = await addMember(test, other.operator, 'owner');
    const person = newPerson({ email: member.email });
    const refused = await acme.signIn(person);
    expect([refused.answer.statusCode, refused.answer.body]).toEqual([
      403,
      expect.stringContaining('has an account here'),
    ]);
    const joined = await acme.signIn(person, member.headers.cookie);
    expect(joined.answer.statusCode, joined.answer.body).toBe(303);
    expect(await browser.statusIn(other.organizationId, joined.cookie)).toEqual([
      404,
      'organization_not_found',
    ]);
    const headers = { cookie: joined.cookie, origin: browser.origin };
    const account = await test.app.inject({ url: '/v1/auth/list-sessions', headers });
    expect(account.json().code).toBe('account_session_required');
  });

  it('leads only to pages of the dashboard', async () => {
    const acme = await open();
    const { email, ...person } = newPerson();
    for (const path of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/v1/session',
    ]) {
      const query = `?${new URLSearchParams({ redirect: path })}`;
      const { answer } = await acme.signIn({ ...person, email }, '', query);
      expect(answer.headers.location).toBe(`/dashboard/${acme.organizationId.toLowerCase()}`);
    }
  });
});

describe('an answer of an OpenID Connect provider', () => {
  it.each<[string, Forgery]>([
    ['that another key signed', { isForeign: true }],
    ['without a signature', { alg: 'none' }],
    ['signed with the secret of the client', { alg: 'HS256' }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['to another sign-in', { claims: { nonce: 'another' } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['for another person than the user information', { claims: { sub: 'another' } }],
  ])('is refused %s', async (_, forgery) => {
    const acme = await open();
    provider.setForgery(forgery);
    const { answer, cookie } = await acme.signIn(newPerson());
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      403,
      expect.stringContaining('html'),
    ]);
    expect((await browser.sessionOf(cookie)).user).toBeNull();
  });

  it('counts once, in the browser and for the organization of its sign-in, and for the provider as it was', async () => {
    const [acme, other] = [await open(), await open()];
    const { answer, address, jar } = await acme.signIn(newPerson());
    expect(answer.statusCode, answer.body).toBe(303);
    const elsewhere = address.replace(acme.organizationId, other.organizationId);
    for (const [url, cookie] of [
      [address, jar],
      [address, ''],
      [elsewhere, jar],
    ] as const)
      expect((await acme.back(url, cookie)).statusCode).toBe(403);
    const begun = await acme.begin();
    const next = await provider.signIn(String(begun.headers.location), newPerson());
    const cookies = cookiesAfter('', begun.headers['set-cookie']);
    // A sign-in that somebody else began, sent to this browser.
    const foreign = cookiesAfter('', (await acme.begin()).headers['set-cookie']);
    expect((await acme.back(next, foreign)).statusCode).toBe(403);
    await acme.change({ oidc: oidc({ groupsClaim: 'groups' }) });
    expect((await acme.back(next, cookies)).statusCode).toBe(403);
  });

  it('is missing on a page while the provider is down, and owners come in with a second factor', async () => {
    const acme = await open();
    const { owner, organizationId } = acme;
    const { cookie } = await acme.signIn(newPerson({ email: owner.email }), owner.headers.cookie);
    await browser.protect(owner.userId);
    const headers = { cookie, origin: browser.origin };
    const required = await acme.change({ required: true }, headers);
    expect(required.statusCode, required.body).toBe(200);
    const down = await acme.change({ oidc: oidc({ issuer: 'http://127.0.0.1:9' }) }, headers);
    // Another provider is required only after it has signed the owner in.
    expect(down.json().errors).toMatchObject([{ path: '/required' }]);
    await test.deps.database.queries
      .updateTable('organization_sign_ins')
      .set({ oidc: sql`jsonb_set(oidc, '{issuer}', '"http://127.0.0.1:9"')` })
      .where('organization_id', '=', organizationId)
      .execute();
    const page = await acme.begin();
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      503,
      expect.stringContaining('html'),
    ]);
    const other = await addMember(test, acme.operator, 'owner');
    await browser.protect(other.userId);
    expect(await browser.statusIn(organizationId, other.headers.cookie)).toEqual([200, undefined]);
  });
});

describe('the OpenID Connect provider of an organization', () => {
  it('takes the place of one of SAML, which ends the sessions of that', async () => {
    const acme = await open();
    const { cookie } = await acme.signIn(newPerson());
    const both = await acme.change({ saml: { metadata: saml.metadata } });
    expect(both.json().errors).toMatchObject([{ path: '/saml' }]);
    const changed = await acme.change({ saml: { metadata: saml.metadata }, oidc: null });
    expect(changed.json()).toMatchObject({ oidc: null, saml: { entityId: saml.entityId } });
    expect((await browser.statusIn(acme.organizationId, cookie))[0]).toBe(401);
    const late = await acme.back(`${browser.origin}${acme.url}/oidc?code=x`, '');
    expect(late.statusCode).toBe(403);
  });

  it('never shows its secret, keeps it for the same client, and wants another for another', async () => {
    const acme = await open();
    const { clientSecret: _, ...client } = oidc();
    const kept = await acme.change({ oidc: { ...client, groupsClaim: 'groups' } });
    expect(kept.json().oidc).toEqual({
      issuer: provider.issuer,
      clientId: OIDC_CLIENT.clientId,
      hasSecret: true,
      scopes: ['openid', 'profile', 'email'],
      groupsClaim: 'groups',
      groupsDelimiter: null,
      emailDomains: [],
      trustsEmail: false,
      changedAt: expect.any(String),
    });
    expect((await acme.signIn(newPerson())).answer.statusCode).toBe(303);
    const other = await acme.change({ oidc: { ...client, clientId: 'another' } });
    expect(other.json().errors).toMatchObject([{ path: '/oidc/clientSecret' }]);
    const clear = await acme.change({ oidc: oidc({ issuer: 'http://id.example.com' }) });
    expect(clear.json().errors).toMatchObject([{ path: '/oidc/issuer' }]);
  });

  it('is chosen by owners alone', async () => {
    const acme = await open();
    const admin = await addMember(test, acme.operator, 'admin');
    expect((await acme.change({ oidc: null }, admin.headers)).json().code).toBe('role_missing');
  });
});
