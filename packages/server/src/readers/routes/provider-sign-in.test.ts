import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Forgery,
  OIDC_CLIENT,
  type ProviderPerson,
  startOidcProvider,
} from '../../../../../test/support/oidc-provider.ts';
import { addMember } from '../../../../../test/support/people.ts';
import { cookiesIn, openPrivateSite } from '../../../../../test/support/private-site.ts';
import { createHttpOutside } from '../../adapters/outside-files/http.ts';

type Site = Awaited<ReturnType<typeof openPrivateSite>>;

const ORIGIN = 'http://providers.localhost:3000';
const CALLBACK = `${ORIGIN}/login/oauth-callback`;
const outside = createHttpOutside({ allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange] });

let site: Site;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let count = 0;
/** Answers with the user object for an access token, as an information endpoint does. */
let information: Server;
let informationUrl: string;
let answer: { status: number; user: unknown };

beforeAll(async () => {
  provider = await startOidcProvider(CALLBACK, `${ORIGIN}/logout`);
  information = createServer((request, response) => {
    const isAuthorized = /^bearer \S+$/i.test(request.headers.authorization ?? '');
    response.writeHead(isAuthorized ? answer.status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.user));
  });
  information.listen(0, '127.0.0.1');
  await once(information, 'listening');
  informationUrl = `http://127.0.0.1:${(information.address() as AddressInfo).port}/user`;
  site = await openPrivateSite('providers', { outsideFiles: outside, outsideCalls: outside });
});
afterAll(async () => {
  await site.close();
  await provider.stop();
  information.close();
  information.closeAllConnections();
  await outside.close();
});

const oidc = (more: object = {}) => ({
  issuer: provider.issuer,
  ...OIDC_CLIENT,
  groupsClaim: 'groups',
  ...more,
});
beforeEach(async () => {
  provider.setForgery(undefined);
  answer = { status: 200, user: {} };
  await site.change({ visibility: 'private', oauth: null, oidc: oidc() });
});

const newPerson = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  count += 1;
  return {
    sub: `sub-${count}`,
    email: `ada-${count}@acme.example`,
    email_verified: true,
    name: 'Ada Lovelace',
    ...more,
  };
};
const begin = (kind: 'oidc' | 'oauth' = 'oidc', redirect = '/guides/install?a=1') =>
  site.visit(`/login/${kind}?${new URLSearchParams({ redirect })}`);
const back = (address: string, headers: Record<string, string>) => {
  const { pathname, search } = new URL(address);
  return site.visit(pathname + search, headers);
};

/** Signs in as a browser does. */
async function signIn(person: ProviderPerson, kind: 'oidc' | 'oauth' = 'oidc') {
  const begun = await begin(kind);
  expect(begun.statusCode, begun.body).toBe(303);
  const address = await provider.signIn(String(begun.headers.location), person);
  return back(address, cookiesIn(begun.headers));
}

/** Returns the reader whom a response signed in. */
async function readerOf(response: Awaited<ReturnType<typeof signIn>>) {
  expect([response.statusCode, response.headers.location], response.body).toEqual([
    303,
    '/guides/install?a=1',
  ]);
  const { cookie } = cookiesIn(response.headers);
  expect((await site.visit('/guides/install', { cookie })).statusCode).toBe(200);
  const [, token = ''] = /docent-reader-\w+=([\w-]+)/.exec(cookie) ?? [];
  return { cookie, reader: (await site.deps.readerSessions.find(site.siteId, token))?.reader };
}

