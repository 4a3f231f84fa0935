import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserOf,
  cookiesAfter,
  managerOf,
} from '../../../../test/support/organization-sign-in.ts';
import { addMember } from '../../../../test/support/people.ts';
import { createSamlProvider, type SamlClaims } from '../../../../test/support/saml-provider.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { insertMember } from '../kernel/access/member-queries.ts';

let test: TestApp;
let count = 0;
const provider = createSamlProvider();
const foreign = createSamlProvider();

beforeAll(async () => {
  test = await openTestApp();
  ({ origin, sessionOf, statusIn, protect } = browserOf(test));
});
afterAll(() => test.close());

type Headers = Record<string, string>;
let origin: string;
let sessionOf: ReturnType<typeof browserOf>['sessionOf'];
let statusIn: ReturnType<typeof browserOf>['statusIn'];
let protect: ReturnType<typeof browserOf>['protect'];

/** An organization with an owner, whose people sign in with the provider. */
async function open(settings: object = {}) {
  const operator = await addOrganization(test);
  const owner = await addMember(test, operator, 'owner');
  const { organizationId } = operator;
  const { manage, change } = managerOf(test, owner.headers);
  const changed = await change({ saml: { metadata: provider.metadata, ...settings } });
  expect(changed.statusCode, changed.body).toBe(200);
  const url = `/v1/sign-in/${organizationId}`;
  const metadata = (await test.app.inject({ url: `${url}/metadata` })).body;
  const begin = (cookie = '') => test.app.inject({ url, headers: { cookie } });
  const post = (
    xml: string,
    cookie: string,
    relayState = 'docent',
    headers: Headers = { 'sec-fetch-site': 'same-origin' },
  ) =>
    test.app.inject({
      method: 'POST',
      url: `${url}/saml`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
      payload: new URLSearchParams({
        SAMLResponse: Buffer.from(xml).toString('base64'),
        RelayState: relayState,
        relayed: '1',
      }).toString(),
    });
  const signIn = async (
    claims: Partial<SamlClaims> = {},
    { cookie = '', from = provider, edit = (xml: string) => xml } = {},
  ) => {
    const begun = await begin(cookie);
    const jar = cookiesAfter(cookie, begun.headers['set-cookie']);
    const { xml } = await from.signIn(
      String(begun.headers.location),
      metadata,
      test.deps.clock.now(),
      claims,
    );
    const answer = await post(edit(xml), jar);
    return { answer, jar, xml, cookie: cookiesAfter(jar, answer.headers['set-cookie']) };
  };
  return { operator, organizationId, owner, manage, change, url, metadata, begin, post, signIn };
}

function freshEmail(): string {
  count += 1;
  return `saml${count}@acme.example`;
}

const claimsOf = (email: string): Partial<SamlClaims> => ({
  nameId: email,
  attributes: { email: [email] },
});

