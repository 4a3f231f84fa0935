import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookiesIn, openPrivateSite } from '../../../../../test/support/private-site.ts';
import { createSamlProvider, type SamlClaims } from '../../../../../test/support/saml-provider.ts';

const ORIGIN = 'http://assertions.localhost:3000';
const CALLBACK = `${ORIGIN}/login/saml-callback`;
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

const provider = createSamlProvider();
const foreign = createSamlProvider();
let site: Awaited<ReturnType<typeof openPrivateSite>>;
let metadata: string;

beforeAll(async () => {
  site = await openPrivateSite('assertions');
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.change({
    visibility: 'private',
    saml: { metadata: provider.metadata, groupsAttribute: 'groups' },
  });
  metadata = (await site.visit('/login/saml-metadata')).body;
});

const begin = () =>
  site.visit(`/login/saml?${new URLSearchParams({ redirect: '/guides/install?a=1' })}`);
const encode = (xml: string) => Buffer.from(xml).toString('base64');

/** Sends the form of the provider as its page in the browser does, and then the page of the site. */
async function post(xml: string, cookies: { cookie: string }, more: Record<string, string> = {}) {
  const SAMLResponse = encode(xml);
  const relay = await site.send(
    '/login/saml-callback',
    { SAMLResponse, ...more },
    { origin: 'https://idp.acme.example', 'sec-fetch-site': 'cross-site' },
  );
  expect(relay.statusCode, relay.body).toBe(200);
  expect(relay.body).toContain(`name="SAMLResponse" value="${SAMLResponse}"`);
  return site.send('/login/saml-callback', { SAMLResponse, relayed: '1' }, cookies);
}

/** Signs in as a browser does; what comes back may be changed on the way. */
async function signIn(
  claims: Partial<SamlClaims> = {},
  change: (xml: string) => string = (xml) => xml,
  from = provider,
) {
  const begun = await begin();
  expect(begun.statusCode, begun.body).toBe(303);
  const address = String(begun.headers.location);
  const { xml } = await from.signIn(address, metadata, site.deps.clock.now(), claims);
  return post(change(xml), cookiesIn(begun.headers));
}

/** Returns the reader whom a response signed in; undefined if it refused. */
async function readerOf(response: Awaited<ReturnType<typeof signIn>>) {
  const { cookie } = cookiesIn(response.headers);
  const [, token = ''] = /docent-reader-\w+=([\w-]+)/.exec(cookie) ?? [];
  return (await site.deps.readerSessions.find(site.siteId, token))?.reader;
}

/** Expects no session, and an explanation. */
async function expectRefusal(response: Awaited<ReturnType<typeof signIn>>, reason?: string) {
  expect([response.statusCode, cookiesIn(response.headers).cookie]).toEqual([403, '']);
  expect(response.body).toContain(reason ?? 'The sign-in failed');
  expect(await readerOf(response)).toBeUndefined();
}