describe('a reader with OpenID Connect', () => {
  it('is sent to the provider with PKCE, a state and a nonce, and back to where they wanted to go', async () => {
    const away = await site.visit('/login?redirect=%2Fguides%2Finstall');
    expect([away.statusCode, away.headers.location]).toEqual([
      303,
      '/login/oidc?redirect=%2Fguides%2Finstall',
    ]);
    const begun = await begin();
    const { origin, searchParams } = new URL(String(begun.headers.location));
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThan(20);
    expect(String(begun.headers['set-cookie'])).toMatch(
      /Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    for (const name of ['state', 'nonce'])
      expect(String(begun.headers['set-cookie'])).not.toContain(searchParams.get(name));
    const person = newPerson({ groups: ['staff', 'partners'] });
    const { reader } = await readerOf(await signIn(person));
    expect(reader).toMatchObject({
      id: `oidc:${provider.issuer}|${person.sub}`,
      groups: ['staff', 'partners'],
      content: { name: 'Ada Lovelace', email: person.email },
    });
    const { items } = (await site.call('GET', 'reader-sessions')).json();
    expect(items[0]).toMatchObject({
      method: 'oidc',
      name: person.email,
      groups: ['staff', 'partners'],
    });
  });

  it('has the groups of a text with a delimiter, and those of the information endpoint, with what pages know', async () => {
    await site.change({ oidc: oidc({ groupsDelimiter: ',', informationUrl }) });
    answer.user = {
      groups: ['beta'],
      content: { firstName: 'Ada' },
      expiresAt: Math.floor(site.deps.clock.now().getTime() / 1000) + 60,
    };
    const response = await signIn(newPerson({ groups: 'staff, partners' }));
    expect(cookiesIn(response.headers).cookie).toContain('docent-reader');
    const { reader } = await readerOf(response);
    expect(reader?.groups).toEqual(['staff', 'partners', 'beta']);
    expect(reader?.content).toMatchObject({ firstName: 'Ada' });
    site.deps.clock.advance(61);
    expect((await site.visit('/guides/install', cookiesIn(response.headers))).statusCode).toBe(303);
  });

  it('needs an address of an allowed domain, which the provider does not doubt', async () => {
    await site.change({ oidc: oidc({ emailDomains: ['acme.example'] }) });
    await readerOf(await signIn(newPerson()));
    for (const more of [
      { email: 'eve@evil.example' },
      { email: 'eve@evil.acme.example' },
      { email_verified: false },
    ]) {
      const refused = await signIn(newPerson(more));
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining('not let in'),
      ]);
    }
  });

  it.each<[string, Forgery]>([
    ['is signed with another key', { isForeign: true }],
    ['has no signature', { alg: 'none' }],
    ['is signed with the secret of the client', { alg: 'HS256' }],
    ['is for another client', { claims: { aud: 'other' } }],
    ['is of another provider', { claims: { iss: 'https://evil.example' } }],
    ['is for another sign-in', { claims: { nonce: 'other' } }],
    ['has expired', { claims: { exp: 1 } }],
    ['is of another person than the access token', { claims: { sub: 'other' } }],
  ])('is refused if the ID token %s', async (_, forgery) => {
    provider.setForgery(forgery);
    const refused = await signIn(newPerson());
    expect([refused.statusCode, cookiesIn(refused.headers).cookie]).toEqual([403, '']);
    expect(refused.body).toContain('The sign-in failed');
  });

  it('ends the sign-in only in the browser that began it, once, in time, and for the same provider', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const address = await provider.signIn(String(mine.headers.location), newPerson());
    for (const headers of [
      {},
      cookiesIn(theirs.headers),
      { cookie: `docent-sign-in-${site.siteId.toLowerCase()}=forged` },
    ]) {
      const refused = await back(address, headers as Record<string, string>);
      expect([refused.statusCode, cookiesIn(refused.headers).cookie]).toEqual([403, '']);
    }
    await readerOf(await back(address, cookiesIn(mine.headers)));
    expect((await back(address, cookiesIn(mine.headers))).body).toContain('used before');
    const slow = await begin();
    const late = await provider.signIn(String(slow.headers.location), newPerson());
    site.deps.clock.advance(601);
    expect((await back(late, cookiesIn(slow.headers))).body).toContain('took too long');
    const changed = await begin();
    const former = await provider.signIn(String(changed.headers.location), newPerson());
    await site.change({ oidc: oidc({ scopes: ['openid', 'email'] }) });
    expect((await back(former, cookiesIn(changed.headers))).statusCode).toBe(403);
  });

  it('reads why the provider refused, without a session', async () => {
    const begun = await begin();
    const state = new URL(String(begun.headers.location)).searchParams.get('state');
    const refused = await back(
      `${CALLBACK}?${new URLSearchParams({ error: 'access_denied', state: state ?? '', iss: provider.issuer })}`,
      cookiesIn(begun.headers),
    );
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      expect.stringContaining('the provider says access_denied'),
    ]);
  });

  it('is signed out by another client, not by an address for signing out, which leads to the provider', async () => {
    const { cookie } = await readerOf(await signIn(newPerson()));
    await site.change({ oidc: oidc({ clientSecret: undefined }) });
    expect((await site.visit('/guides/install', { cookie })).statusCode).toBe(200);
    await site.change({ oidc: oidc({ logoutUrl: `${provider.issuer}/session/end` }) });
    expect((await site.visit('/guides/install', { cookie })).statusCode).toBe(303);
    const again = { cookie: (await readerOf(await signIn(newPerson()))).cookie };
    const left = await site.send('/logout', {}, again);
    expect([left.statusCode, left.headers.location]).toEqual([
      303,
      `${provider.issuer}/session/end`,
    ]);
    expect((await site.visit('/guides/install', again)).statusCode).toBe(303);
  });

  it('signs out of the provider too, which knows where to lead back to', async () => {
    await site.change({ oidc: oidc({ endsSession: true }) });
    const { cookie } = await readerOf(await signIn(newPerson()));
    const left = await site.send('/logout', {}, { cookie });
    const address = new URL(String(left.headers.location));
    expect([left.statusCode, address.origin, Object.fromEntries(address.searchParams)]).toEqual([
      303,
      provider.issuer,
      { client_id: OIDC_CLIENT.clientId, post_logout_redirect_uri: `${ORIGIN}/logout` },
    ]);
    const page = await fetch(address);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')]);
    address.searchParams.set('post_logout_redirect_uri', 'https://evil.example/');
    expect((await fetch(address)).status).toBe(400);
    const back = await site.visit('/logout', {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    });
    expect(back.body).toContain('You are signed out');
    // While the provider cannot be reached, the reader is signed out of the site.
    const again = await readerOf(await signIn(newPerson()));
    await site.deps.database.queries
      .updateTable('site_access')
      .set({ methods: sql`jsonb_set(methods, '{oidc,issuer}', '"http://127.0.0.1:1"')` })
      .where('site_id', '=', site.siteId)
      .execute();
    const offline = await site.send('/logout', {}, { cookie: again.cookie });
    expect([offline.statusCode, offline.headers.location]).toEqual([200, undefined]);
    expect((await site.visit('/guides/install', { cookie: again.cookie })).statusCode).toBe(303);
  });

  it('is asked before a page elsewhere signs them out, by a form whose policy allows the way to the provider', async () => {
    const { cookie } = await readerOf(await signIn(newPerson()));
    const asked = await site.visit('/logout', {
      cookie,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    });
    expect(asked.body).toContain('Sign out of this site?');
    expect(asked.headers['content-security-policy']).toContain('form-action http: https:');
  });

  it('is sent to the address of the site first, where the provider leads back to', async () => {
    const { queries } = site.deps.database;
    const forget = () => {
      site.deps.liveSites.invalidate(site.siteId);
      site.deps.clock.advance(5);
    };
    await queries
      .insertInto('site_hostnames')
      .values({ hostname: 'docs.acme.example', site_id: site.siteId })
      .execute();
    try {
      forget();
      const begun = await begin();
      expect(begun.headers.location).toBe(
        'https://docs.acme.example/login/oidc?redirect=%2Fguides%2Finstall%3Fa%3D1',
      );
    } finally {
      await queries.deleteFrom('site_hostnames').where('site_id', '=', site.siteId).execute();
      forget();
    }
  });
});

