import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookiesIn, openPrivateSite } from '../../../../../test/support/private-site.ts';
import { createHttpOutside } from '../../adapters/outside-files/http.ts';

/*
 * The servers that the documentation of the hosted service has its customers write, with other
 * addresses and nothing else: what works there works here.
 */

const SLUG = 'moved';
const DOCS = `http://${SLUG}.localhost:3000`;
const outside = createHttpOutside({ allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange] });

type Handler = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

let site: Awaited<ReturnType<typeof openPrivateSite>>;
let handle: Handler;
let owner: string;
const server = createServer((request, response) =>
  Promise.resolve(handle(new URL(request.url ?? '', owner), request, response)).catch((error) =>
    response.writeHead(500).end(String(error)),
  ),
);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site = await openPrivateSite(SLUG, { outsideFiles: outside, outsideCalls: outside });
});
afterAll(async () => {
  await site.close();
  server.close();
  server.closeAllConnections();
  await outside.close();
});

const now = () => site.deps.clock.now().getTime();
const TWO_WEEKS_MS = 14 * 24 * 3600 * 1000;
/** What the examples say of their user. */
const user = () => ({
  expiresAt: Math.floor((now() + TWO_WEEKS_MS) / 1000),
  groups: ['engineering', 'admin'],
  content: { firstName: 'Jane', lastName: 'Doe' },
  apiPlaygroundInputs: { header: { 'X-Api-Key': 'a key of the user' } },
});

/** Follows redirects of the owner's server and of the site, until a page. */
async function open(address: string) {
  const jar = new Map<string, string>();
  let next = new URL(address, DOCS);
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const { location, cookies, page } =
      next.origin === DOCS ? await onSite(next, cookie) : await atOwner(next);
    for (const [name = '', value = ''] of cookies.map((pair) => pair.split('=')))
      jar.set(name, value);
    if (location === undefined) return { path: next.pathname + next.search, page, jar };
    next = new URL(location, next);
  }
  throw new Error(`Too many redirects, to ${next}.`);
}

async function onSite(url: URL, cookie: string) {
  const visit = () => site.visit(url.pathname + url.search, { cookie });
  // The page at the callback sends the token from the fragment, which servers do not see.
  const answer =
    url.pathname === '/login/jwt-callback'
      ? await site.send(url.pathname, {
          token: url.hash.slice(1),
          redirect: /name="redirect" value="([^"]*)"/.exec((await visit()).body)?.[1] ?? '',
        })
      : await visit();
  const location = answer.headers.location && String(answer.headers.location);
  const cookies = cookiesIn(answer.headers).cookie.split('; ').filter(Boolean);
  return { location, cookies, page: answer.body };
}

async function atOwner(url: URL) {
  const answer = await fetch(url, { redirect: 'manual' });
  const page = await answer.text();
  expect(answer.status, page).toBeLessThan(400);
  return { location: answer.headers.get('location') ?? undefined, cookies: [], page };
}

/** Checks that a reader sees the page that was requested, and what the session knows. */
async function expectReader({ path, page, jar }: Awaited<ReturnType<typeof open>>, method: string) {
  expect([path, page.includes('apt-get')]).toEqual(['/guides/install', true]);
  const [, token = ''] = [...jar].find(([name]) => name.startsWith('docent-reader-')) ?? [];
  const session = await site.deps.readerSessions.find(site.siteId, token);
  const { expiresAt: _, ...facts } = user();
  // The site ends it after a week at the latest.
  const expiresAt = new Date(now() + TWO_WEEKS_MS / 2);
  expect(session).toMatchObject({ method, reader: { ...facts, expiresAt } });
}

describe('the example for tokens', () => {
  const start = async (tokenOf: (key: string) => Promise<string> | string) => {
    const created = await site.call('POST', 'access/jwt-key', {});
    const { privateKey } = created.json();
    await site.change({ visibility: 'private', oauth: null, jwt: { loginUrl: `${owner}/login` } });
    handle = async (url, _request, response) => {
      const redirect = url.searchParams.get('redirect');
      const query = redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`;
      const location = `${DOCS}/login/jwt-callback${query}#${await tokenOf(privateKey)}`;
      response.writeHead(302, { location }).end();
    };
  };

  it('signs in with its key, its library and ten seconds, and leads back to the page', async () => {
    await start(async (privateKey) =>
      new SignJWT(user())
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime(Math.floor(now() / 1000) + 10)
        .sign(await importPKCS8(privateKey, 'EdDSA')),
    );
    await expectReader(await open('/guides/install'), 'jwt');
  });

  it('signs in with the library of another language, which writes the header otherwise, and names the host', async () => {
    await start((privateKey) => {
      const exp = Math.floor(now() / 1000) + 10;
      const payload = { exp, host: new URL(DOCS).host, ...user() };
      const unsigned = [{ typ: 'JWT', alg: 'EdDSA' }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign(null, Buffer.from(unsigned), createPrivateKey(privateKey));
      return `${unsigned}.${signature.toString('base64url')}`;
    });
    await expectReader(await open('/guides/install'), 'jwt');
  });

  it('signs in with the key pair that the site had there', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    await start(() =>
      new SignJWT(user())
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime(Math.floor(now() / 1000) + 10)
        .sign(privateKey),
    );
    const publicKey = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' });
    await site.change({ jwt: { loginUrl: `${owner}/login`, publicKey: String(publicKey) } });
    await expectReader(await open('/guides/install'), 'jwt');
  });
});

describe('the example for OAuth 2', () => {
  it('signs in with its addresses, scope and user object, which has no id', async () => {
    const requests: string[] = [];
    handle = async (url, request, response) => {
      requests.push(`${request.method} ${url.pathname}`);
      const json = (status: number, value: object) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(value));
      if (url.pathname === '/authorization') {
        const { scope, response_type: type, client_id: id } = Object.fromEntries(url.searchParams);
        expect([scope, type, id]).toEqual(['docs-user-info', 'code', 'docs']);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        expect(back.href).toBe(`${DOCS}/login/oauth-callback`);
        back.searchParams.set('code', 'the code');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        return response.writeHead(302, { location: back.href }).end();
      }
      if (url.pathname === '/exchange') {
        const form = Object.fromEntries(new URLSearchParams(await text(request)));
        const { grant_type: grant, code, client_id: id, client_secret: secret } = form;
        const isRight = [grant, code, id, secret].join() === 'authorization_code,the code,docs,s3';
        const token = { access_token: 'an access token', token_type: 'Bearer', expires_in: 600 };
        return isRight ? json(200, token) : json(400, { error: 'invalid_grant' });
      }
      const isUser = request.headers.authorization === 'Bearer an access token';
      return isUser ? json(200, user()) : json(401, {});
    };
    await site.change({
      visibility: 'private',
      jwt: null,
      oauth: {
        authorizationUrl: `${owner}/authorization`,
        tokenUrl: `${owner}/exchange`,
        informationUrl: `${owner}/docs/user-info`,
        clientId: 'docs',
        clientSecret: 's3',
        scopes: ['docs-user-info'],
      },
    });
    await expectReader(await open('/guides/install'), 'oauth');
    expect(requests).toEqual(['GET /authorization', 'POST /exchange', 'GET /docs/user-info']);
  });
});
