import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readBundleManifest } from '@docent/format/exports/bundle-manifest.ts';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleServers } from '../support/bundle-servers.ts';
import { sharedBundle, type TestBundle } from '../support/exported-bundle.ts';
import { OIDC_CLIENT, startOidcProvider } from '../support/oidc-provider.ts';
import { createSamlProvider } from '../support/saml-provider.ts';
import type { RunningBundleServer } from '../support/start-bundle-server.ts';
import { freePort, removeTemporaryFolders, temporaryFolder } from '../support/start-docent.ts';

const PASSWORD = 'correct horse battery';
const BROWSER = { accept: 'text/html' };
const servers = bundleServers();
let bundle: TestBundle;
beforeAll(async () => {
  bundle = await sharedBundle('first');
});
afterEach(() => servers.closeAll());
afterAll(removeTemporaryFolders);

interface Options {
  base?: string;
  port?: number;
  cache?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** Serves the bundle to readers who sign in. */
async function serve(access: object, { base = '', args = [], env, ...more }: Options = {}) {
  const port = more.port ?? (await freePort());
  const file = join(await temporaryFolder(), 'access.json');
  writeFileSync(file, JSON.stringify(access));
  const server = await servers.serve(bundle.file, {
    ...(more.cache !== undefined && { cache: more.cache }),
    args: ['--port', String(port), '--access', file, '--base-path', base, ...args],
    env: { DOCENT_PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
  });
  await server.serves();
  return { ...server, port };
}

function send(server: RunningBundleServer, path: string, form: Record<string, string>, more = {}) {
  return fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(server.url).origin, ...more },
    body: new URLSearchParams(form),
  });
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .filter((cookie) => !cookie?.endsWith('='))
    .join('; ');

async function withPassword(server: RunningBundleServer, password = PASSWORD) {
  return send(server, '/login', { password, redirect: '/guides/start' });
}

const statusAs = async (server: RunningBundleServer, cookie: string, path = '/guides/start') =>
  (await server.get(path, { ...BROWSER, cookie })).status;