describe('a reader with OAuth 2', () => {
  const oauth = (more: object = {}) => ({
    authorizationUrl: `${provider.issuer}/auth`,
    tokenUrl: `${provider.issuer}/token`,
    informationUrl,
    ...OIDC_CLIENT,
    scopes: ['openid'],
    parameters: { prompt: 'login' },
    ...more,
  });

  it('is described by the information endpoint alone', async () => {
    await site.change({ oidc: null, oauth: oauth() });
    answer.user = {
      id: 7,
      email: 'ada@acme.example',
      groups: ['staff'],
      content: { firstName: 'Ada' },
    };
    const begun = await begin('oauth');
    expect(new URL(String(begun.headers.location)).searchParams.get('prompt')).toBe('login');
    const { reader } = await readerOf(await signIn(newPerson(), 'oauth'));
    expect(reader).toMatchObject({
      id: `oauth:${provider.issuer}/token|7`,
      groups: ['staff'],
      content: { firstName: 'Ada' },
    });
  });

  it.each<[string, () => void]>([
    ['refuses', () => (answer = { status: 403, user: {} })],
    ['does not say who it is', () => (answer = { status: 200, user: { ok: true } })],
    ['is no object', () => (answer = { status: 200, user: 'Ada' })],
    [
      'has groups that are none',
      () => (answer = { status: 200, user: { id: 1, groups: 'staff' } }),
    ],
    [
      'says too much',
      () => (answer = { status: 200, user: { id: 1, content: { text: 'x'.repeat(300_000) } } }),
    ],
  ])('is refused if the information endpoint %s', async (_, prepare) => {
    await site.change({ oidc: null, oauth: oauth() });
    prepare();
    const refused = await signIn(newPerson(), 'oauth');
    expect([refused.statusCode, cookiesIn(refused.headers).cookie]).toEqual([403, '']);
  });

  it('chooses by the hosts of the providers where there are several', async () => {
    await site.change({ oauth: oauth() });
    const { body } = await site.visit('/login');
    expect(body).toContain(`Continue with ${new URL(provider.issuer).host}`);
    expect(
      [...body.matchAll(/href="\/login\/(oidc|oauth)\?redirect=%2F"/g)].map(([, kind]) => kind),
    ).toEqual(['oidc', 'oauth']);
  });
});