describe('a reader with SAML', () => {
  it('is sent to the provider by a request that it reads, and back to where they wanted to go', async () => {
    const away = await site.visit('/login?redirect=%2Fguides%2Finstall');
    expect(away.headers.location).toBe('/login/saml?redirect=%2Fguides%2Finstall');
    const begun = await begin();
    const address = new URL(String(begun.headers.location));
    expect(`${address.origin}${address.pathname}`).toBe('https://idp.acme.example/sso');
    expect(address.searchParams.get('tenant')).toBe('acme');
    const { xml, action } = await provider.signIn(address.href, metadata, site.deps.clock.now(), {
      attributes: {
        groups: ['staff', 'partners'],
        mail: ['ada@acme.example'],
        givenName: ['Ada'],
      },
      nameId: 'u-17',
    });
    expect(action).toBe(CALLBACK);
    const response = await post(xml, cookiesIn(begun.headers), {
      RelayState: 'https://evil.example/',
    });
    expect([response.statusCode, response.headers.location], response.body).toEqual([
      303,
      '/guides/install?a=1',
    ]);
    expect(await readerOf(response)).toMatchObject({
      id: `saml:${provider.entityId}|u-17`,
      groups: ['staff', 'partners'],
      content: { email: 'ada@acme.example', firstName: 'Ada' },
    });
    expect((await site.visit('/guides/install', cookiesIn(response.headers))).statusCode).toBe(200);
    const { items } = (await site.call('GET', 'reader-sessions')).json();
    expect(items[0]).toMatchObject({ method: 'saml', name: 'ada@acme.example' });
  });

  it('stays signed in no longer than the provider says', async () => {
    const sessionEnd = new Date(site.deps.clock.now().getTime() + 3_600_000);
    const response = await signIn({ sessionEnd });
    expect((await readerOf(response))?.expiresAt).toEqual(sessionEnd);
  });

  it('needs an address of an allowed domain, also if a comment hides its end', async () => {
    const saml = { metadata: provider.metadata, emailDomains: ['acme.example'] };
    await site.change({ saml });
    expect(await readerOf(await signIn())).toBeDefined();
    const nameId = 'ada@acme.example.evil.example';
    const split = (xml: string) => xml.replace('acme.example.evil', 'acme.example<!-- -->.evil');
    await expectRefusal(await signIn({ nameId }, split), 'not let in');
    await site.change({ saml: { ...saml, emailDomains: [] } });
    expect((await readerOf(await signIn({ nameId }, split)))?.id).toMatch(
      /\|ada@acme.example.evil.example$/,
    );
  });

  it.each<[string, () => Partial<SamlClaims>]>([
    ['for another site', () => ({ audience: 'https://other.example/login/saml-metadata' })],
    [
      'for the address of another site',
      () => ({ recipient: 'https://evil.example/login/saml-callback' }),
    ],
    ['for another sign-in', () => ({ inResponseTo: '_other' })],
    ['for no sign-in', () => ({ inResponseTo: null })],
    ['of another provider', () => ({ issuer: 'https://evil.example' })],
    ['for the holder of a key', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' })],
    [
      'that has expired',
      () => ({ notOnOrAfter: new Date(site.deps.clock.now().getTime() - 61_000) }),
    ],
    [
      'that is not valid yet',
      () => ({ notBefore: new Date(site.deps.clock.now().getTime() + 61_000) }),
    ],
    ['that can be used now only as long as half a day ago', () => ({ notOnOrAfter: new Date(0) })],
  ])('is refused with a signed assertion %s', async (_, claims) => {
    await expectRefusal(await signIn(claims()));
  });

  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/;
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
  /** An assertion about Eve with a name of its own, and without a signature. */
  const evilOf = (signed: string) =>
    signed
      .replace(signature, '')
      .replace('ada@acme.example', 'eve@evil.example')
      .replace(/ID="_a/, 'ID="_evil');
  const wrap =
    (build: (parts: { signed: string; evil: string; sign: string }) => string) => (xml: string) => {
      const signed = assertion.exec(xml)?.[0] ?? '';
      const sign = signature.exec(signed)?.[0] ?? '';
      return xml.replace(assertion, () => build({ signed, evil: evilOf(signed), sign }));
    };
  const afterIssuer = (evil: string, added: string) =>
    evil.replace('</saml:Issuer>', () => `</saml:Issuer>${added}`);

  it.each<[string, (xml: string) => string]>([
    ['no signature', (xml) => xml.replace(signature, '')],
    [
      'another name than the signed one',
      (xml) => xml.replace('ada@acme.example', 'eve@evil.example'),
    ],
    ['the algorithm none', (xml) => xml.replace(/(SignatureMethod Algorithm=")[^"]*/, '$1none')],
    [
      'an HMAC with the certificate',
      (xml) =>
        xml.replace(
          /(SignatureMethod Algorithm=")[^"]*/,
          '$1http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
    ],
    ['an empty signature', (xml) => xml.replace(/(<ds:SignatureValue>)[^<]*/, '$1')],
    [
      'a document type',
      (xml) =>
        `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replace('ada@', '&x;@')}`,
    ],
    [
      'entities that grow',
      (xml) =>
        `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'
          .split('')
          .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`)
          .join('')}]>${xml.replace('ada@', '&i;@')}`,
    ],
    ['another assertion before the signed one', wrap(({ signed, evil }) => evil + signed)],
    ['another assertion after the signed one', wrap(({ signed, evil }) => signed + evil)],
    ['the signed one inside another one', wrap(({ signed, evil }) => afterIssuer(evil, signed))],
    [
      'the signed one inside another one of the same name',
      wrap(({ signed, evil }) => afterIssuer(evil.replace('_evil', '_a'), signed)),
    ],
    [
      'the signature moved to another one, with the signed one as its object',
      wrap(({ signed, evil, sign }) =>
        afterIssuer(
          evil,
          sign.replace(
            '</ds:Signature>',
            () => `<ds:Object>${signed.replace(signature, '')}</ds:Object></ds:Signature>`,
          ),
        ),
      ),
    ],
    [
      'the signed one in the extensions, and another one with its signature',
      (xml) =>
        wrap(({ evil, sign }) => afterIssuer(evil, sign))(xml).replace(
          '</saml:Issuer><samlp:Status>',
          () =>
            `</saml:Issuer><samlp:Extensions>${assertion.exec(xml)?.[0].replace(signature, '')}</samlp:Extensions><samlp:Status>`,
        ),
    ],
    [
      'elements inside each other without end',
      (xml) => `${'<a>'.repeat(20_000)}${xml}${'</a>'.repeat(20_000)}`,
    ],
    ['no XML', () => 'hello'],
  ])('is refused with %s', async (_, change) => {
    await expectRefusal(await signIn({}, change));
  });

  it('is refused with a signature of another key, although its certificate is beside it, and with SHA-1', async () => {
    await expectRefusal(await signIn({}, undefined, foreign));
    const old = createSamlProvider(SHA1);
    await site.change({ saml: { metadata: old.metadata } });
    await expectRefusal(await signIn({}, undefined, old), 'SHA-256');
  });

  it('is never somebody else than the one whom the provider signed, wherever another assertion is added', async () => {
    const added = (xml: string) =>
      xml.replace(
        '</saml:Issuer><samlp:Status>',
        () =>
          `</saml:Issuer><samlp:Extensions>${evilOf(assertion.exec(xml)?.[0] ?? '')}</samlp:Extensions><samlp:Status>`,
      );
    expect((await readerOf(await signIn({}, added)))?.id).toMatch(/\|ada@acme.example$/);
  });

  it('signs in once with an answer, in the browser that began, in time, and with the same provider', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const now = () => site.deps.clock.now();
    const { xml } = await provider.signIn(String(mine.headers.location), metadata, now(), {});
    await expectRefusal(await post(xml, { cookie: '' }), 'did not begin in this browser');
    await expectRefusal(await post(xml, cookiesIn(theirs.headers)));
    expect(await readerOf(await post(xml, cookiesIn(mine.headers)))).toBeDefined();
    await expectRefusal(await post(xml, cookiesIn(mine.headers)), 'used before');
    const slow = await begin();
    site.deps.clock.advance(601);
    const late = await provider.signIn(String(slow.headers.location), metadata, now(), {});
    await expectRefusal(await post(late.xml, cookiesIn(slow.headers)), 'took too long');
    const changed = await begin();
    const former = await provider.signIn(String(changed.headers.location), metadata, now(), {});
    await site.change({ saml: { metadata: provider.metadata, groupsAttribute: 'roles' } });
    await expectRefusal(await post(former.xml, cookiesIn(changed.headers)), 'did not begin');
  });

  it('is not signed in by a form of another site, which no page sends again twice', async () => {
    const begun = await begin();
    const { xml } = await provider.signIn(
      String(begun.headers.location),
      metadata,
      site.deps.clock.now(),
      {},
    );
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const form = { SAMLResponse: encode(xml) };
    const relay = await site.send('/login/saml-callback', form, elsewhere);
    expect(relay.headers['set-cookie']).toBeUndefined();
    expect(relay.headers['content-security-policy']).toMatch(
      /form-action 'self';.*script-src 'sha256-/,
    );
    const again = await site.send('/login/saml-callback', { ...form, relayed: '1' }, elsewhere);
    expect([again.statusCode, cookiesIn(again.headers).cookie]).toEqual([403, '']);
    const large = await site.send('/login/saml-callback', { SAMLResponse: 'A'.repeat(300_000) });
    expect(large.statusCode).toBe(413);
  });

  it('goes where the owner says after signing out', async () => {
    const logoutUrl = 'https://idp.acme.example/logout';
    await site.change({ saml: { metadata: provider.metadata, logoutUrl } });
    const left = await site.send('/logout', {}, cookiesIn((await signIn()).headers));
    expect([left.statusCode, left.headers.location]).toEqual([303, logoutUrl]);
  });
});

describe('the settings of a provider of SAML', () => {
  const settings = () => ({
    entityId: provider.entityId,
    signInUrl: provider.signInUrl,
    certificates: [provider.certificate],
  });

  it('are read from its metadata, and are the same as those that are entered', async () => {
    const { saml, addresses } = (await site.call('GET', 'access')).json();
    expect(saml).toMatchObject({ ...settings(), groupsAttribute: 'groups' });
    expect(new Date(saml.certificatesEndAt) > new Date()).toBe(true);
    expect(addresses).toMatchObject({
      samlCallback: CALLBACK,
      samlMetadata: `${ORIGIN}/login/saml-metadata`,
    });
    const response = await signIn();
    const cookies = cookiesIn(response.headers);
    await site.change({ saml: { ...settings(), groupsAttribute: 'groups' } });
    await site.change({ saml: { groupsAttribute: 'groups' } });
    expect((await site.visit('/guides/install', cookies)).statusCode).toBe(200);
    await site.change({ saml: { ...settings(), certificates: [foreign.certificate] } });
    expect((await site.visit('/guides/install', cookies)).statusCode).toBe(303);
    expect(await readerOf(await signIn({}, undefined, foreign))).toBeDefined();
  });

  it.each<[string, () => object, string]>([
    ['http', () => ({ ...settings(), signInUrl: 'http://idp.acme.example/sso' }), 'signInUrl'],
    ['a script', () => ({ ...settings(), signInUrl: 'javascript:alert(1)' }), 'signInUrl'],
    ['no certificate', () => ({ ...settings(), certificates: ['hello'] }), 'certificates'],
    ['no XML', () => ({ metadata: 'hello' }), 'metadata'],
    ['a document type', () => ({ metadata: `<!DOCTYPE a>${provider.metadata}` }), 'metadata'],
    ['metadata of a site', () => ({ metadata }), 'metadata'],
    [
      'another binding',
      () => ({ metadata: provider.metadata.replace('HTTP-Redirect', 'HTTP-POST') }),
      'metadata',
    ],
    ['too much', () => ({ metadata: ' '.repeat(300_000) }), 'metadata'],
  ])('are refused at their place with %s', async (_, saml, field) => {
    const refused = await site.call('PATCH', 'access', { saml: saml() });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, `/saml/${field}`]);
  });

  it('need a provider the first time', async () => {
    await site.change({ password: { password: 'correct horse battery' }, saml: null });
    const refused = await site.call('PATCH', 'access', { saml: { groupsAttribute: 'groups' } });
    expect(refused.json().errors[0].path).toBe('/saml/metadata');
    await site.change({ saml: settings(), password: null });
  });
});