describe('a person of an organization', () => {
  it('joins and comes in with its provider of SAML, and the audit log says so', async () => {
    const acme = await open();
    const email = freshEmail();
    const { answer, cookie } = await acme.signIn({
      ...claimsOf(email),
      attributes: { email: [email.toUpperCase()], givenName: ['Ada'], sn: ['Lovelace'] },
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      `/dashboard/${acme.organizationId.toLowerCase()}`,
    ]);
    const session = await sessionOf(cookie);
    expect(session.user).toMatchObject({ email, name: 'Ada Lovelace', hasPassword: false });
    expect(session.organizations).toMatchObject([{ id: acme.organizationId, role: 'viewer' }]);
    expect(await statusIn(acme.organizationId, cookie)).toEqual([200, undefined]);
    const log = await test.app.inject({ url: '/v1/audit-log', headers: acme.owner.headers });
    expect(log.json().items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['changeOrganizationSignIn', 'connectSingleSignOn', 'signInWithSso']),
    );
    const again = await acme.signIn(claimsOf(email));
    expect((await sessionOf(again.cookie)).user.id).toBe(session.user.id);
    const renamed = await acme.signIn({ ...claimsOf(email), nameId: 'somebody-else' });
    expect([renamed.answer.statusCode, renamed.answer.body]).toEqual([
      403,
      expect.stringContaining('somebody else'),
    ]);
  });

  it('gets the role of their groups, without a directory, and never that of an owner', async () => {
    const acme = await open({ groupsAttribute: 'groups' });
    const groupRoles = [{ group: 'Writers', role: 'editor' }];
    await acme.manage('PATCH', '/directory', { groupRoles });
    const email = freshEmail();
    const roleAfter = async (groups: string[]) => {
      const { cookie } = await acme.signIn({
        nameId: email,
        attributes: { email: [email], groups },
      });
      return (await sessionOf(cookie)).organizations[0].role;
    };
    expect(await roleAfter(['Writers', 'writers'])).toBe('editor');
    expect(await roleAfter(['writers'])).toBe('viewer');
    const { email: ownerEmail } = acme.owner;
    const { cookie } = await acme.signIn({
      nameId: ownerEmail,
      attributes: { email: [ownerEmail], groups: ['x'] },
    });
    expect((await sessionOf(cookie)).organizations[0].role).toBe('owner');
  });

  it('comes in only when the directory has sent them, where there is one, and loses the session with the membership', async () => {
    const acme = await open();
    const { token } = (await acme.manage('POST', '/directory/token')).json();
    const email = freshEmail();
    const stranger = await acme.signIn(claimsOf(email));
    expect([stranger.answer.statusCode, stranger.answer.body]).toEqual([
      403,
      expect.stringContaining('directory'),
    ]);
    const scim = (method: 'POST' | 'PATCH', path: string, payload: object) =>
      test.app.inject({
        method,
        url: `/scim/v2/${path}`,
        headers: { authorization: `Bearer ${token}` },
        payload,
      });
    const sent = await scim('POST', 'Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
    });
    const { cookie, answer } = await acme.signIn(claimsOf(email));
    expect(answer.statusCode, answer.body).toBe(303);
    expect(await statusIn(acme.organizationId, cookie)).toEqual([200, undefined]);
    await scim('PATCH', `Users/${sent.json().id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    });
    expect((await statusIn(acme.organizationId, cookie))[0]).toBe(401);
    expect((await acme.signIn(claimsOf(email))).answer.statusCode).toBe(403);
  });

  it('is signed in no longer than the session of the provider lasts, however much they use it', async () => {
    const acme = await open();
    const email = freshEmail();
    const HOUR_MS = 3600_000;
    const end = new Date(Date.now() + HOUR_MS);
    const { cookie } = await acme.signIn({ ...claimsOf(email), sessionEnd: end });
    const { id } = (await sessionOf(cookie)).user;
    const { queries } = test.deps.database;
    const endsOf = async () => {
      const rows = queries.selectFrom('user_sessions').select('expires_at');
      return (await rows.where('user_id', '=', id).execute()).map(({ expires_at }) => expires_at);
    };
    expect(await endsOf()).toEqual([end]);
    // As if it were due to be renewed, as after two days: its next use renews it.
    await queries
      .updateTable('user_sessions')
      .set({ expires_at: new Date(Date.now() + 28 * 24 * HOUR_MS) })
      .where('user_id', '=', id)
      .execute();
    const bare = cookie.replace(/; [^;]*session_data=[^;]*/, '');
    expect(await statusIn(acme.organizationId, bare)).toEqual([200, undefined]);
    expect(await endsOf()).toEqual([end]);
    const past = await acme.signIn({
      ...claimsOf(email),
      sessionEnd: new Date(test.deps.clock.now().getTime() - HOUR_MS),
    });
    expect([past.answer.statusCode, past.answer.body]).toEqual([
      403,
      expect.stringContaining('ended the session'),
    ]);
  });
});

describe('the provider of an organization', () => {
  it('reaches nothing of a member but this organization: no other one, no account, no sessions', async () => {
    const [acme, other] = [await open(), await open()];
    const person = await addMember(test, acme.operator, 'editor');
    await insertMember(test.deps.database.queries, {
      organizationId: other.organizationId,
      userId: person.userId,
      role: 'owner',
      createdAt: test.deps.clock.now(),
    });
    const { cookie, answer } = await acme.signIn(claimsOf(person.email));
    expect(answer.statusCode, answer.body).toBe(303);
    expect((await sessionOf(cookie)).organizations.map(({ id }: { id: string }) => id)).toEqual([
      acme.organizationId,
    ]);
    expect(await statusIn(acme.organizationId, cookie)).toEqual([200, undefined]);
    expect(await statusIn(other.organizationId, cookie)).toEqual([404, 'organization_not_found']);
    const headers = { cookie, origin };
    for (const [method, url, payload] of [
      ['GET', '/v1/auth/list-sessions'],
      ['POST', '/v1/auth/revoke-other-sessions', {}],
      [
        'POST',
        '/v1/auth/change-password',
        { currentPassword: 'correct horse battery', newPassword: 'another long phrase' },
      ],
      ['POST', '/v1/auth/two-factor/enable', { password: 'correct horse battery' }],
      ['GET', '/v1/auth/passkey/generate-register-options'],
      ['POST', '/v1/auth/update-user', { name: 'Eve' }],
      ['GET', '/v1/auth/trusted-devices'],
    ] as const) {
      const refused = await test.app.inject({ method, url, headers, ...(payload && { payload }) });
      expect([refused.statusCode, refused.json().code], url).toEqual([
        403,
        'account_session_required',
      ]);
    }
    const out = await test.app.inject({
      method: 'POST',
      url: '/v1/auth/sign-out',
      headers,
      payload: {},
    });
    expect(out.statusCode).toBe(200);
    expect((await statusIn(acme.organizationId, cookie))[0]).toBe(401);
    expect(await statusIn(other.organizationId, person.headers.cookie)).toEqual([200, undefined]);
  });

  it('opens no account that exists elsewhere, unless its owner is signed in to it in this browser', async () => {
    const [acme, other] = [await open(), await open()];
    const person = await addMember(test, other.operator, 'owner');
    const refused = await acme.signIn(claimsOf(person.email));
    expect([refused.answer.statusCode, refused.answer.body]).toEqual([
      403,
      expect.stringContaining('has an account here'),
    ]);
    // A session of another provider proves nothing of the account.
    const theirs = await other.signIn(claimsOf(person.email));
    expect(
      (await acme.signIn(claimsOf(person.email), { cookie: theirs.cookie })).answer.statusCode,
    ).toBe(403);
    const joined = await acme.signIn(claimsOf(person.email), { cookie: person.headers.cookie });
    expect(joined.answer.statusCode, joined.answer.body).toBe(303);
    expect((await sessionOf(joined.cookie)).organizations).toMatchObject([
      { id: acme.organizationId, role: 'viewer' },
    ]);
  });

  it('is required of members, and owners come in with a second factor when it is down', async () => {
    const acme = await open();
    const { owner, organizationId } = acme;
    const editor = await addMember(test, acme.operator, 'editor');
    const require = (headers?: Headers) => acme.change({ required: true }, headers);
    expect((await require()).json().detail).toContain('Sign in through the provider once');
    const { cookie } = await acme.signIn(claimsOf(owner.email), { cookie: owner.headers.cookie });
    const headers = { cookie, origin };
    expect((await require(headers)).json().detail).toContain('two-factor');
    await protect(owner.userId);
    expect((await require(headers)).statusCode).toBe(200);
    expect(await statusIn(organizationId, editor.headers.cookie)).toEqual([
      403,
      'single_sign_on_required',
    ]);
    const admitted = await acme.signIn(claimsOf(editor.email));
    expect(await statusIn(organizationId, admitted.cookie)).toEqual([200, undefined]);
    const second = await addMember(test, acme.operator, 'owner');
    expect(await statusIn(organizationId, second.headers.cookie)).toEqual([
      403,
      'two_factor_required',
    ]);
    await protect(second.userId);
    expect(await statusIn(organizationId, second.headers.cookie)).toEqual([200, undefined]);
    const removed = await acme.change({ saml: null }, second.headers);
    expect(removed.json()).toMatchObject({ saml: null, required: false });
    expect((await statusIn(organizationId, admitted.cookie))[0]).toBe(401);
    expect(await statusIn(organizationId, editor.headers.cookie)).toEqual([200, undefined]);
    expect((await acme.begin()).statusCode).toBe(404);
  });

  it('is chosen by owners alone', async () => {
    const acme = await open();
    const admin = await addMember(test, acme.operator, 'admin');
    expect((await acme.change({ required: false }, admin.headers)).statusCode).toBe(403);
    expect((await acme.manage('GET', '/sign-in', undefined, admin.headers)).json()).toMatchObject({
      saml: { entityId: provider.entityId, signInUrl: provider.signInUrl },
      required: false,
      callbackUrl: `${test.deps.config.publicUrl}${acme.url}/saml`,
    });
  });
});

describe('an answer of a provider', () => {
  const minutes = (amount: number) => new Date(test.deps.clock.now().getTime() + amount * 60_000);
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
  const wrap = (build: (signed: string, evil: string) => string) => (xml: string) => {
    const signed = assertion.exec(xml)?.[0] ?? '';
    const evil = signed
      .replaceAll(/saml\d+@acme\.example/g, 'eve@evil.example')
      .replace(/ID="_assertion/, 'ID="_evil')
      .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '');
    return xml.replace(assertion, () => build(signed, evil));
  };

  it.each<[string, () => Partial<SamlClaims>, ((xml: string) => string)?]>([
    ['for another audience', () => ({ audience: 'https://other.example' })],
    ['for another address', () => ({ recipient: 'https://other.example/saml' })],
    ['of another issuer', () => ({ issuer: 'https://evil.example' })],
    ['that has expired', () => ({ notBefore: minutes(-20), notOnOrAfter: minutes(-10) })],
    ['to another request', () => ({ inResponseTo: '_other' })],
    [
      'without a signature',
      () => ({}),
      (xml) => xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, ''),
    ],
    [
      'with another name than the signed one',
      () => ({}),
      (xml) => xml.replaceAll('@acme.example', '@evil.example'),
    ],
    [
      'with an unsigned assertion before the signed one',
      () => ({}),
      wrap((signed, evil) => evil + signed),
    ],
    [
      'with the signed assertion inside another',
      () => ({}),
      wrap((signed, evil) => evil.replace('</saml:Issuer>', () => `</saml:Issuer>${signed}`)),
    ],
  ])('is refused %s', async (_, claims, edit) => {
    const acme = await open();
    const { answer, cookie } = await acme.signIn(
      { ...claimsOf(freshEmail()), ...claims() },
      edit && { edit },
    );
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      403,
      expect.stringContaining('html'),
    ]);
    expect((await sessionOf(cookie)).user).toBeNull();
  });

  it('is refused with a key of another provider, of another organization, or a second time', async () => {
    const [acme, other] = [await open(), await open()];
    const email = freshEmail();
    expect((await acme.signIn(claimsOf(email), { from: foreign })).answer.statusCode).toBe(403);
    const first = await acme.signIn(claimsOf(email));
    expect(first.answer.statusCode, first.answer.body).toBe(303);
    for (const again of [
      await acme.post(first.xml, first.jar),
      await other.post(first.xml, first.jar),
      await acme.post(first.xml, ''),
    ])
      expect(again.statusCode).toBe(403);
  });

  it('that nobody asked for, as from a tile of the provider, only begins a sign-in', async () => {
    const acme = await open();
    const begun = await acme.begin();
    const claims = { ...claimsOf(freshEmail()), inResponseTo: null };
    const address = String(begun.headers.location);
    const { xml } = await provider.signIn(address, acme.metadata, test.deps.clock.now(), claims);
    const unsolicited = await acme.post(xml, '', '', { 'sec-fetch-site': 'cross-site' });
    expect([unsolicited.statusCode, new URL(String(unsolicited.headers.location)).origin]).toEqual([
      303,
      new URL(provider.signInUrl).origin,
    ]);
    const jar = cookiesAfter('', unsolicited.headers['set-cookie']);
    expect((await sessionOf(jar)).user).toBeNull();
    expect((await acme.post(xml, jar)).statusCode).toBe(403);
  });

  it('is sent again by a page of ours, because browsers send no cookies with the form of another site', async () => {
    const acme = await open();
    const relay = await test.app.inject({
      method: 'POST',
      url: `${acme.url}/saml`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
      payload: 'SAMLResponse=abc&RelayState=docent',
    });
    expect([relay.statusCode, relay.headers['set-cookie']]).toEqual([200, undefined]);
    expect(relay.headers['content-security-policy']).toMatch(
      /form-action 'self';.*script-src 'sha256-/,
    );
    expect(relay.body).toContain('name="relayed"');
  });

  it('leads only to pages of the dashboard', async () => {
    const acme = await open();
    for (const path of ['https://evil.example', '//evil.example', '/v1/session', '/dashboardx']) {
      const begun = await test.app.inject({
        url: `${acme.url}?${new URLSearchParams({ redirect: path })}`,
      });
      const jar = cookiesAfter('', begun.headers['set-cookie']);
      const { xml } = await provider.signIn(
        String(begun.headers.location),
        acme.metadata,
        test.deps.clock.now(),
        claimsOf(freshEmail()),
      );
      expect((await acme.post(xml, jar)).headers.location).toBe(
        `/dashboard/${acme.organizationId.toLowerCase()}`,
      );
    }
  });
});