describe('the settings of a provider', () => {
  it('contain its secret encrypted, and never return it', async () => {
    expect((await site.call('GET', 'access')).json().oidc).toMatchObject({
      issuer: provider.issuer,
      hasSecret: true,
    });
    expect((await site.call('GET', 'access')).body).not.toContain(OIDC_CLIENT.clientSecret);
    const stored = await site.deps.database.queries.selectFrom('site_access').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(OIDC_CLIENT.clientSecret);
  });

  it('send no secret to another provider than the one that it was entered for', async () => {
    const refused = await site.call('PATCH', 'access', {
      oidc: oidc({ issuer: 'https://evil.example', clientSecret: undefined }),
    });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([
      400,
      '/oidc/clientSecret',
    ]);
  });

  it.each([
    [{ issuer: 'http://id.acme.example' }, '/oidc/issuer'],
    [{ issuer: 'http://[2001:db8::1]' }, '/oidc/issuer'],
    [{ informationUrl: 'http://api.acme.example/user' }, '/oidc/informationUrl'],
    [{ issuer: 'javascript:alert(1)' }, '/oidc/issuer'],
    [{ scopes: ['email'] }, '/oidc/scopes'],
    [{ unknown: 1 }, '/oidc'],
  ])('are refused at their place: %j', async (more, path) => {
    const refused = await site.call('PATCH', 'access', { oidc: oidc(more) });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, path]);
  });

  it('lead readers nowhere while the provider is of another issuer, cannot be reached, or must not be', async () => {
    for (const issuer of [
      `${provider.issuer}/other`,
      'http://127.0.0.1:1',
      'https://169.254.169.254',
      'http://10.0.0.1',
    ]) {
      await site.change({ oidc: oidc({ issuer }) });
      const refused = await begin();
      expect([issuer, refused.statusCode, refused.headers['set-cookie']]).toEqual([
        issuer,
        403,
        undefined,
      ]);
      expect(refused.body).toContain('role="alert"');
    }
  });
});

describe('a member of the organization', () => {
  it('signs in with an address from the dashboard, once, for a minute, and only while they are a member', async () => {
    await site.change({ oidc: null, members: {} });
    const { userId, headers } = await addMember(site.test, site.operator, 'viewer');
    const away = await site.visit('/login/members?redirect=%2Fguides%2Finstall');
    expect(String(away.headers.location)).toMatch(
      /\/dashboard\/[a-z0-9]+\/providers\/read\?path=%2Fguides%2Finstall$/,
    );
    const opened = async () => {
      const url = '/v1/projects/providers/access/open?path=%2Fguides%2Finstall%3Fa%3D1';
      return (await site.app.inject({ url, headers })).json().url as string;
    };
    const address = await opened();
    const response = await back(address, {});
    const { cookie, reader } = await readerOf(response);
    expect(reader?.id).toBe(`member:${userId}`);
    expect((await back(address, {})).statusCode).toBe(403);
    const late = await opened();
    site.deps.clock.advance(61);
    expect((await back(late, {})).statusCode).toBe(403);
    expect((await back(late.replace(/token=[^&]+/, 'token=forged'), {})).statusCode).toBe(403);
    await site.deps.database.queries.deleteFrom('members').where('user_id', '=', userId).execute();
    site.deps.clock.advance(3);
    expect((await site.visit('/guides/install', { cookie })).statusCode).toBe(303);
  });

  it('gets the address of the page alone where members do not sign in so, and as a key', async () => {
    await site.change({ members: {} });
    expect((await site.call('GET', 'access/open?path=//evil.example')).json()).toEqual({
      url: `${ORIGIN}/`,
    });
    await site.change({ members: null });
    const { headers } = await addMember(site.test, site.operator, 'viewer');
    expect(
      (await site.app.inject({ url: '/v1/projects/providers/access/open', headers })).json(),
    ).toEqual({ url: `${ORIGIN}/` });
  });
});