describe('a bundle whose readers sign in', () => {
  test('shows nobody a byte of it at any address, and a reader all of it', async () => {
    const base = '/docs';
    const args = ['--assistant', '--analytics', '--playground-proxy'];
    const server = await serve({ password: { password: PASSWORD } }, { base, args });
    const signIn = await withPassword(server);
    expect([signIn.status, signIn.headers.get('location')]).toEqual([303, '/docs/guides/start']);
    const cookie = cookieOf(signIn);
    const text = readFileSync(join(server.cache, 'bundles', `${bundle.sha256}.json`), 'utf8');
    const files = readBundleManifest(text).files.map(({ path }) => `/${path}`);
    const pages = ['/', '/guides/start', '/guides/start.md', '/old', '/missing', '/mcp'];
    const more = ['/_docent/services.json', '/_docent/assistant/settings', '/sitemap.xml'];
    expect(files.some((path) => path.startsWith('/_docent/search'))).toBe(true);
    for (const path of [...pages, ...more, ...files]) {
      const [program, browser, agent] = await Promise.all([
        server.get(path),
        server.get(path, BROWSER),
        server.get(path, { accept: 'text/markdown' }),
      ]);
      expect([path, program.status, browser.status, agent.status]).toEqual([path, 401, 303, 401]);
      expect(browser.headers.get('location')).toMatch(/^\/docs\/login/);
      for (const answer of [program, browser, agent]) {
        expect(answer.headers.get('cache-control')).toMatch(/no-store/);
        expect(await answer.text()).not.toContain('first edition');
      }
    }
    for (const path of files.filter((name) => !/^\/(?:_redirects|_hosting|\.)/.test(name))) {
      const answer = await server.get(path, { cookie });
      expect([path, answer.status]).toEqual([path, path === '/404.html' ? 200 : answer.status]);
      expect(answer.status).toBeLessThan(400);
      expect(answer.headers.get('cache-control')).toMatch(/private|no-store/);
      await answer.arrayBuffer();
    }
  });

  test('asks for the sign-in before it answers questions, searches, events and agents', async () => {
    const args = ['--assistant', '--analytics', '--playground-proxy'];
    const server = await serve({ password: { password: PASSWORD } }, { args });
    const cookie = cookieOf(await withPassword(server));
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'install?' }] }];
    const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const posts: [path: string, body: object][] = [
      ['/_docent/assistant/message', { fp: 'a', messages }],
      ['/_docent/assistant/feedback', { threadId: 'none', helpful: true }],
      ['/v2/assistant/acme/message', { fp: 'a', messages }],
      [
        '/v1/assistant/acme/message',
        { fp: 'a', messages: [{ role: 'user', content: 'install?' }] },
      ],
      ['/v1/search/acme', { query: 'install' }],
      ['/discovery/v1/search/acme', { query: 'install' }],
      ['/v1/page/acme', { path: 'guides/start' }],
      ['/mcp', listing],
      ['/_docent/events', { events: [] }],
    ];
    const post = async (path: string, body: object, more: Record<string, string> = {}) => {
      const answer = await fetch(server.url + path, {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', ...own, ...more },
        body: JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };
    for (const [path, body] of posts) {
      const nobody = await post(path, body);
      expect([path, nobody.status]).toEqual([path, 401]);
      expect(nobody.text).not.toContain('first edition');
      expect([path, (await post(path, body, { cookie })).status]).not.toEqual([path, 401]);
    }
    expect((await post('/v1/search/acme', { query: 'install' }, { cookie })).text).toContain(
      'Start',
    );
  });

  test('keeps sessions over a restart; a sign-out, another password and another key end them', async () => {
    const access = { password: { password: PASSWORD } };
    const first = await serve(access);
    const [ada, eve] = [cookieOf(await withPassword(first)), cookieOf(await withPassword(first))];
    const out = await send(first, '/logout', {}, { cookie: ada });
    expect(out.status).toBe(200);
    expect([await statusAs(first, ada), await statusAs(first, eve)]).toEqual([303, 200]);
    await first.kill();
    const { cache, port } = first;
    const again = await serve(access, { cache, port });
    expect([await statusAs(again, ada), await statusAs(again, eve)]).toEqual([303, 200]);
    const [name = '', value = ''] = eve.split('=');
    const changed = `${name}=${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(await statusAs(again, changed)).toBe(303);
    await again.kill();
    const other = await serve({ password: { password: 'another password' } }, { cache, port });
    expect(await statusAs(other, eve)).toBe(303);
    const env = { DOCENT_SECRET: 'another secret of this server, of 32' };
    await other.kill();
    const elsewhere = await serve(access, { cache, port, env });
    expect(await statusAs(elsewhere, eve)).toBe(303);
  });

  test('refuses wrong passwords, forms of other pages, and more attempts than the platform', async () => {
    const server = await serve({ password: { password: PASSWORD } });
    const form = { password: PASSWORD };
    const foreign = await send(server, '/login', form, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const away = { ...form, redirect: 'https://evil.example/' };
    expect((await send(server, '/login', away)).headers.get('location')).toBe('/');
    const statuses: number[] = [];
    while (statuses.length < 30 && !statuses.includes(429))
      statuses.push((await withPassword(server, 'wrong password')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([403, 429]);
  });

  test('takes tokens of a key on disk once, of its groups only, and with calls of the API', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const loginUrl = 'https://acme.example/sign-in';
    const access = { groups: ['staff'], jwt: { loginUrl, publicKey: pem } };
    const server = await serve(access, { args: ['--assistant'] });
    const { host } = new URL(server.url);
    const seconds = Math.floor(Date.now() / 1000);
    let count = 0;
    const token = (claims: object, key = privateKey) =>
      new SignJWT({ host, groups: ['staff'], jti: String(count++), ...claims })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime(seconds + 30)
        .sign(key);
    const away = await server.get('/login?redirect=%2Fguides%2Fstart', BROWSER);
    expect(await away.text()).toContain(`href="${loginUrl}?redirect=%2Fguides%2Fstart"`);
    const take = async (text: string) =>
      send(server, '/login/jwt-callback', { token: text, redirect: '/guides/start' });
    const good = await token({});
    const signIn = await take(good);
    expect([signIn.status, await statusAs(server, cookieOf(signIn))]).toEqual([303, 200]);
    const other = generateKeyPairSync('ed25519').privateKey;
    const refused = [good, await token({ groups: ['guests'] }), await token({ groups: [] })];
    refused.push(await token({ host: 'evil.example' }), await token({}, other));
    for (const text of refused) expect((await take(text)).status).toBe(403);
    const search = async (text: string) => {
      const headers = { 'content-type': 'application/json', 'x-reader-token': text };
      const body = JSON.stringify({ query: 'install' });
      return (await fetch(`${server.url}/v1/search/acme`, { method: 'POST', headers, body }))
        .status;
    };
    expect(await search(await token({}))).toBe(200);
    expect(await search(await token({ groups: ['guests'] }))).toBe(401);
    expect(await search(await token({}, other))).toBe(401);
  });

  test('lets readers in by OpenID Connect, of the groups that its operator names', async () => {
    const port = await freePort();
    const provider = await startOidcProvider(`http://127.0.0.1:${port}/login/oauth-callback`);
    try {
      const oidc = { issuer: provider.issuer, ...OIDC_CLIENT, groupsClaim: 'groups' };
      const env = { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' };
      const server = await serve({ groups: ['staff'], oidc }, { port, env });
      const signIn = async (groups: string[]) => {
        const begun = await server.get('/login/oidc?redirect=%2Fguides%2Fnext', BROWSER);
        const person = { sub: groups.join(), email: 'ada@acme.example', groups };
        const back = await provider.signIn(begun.headers.get('location') ?? '', person);
        const cookie = cookieOf(begun);
        const answer = await fetch(back, { redirect: 'manual', headers: { ...BROWSER, cookie } });
        return { answer, back, cookie };
      };
      const { answer, back, cookie } = await signIn(['staff']);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/guides/next']);
      expect(await statusAs(server, cookieOf(answer))).toBe(200);
      const replay = await fetch(back, { redirect: 'manual', headers: { ...BROWSER, cookie } });
      expect(replay.status).toBe(403);
      const guest = await signIn(['guests']);
      expect(guest.answer.status).toBe(403);
      expect(await guest.answer.text()).toContain('none of the groups');
    } finally {
      await provider.stop();
    }
  });

  test('lets readers in by OAuth 2, of the groups that the information endpoint says', async () => {
    const port = await freePort();
    const provider = await startOidcProvider(`http://127.0.0.1:${port}/login/oauth-callback`);
    let groups = ['staff'];
    const information = createServer((request, response) => {
      const isUser = /^bearer \S+$/i.test(request.headers.authorization ?? '');
      response.writeHead(isUser ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ groups }));
    });
    information.listen(0, '127.0.0.1');
    await once(information, 'listening');
    try {
      const oauth = {
        authorizationUrl: `${provider.issuer}/auth`,
        tokenUrl: `${provider.issuer}/token`,
        informationUrl: `http://127.0.0.1:${(information.address() as AddressInfo).port}/user`,
        ...OIDC_CLIENT,
        scopes: ['openid'],
      };
      const env = { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' };
      const server = await serve({ groups: ['staff'], oauth }, { port, env });
      const signIn = async () => {
        const begun = await server.get('/login/oauth?redirect=%2Fguides%2Fnext', BROWSER);
        const person = { sub: 'ada', email: 'ada@acme.example' };
        const back = await provider.signIn(begun.headers.get('location') ?? '', person);
        const cookie = cookieOf(begun);
        return fetch(back, { redirect: 'manual', headers: { ...BROWSER, cookie } });
      };
      const answer = await signIn();
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/guides/next']);
      expect(await statusAs(server, cookieOf(answer))).toBe(200);
      groups = ['guests'];
      const guest = await signIn();
      expect([guest.status, await statusAs(server, cookieOf(guest))]).toEqual([403, 303]);
    } finally {
      await provider.stop();
      information.close();
      information.closeAllConnections();
    }
  });

  test('lets readers in by SAML once for each assertion, of the groups that its operator names', async () => {
    const provider = createSamlProvider();
    const saml = { metadata: provider.metadata, groupsAttribute: 'groups' };
    const server = await serve({ groups: ['staff'], saml });
    const metadata = await (await server.get('/login/saml-metadata')).text();
    const begin = async (groups: string[]) => {
      const begun = await server.get('/login/saml?redirect=%2Fguides%2Fnext', BROWSER);
      const address = begun.headers.get('location') ?? '';
      const attributes = { groups };
      const { xml } = await provider.signIn(address, metadata, new Date(), { attributes });
      const form = { SAMLResponse: Buffer.from(xml).toString('base64'), relayed: '1' };
      return () => send(server, '/login/saml-callback', form, { cookie: cookieOf(begun) });
    };
    const finish = await begin(['staff']);
    const answer = await finish();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/guides/next']);
    expect(await statusAs(server, cookieOf(answer))).toBe(200);
    expect((await finish()).status).toBe(403);
    const guest = await (await begin(['guests']))();
    expect(guest.status).toBe(403);
    expect(await guest.text()).toContain('none of the groups');
  });

  test('does not start with settings that would let nobody or everybody in, and says why', async () => {
    const start = (text: string, env: Record<string, string> = {}) =>
      servers.serve(bundle.file, {
        env: { DOCENT_BUNDLE_ACCESS: text, DOCENT_PUBLIC_URL: 'http://localhost:3000', ...env },
      });
    const password = JSON.stringify({ password: { password: PASSWORD } });
    // bundle-readers.test.ts has the others that are refused.
    const cases: [text: string, message: string, env?: Record<string, string>][] = [
      ['{}', 'names no way to sign in'],
      [password, 'DOCENT_BUNDLE_ACCESS needs it', { DOCENT_PUBLIC_URL: '' }],
      [password, 'its path must be DOCENT_BASE_PATH', { DOCENT_PUBLIC_URL: 'http://localhost/x' }],
    ];
    for (const [text, message, env] of cases)
      await expect(start(text, env)).rejects.toThrow(message);
  });
});
