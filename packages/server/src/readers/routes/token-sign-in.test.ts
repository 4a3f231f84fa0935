import {
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../../test/support/declared.ts';
import { fixtureSite } from '../../../../../test/support/http.ts';
import { addMember } from '../../../../../test/support/people.ts';
import { cookiesIn, openPrivateSite } from '../../../../../test/support/private-site.ts';
import { addKey } from '../../../../../test/support/test-app.ts';
import { OutsideFault, type OutsideFiles } from '../../ports/outside-files.ts';

type Site = Awaited<ReturnType<typeof openPrivateSite>>;

const SET = 'https://id.acme.example/keys';
const ed25519 = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();

let folder: string;
let site: Site;
/** The set of keys at its address. */
let keys: object[] | undefined;
let fetches = 0;
const outsideFiles: OutsideFiles = {
  async fetch(url) {
    fetches += 1;
    if (!keys || url !== SET) throw new OutsideFault('refused', `${url} must not be fetched.`);
    return { url, type: 'application/json', bytes: Buffer.from(JSON.stringify({ keys })) };
  },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-'));
  cpSync(fixtureSite('basic'), folder, { recursive: true });
  writeFileSync(
    join(folder, 'guides/personal.mdx'),
    `---
title: Personal
---

Hello {user.content?.firstName ?? 'reader'}!

<Card title={\`Plan \${user.content?.plan ?? 'free'}\`}>card</Card>

{user.groups?.includes('beta') && <Card title="Betaonly" href="/guides/install">card</Card>}

<Visibility groups={['beta']}>

\`\`\`js
const hidden = 'betaonly';
\`\`\`

</Visibility>
`,
  );
  writeFileSync(
    join(folder, 'orders.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      servers: [
        {
          url: 'https://{region}.api.acme.example',
          variables: { region: { default: 'us', enum: ['us', 'eu'] } },
        },
      ],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
      paths: {
        '/orders/{id}': {
          get: {
            summary: 'Read an order',
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { name: 'limit', in: 'query', schema: { type: 'integer' } },
              { name: 'X-Tenant', in: 'header', schema: { type: 'string' } },
            ],
            responses: {},
          },
        },
      },
    }),
  );
  writeFileSync(
    join(folder, 'guides/call.mdx'),
    '---\ntitle: Call\nopenapi: orders.json GET /orders/{id}\n---\n',
  );
  site = await openPrivateSite('tokens', { outsideFiles }, folder);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  keys = undefined;
  await site.change({
    visibility: 'private',
    jwt: { loginUrl: 'https://acme.example/sign-in?a=1', publicKey: pem(ed25519.publicKey) },
  });
});

const seconds = () => Math.floor(site.deps.clock.now().getTime() / 1000);
interface TokenOptions {
  key?: KeyObject | Uint8Array;
  header?: { alg: string; kid?: string };
  lifetime?: number;
}
/** Signs a token as the owner's sign-in page does. */
const tokenOf = (
  user: object,
  { key = ed25519.privateKey, header = { alg: 'EdDSA' }, lifetime = 10 }: TokenOptions = {},
) =>
  new SignJWT({ nonce: randomUUID(), ...user })
    .setProtectedHeader(header)
    .setExpirationTime(seconds() + lifetime)
    .sign(key);
const enter = (token: string, redirect = '/guides/install') =>
  site.send('/login/jwt-callback', { token, redirect });
const search = (headers: Record<string, string>) =>
  site.app.inject({
    method: 'POST',
    url: `/v1/search/${site.slug}`,
    headers,
    payload: { query: 'install' },
  });

describe('a page that knows its reader', () => {
  const readers = {
    ada: { groups: ['beta'], content: { firstName: 'Ada <b>', plan: 'pro' } },
    bob: { groups: ['sales'], content: { firstName: 'Bob' } },
  };
  const page = '/guides/personal';
  const signIn = async (user: object) => cookiesIn((await enter(await tokenOf(user))).headers);

  it.each(['private', 'public'])(
    'is filled in for each reader of a %s site, and for nobody else',
    async (visibility) => {
      await site.change({ visibility });
      const [ada, bob] = [await signIn(readers.ada), await signIn(readers.bob)];
      // Twice, so that an answer from a cache would be noticed.
      for (const _ of [1, 2]) {
        const forAda = await site.visit(page, ada);
        expect(forAda.body).toContain('Hello Ada &lt;b&gt;!');
        expect(forAda.body).toContain('Plan pro');
        expect(forAda.body.match(/betaonly/gi)?.length).toBeGreaterThanOrEqual(2);
        expect(forAda.body).not.toContain('\u0001');
        expect(forAda.headers).toMatchObject({ 'cache-control': 'private, no-store' });
        expect(forAda.headers.etag).toBeUndefined();
        const forBob = await site.visit(page, bob);
        expect(forBob.body).toContain('Hello Bob!');
        expect(forBob.body).toContain('Plan free');
        expect(forBob.body).not.toMatch(/betaonly|Ada/i);
        const forNobody = await site.visit(page);
        expect(forNobody.statusCode).toBe(visibility === 'public' ? 200 : 303);
        expect(forNobody.body).not.toMatch(/betaonly|Ada|Bob/i);
        if (visibility === 'public') expect(forNobody.body).toContain('Hello reader!');
      }
    },
  );

  it('begins its form with the inputs of the session, for this reader only', async () => {
    const apiPlaygroundInputs = {
      server: { region: 'eu' },
      path: { id: 'o-7' },
      query: { limit: { no: 'number' }, other: 1 },
      header: { 'x-tenant': 'acme', authorization: 'Bearer secret</script><b>' },
    };
    const ada = await signIn({ ...readers.ada, apiPlaygroundInputs });
    const inputsOf = (body: string) => {
      const [, json = ''] = /data-playground>([^<]*)<\/script>/.exec(body) ?? [];
      return JSON.parse(json) as RequestInputs;
    };
    const forAda = await site.visit('/guides/call', ada);
    expect(forAda.headers['cache-control']).toBe('private, no-store');
    const { servers, parameters, security } = inputsOf(forAda.body);
    expect(servers[0]?.variables?.[0]?.value).toBe('eu');
    expect(parameters.map(({ name, shape }) => [name, shape.default])).toEqual([
      ['id', 'o-7'],
      ['limit', undefined],
      ['X-Tenant', 'acme'],
    ]);
    expect(security[0]?.[0]?.preset).toBe('secret</script><b>');
    expect(forAda.body).not.toContain('</script><b>');
    expect((await site.visit('/guides/call.md', ada)).body).not.toMatch(/o-7|secret/);
    const bob = await site.visit('/guides/call', await signIn(readers.bob));
    expect(inputsOf(bob.body).parameters.map(({ shape }) => shape.default)).toEqual(
      Array(3).fill(undefined),
    );
    await site.change({ visibility: 'public' });
    expect((await site.visit('/guides/call')).body).not.toMatch(/o-7|secret/);
  });

  it('names its reader in no text for programs, and not in search', async () => {
    const ada = await signIn(readers.ada);
    for (const path of [`${page}.md`, '/llms-full.txt'])
      expect((await site.visit(path, ada)).body, path).not.toMatch(/betaonly|Ada <|Ada &/i);
    const token = await tokenOf(readers.ada, { lifetime: 300 });
    const matches = await site.app.inject({
      method: 'POST',
      url: `/v1/search/${site.slug}`,
      headers: {
        ...(
          await addKey(site.test, site.operator, {
            kind: 'assistant',
            site: site.slug,
          })
        ).headers,
        'x-reader-token': token,
      },
      payload: { query: 'betaonly' },
    });
    expect(matches.statusCode).toBe(200);
    expect(matches.body).not.toMatch(/betaonly/i);
  });
});

describe('a reader with a token of the owner', () => {
  it('is sent to the sign-in page of the owner and back, with the session that the user object describes', async () => {
    const away = await site.visit('/guides/install');
    const form = await site.visit(String(away.headers.location));
    expect([form.statusCode, form.headers.location]).toEqual([
      303,
      'https://acme.example/sign-in?a=1&redirect=%2Fguides%2Finstall',
    ]);
    const user = {
      host: site.host,
      expiresAt: seconds() + 3600,
      groups: ['staff', ' partners '],
      content: { firstName: 'Ada' },
      apiPlaygroundInputs: { header: { 'X-Key': 'abc' } },
    };
    const entered = await enter(await tokenOf(user), '/guides/install?a=1');
    expect([entered.statusCode, entered.headers.location]).toEqual([303, '/guides/install?a=1']);
    expect(String(entered.headers['set-cookie'])).toContain('Max-Age=3600;');
    const reader = cookiesIn(entered.headers);
    expect((await site.visit('/guides/install', reader)).body).toContain('apt-get');
    const session = await site.deps.readerSessions.find(
      site.siteId,
      reader.cookie.split('=')[1] as string,
    );
    expect(session?.reader).toMatchObject({
      groups: ['staff', 'partners'],
      content: { firstName: 'Ada' },
      apiPlaygroundInputs: { header: { 'X-Key': 'abc' } },
      expiresAt: new Date(user.expiresAt * 1000),
    });
    site.deps.clock.advance(3600);
    expect((await site.visit('/guides/install', reader)).statusCode).toBe(303);
  });

  it('arrives at a page whose only script sends the token from the fragment to the site itself', async () => {
    const page = await site.visit('/login/jwt-callback?redirect=//evil.example');
    expect(page.body).toContain('name="redirect" value="/"');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    const script = /<script>(.*?)<\/script>/s.exec(page.body)?.[1] as string;
    expect(policy).toContain(
      `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['Ed25519', ed25519, 'EdDSA'],
    ['P-256', p256, 'ES256'],
    ['RSA', rsa, 'RS256'],
  ] as const)('is verified with a key of the kind %s, alone or in a set', async (_, pair, alg) => {
    await site.change({
      jwt: { publicKey: JSON.stringify(pair.publicKey.export({ format: 'jwk' })) },
    });
    const options = { key: pair.privateKey, header: { alg, kid: 'k1' } };
    expect((await enter(await tokenOf({}, options))).statusCode).toBe(303);
    await site.change({ jwt: { jwksUrl: SET } });
    keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1', alg }];
    site.deps.clock.advance(3600);
    expect((await enter(await tokenOf({}, options))).statusCode).toBe(303);
  });

  it('is verified with a key that was added to the set, which is read again at most every half minute', async () => {
    await site.change({ jwt: { jwksUrl: SET } });
    site.deps.clock.advance(3600);
    keys = [{ ...ed25519.publicKey.export({ format: 'jwk' }), kid: 'old', alg: 'EdDSA' }];
    expect(
      (await enter(await tokenOf({}, { header: { alg: 'EdDSA', kid: 'old' } }))).statusCode,
    ).toBe(303);
    keys = [{ ...p256.publicKey.export({ format: 'jwk' }), kid: 'new', alg: 'ES256' }];
    const signed = () =>
      tokenOf({}, { key: p256.privateKey, header: { alg: 'ES256', kid: 'new' } });
    fetches = 0;
    expect((await enter(await signed())).statusCode).toBe(403);
    expect(fetches).toBe(0);
    site.deps.clock.advance(31);
    expect((await enter(await signed())).statusCode).toBe(303);
    expect(fetches).toBe(1);
  });

  it('is refused clearly while the set of keys cannot be read, or must not be', async () => {
    await site.change({ jwt: { jwksUrl: 'https://169.254.169.254/keys' } });
    const answer = await enter(await tokenOf({}, { header: { alg: 'EdDSA', kid: 'k' } }));
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'dependency_unavailable']);
    const insecure = await site.call('PATCH', 'access', {
      jwt: { jwksUrl: 'http://keys.acme.example/set' },
    });
    expect([insecure.statusCode, insecure.json().errors[0].path]).toEqual([400, '/jwt/jwksUrl']);
  });

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['is signed with another key', () => tokenOf({}, { key: stranger.privateKey }), /not signed/],
    [
      'has no signature',
      async () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await tokenOf({})).split('.')[1]}.`,
      /not signed/,
    ],
    ['expires too late', () => tokenOf({}, { lifetime: 120 }), /more than 60 seconds/],
    ['has expired', () => tokenOf({}, { lifetime: -10 }), /expired/],
    [
      'never expires',
      () => new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(ed25519.privateKey),
      /not signed|form/,
    ],
    ['is for another site', () => tokenOf({ host: 'other.localhost:3000' }), /host/],
    [
      'describes a session that has ended',
      () => tokenOf({ expiresAt: seconds() - 1 }),
      /expiresAt/,
    ],
    ['describes its groups as a text', () => tokenOf({ groups: 'staff' }), /groups/],
    [
      'says too much',
      () => tokenOf({ content: { text: 'x'.repeat(17_000) } }),
      /larger than 16 KB/,
    ],
    ['cannot be stored', () => tokenOf({ content: { text: 'a\u0000' } }), /cannot be stored/],
    [
      'changes a prototype',
      () => tokenOf({ content: JSON.parse('{"a":{"__proto__":{"b":1}}}') }),
      /cannot be stored/,
    ],
    ['is none', () => 'token', /form/],
    ['is empty', () => '', /form/],
  ])('is refused with a token that %s', async (_, token, problem) => {
    const answer = await enter(await token());
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(answer.body).toMatch(problem);
  });

  it('is refused with a token that uses the public key as a shared secret', async () => {
    await site.change({ jwt: { publicKey: pem(rsa.publicKey) } });
    const [, payload] = (await tokenOf({})).split('.');
    const signed = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${payload}`;
    for (const secret of [pem(rsa.publicKey), pem(rsa.publicKey).trim()]) {
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect((await enter(`${signed}.${signature}`)).statusCode).toBe(403);
    }
    keys = [{ kty: 'oct', k: Buffer.from('secret').toString('base64url'), alg: 'HS256' }];
    await site.change({ jwt: { jwksUrl: SET } });
    site.deps.clock.advance(3600);
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(seconds() + 10)
      .sign(Buffer.from('secret'));
    expect((await enter(forged)).statusCode).toBe(403);
  });

  it('uses a token once, in any of its forms, also by its id', async () => {
    const token = await tokenOf({});
    expect((await enter(token)).statusCode).toBe(303);
    expect((await enter(token)).body).toContain('it was used before');
    await site.change({ jwt: { publicKey: pem(p256.publicKey) } });
    const options = { key: p256.privateKey, header: { alg: 'ES256' } };
    const signed = await tokenOf({}, options);
    expect((await enter(signed)).statusCode).toBe(303);
    expect((await enter(withOtherSignature(signed))).body).toContain('it was used before');
    expect((await enter(await tokenOf({ jti: 'once' }, options))).statusCode).toBe(303);
    expect((await enter(await tokenOf({ jti: 'once', groups: ['x'] }, options))).body).toContain(
      'it was used before',
    );
  });

  it('is not signed in by a form of another site', async () => {
    const answer = await site.send(
      '/login/jwt-callback',
      { token: await tokenOf({}) },
      { origin: 'https://evil.example' },
    );
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('chooses where there are several ways to sign in, and is asked nothing else where there is one', async () => {
    await site.change({ password: { password: 'correct horse battery' } });
    const both = await site.visit('/login');
    expect(both.statusCode).toBe(200);
    expect(both.body).toContain('href="https://acme.example/sign-in?a=1&amp;redirect=%2F"');
    expect(both.body).toContain('name="password"');
    await site.change({ password: null });
  });
});

describe('the key of a site', () => {
  it('is created on request: its private half is returned once, its sessions end with it', async () => {
    const before = cookiesIn((await enter(await tokenOf({}))).headers);
    const created = await site.call('POST', 'access/jwt-key');
    expect(created.statusCode).toBe(201);
    const { access, privateKey } = created.json();
    expect(access.jwt).toMatchObject({
      loginUrl: 'https://acme.example/sign-in?a=1',
      publicKey: expect.stringContaining('PUBLIC KEY'),
    });
    site.deps.clock.advance(2);
    expect((await site.visit('/guides/install', before)).statusCode).toBe(303);
    expect((await enter(await tokenOf({}))).statusCode).toBe(403);
    const after = await enter(await tokenOf({}, { key: createPrivateKey(privateKey) }));
    expect(after.statusCode).toBe(303);
    expect((await site.call('GET', 'access')).body).not.toContain('PRIVATE');
    const stored = await site.deps.database.queries.selectFrom('site_access').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('"d"');
    // Another address of the sign-in page ends nothing.
    await site.change({ jwt: { loginUrl: null } });
    expect((await site.visit('/guides/install', cookiesIn(after.headers))).statusCode).toBe(200);
  });

  it.each([
    [
      'a private key',
      ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      /private key/,
    ],
    ['a secret key', JSON.stringify(ed25519.privateKey.export({ format: 'jwk' })), /secret/],
    ['a shared secret', '{"kty":"oct","k":"c2VjcmV0"}', /secret/],
    ['a short key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /2048/],
    ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), /P-256/],
    ['no key', 'key', /PEM/],
  ])('cannot be %s', async (_, publicKey, problem) => {
    const answer = await site.call('PATCH', 'access', { jwt: { publicKey } });
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, '/jwt/publicKey']);
    expect(answer.json().errors[0].message).toMatch(problem);
  });
});

describe('a call of the API with the token of a reader', () => {
  it('is answered beside the key, again and again for an hour, and not without it', async () => {
    const { headers } = await addKey(site.test, site.operator, {
      kind: 'assistant',
      site: site.slug,
    });
    const token = await tokenOf({ host: site.host }, { lifetime: 3600 });
    expect((await search(headers)).json().code).toBe('sign_in_required');
    for (let time = 0; time < 2; time += 1)
      expect((await search({ ...headers, 'x-reader-token': token })).statusCode).toBe(200);
    expect((await search({ 'x-reader-token': token })).statusCode).toBe(401);
    expect((await enter(token)).body).toContain('more than 60 seconds');
    const markdown = await site.visit('/guides/install.md', {
      accept: 'text/markdown',
      'x-reader-token': token,
    });
    expect([markdown.statusCode, markdown.headers['cache-control']]).toEqual([
      200,
      'private, no-cache',
    ]);
    expect(markdown.headers.vary).toContain('x-reader-token');
    site.deps.clock.advance(3610);
    const past = await search({ ...headers, 'x-reader-token': token });
    expect([past.statusCode, past.json().detail]).toEqual([
      401,
      expect.stringContaining('expired'),
    ]);
  });

  it('is refused with a token that signed a browser in, or is for longer, or is for another site', async () => {
    const { headers } = await addKey(site.test, site.operator, {
      kind: 'assistant',
      site: site.slug,
    });
    const used = await tokenOf({});
    await enter(used);
    for (const token of [
      used,
      await tokenOf({}, { lifetime: 4000 }),
      await tokenOf({ host: 'other.example' }),
      'x',
    ])
      expect((await search({ ...headers, 'x-reader-token': token })).statusCode).toBe(401);
  });
});

/** Every signature (r, s) of ECDSA has another form (r, n - s) that is valid too. */
function withOtherSignature(token: string): string {
  const n = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ]);
  return `${header}.${payload}.${other.toString('base64url')}`;
}

describe('an admin who sees a site as a reader', () => {
  const PAGE = '/guides/personal';
  const request = (headers: Record<string, string>, groups: string[] = ['beta']) =>
    callDeclared(site.app, {
      method: 'POST',
      url: `/v1/projects/${site.slug}/access/views`,
      headers,
      payload: { groups, path: PAGE },
    });
  const follow = (address: string) => site.visit(address.slice(address.indexOf('/login/')));
  const openView = async (headers: Record<string, string>, groups?: string[]) => {
    const opened = await follow((await request(headers, groups)).json().url);
    expect(opened.statusCode, opened.body).toBe(303);
    expect(opened.headers.location).toBe(PAGE);
    return cookiesIn(opened.headers);
  };
  const admin = () => addMember(site.test, site.operator, 'admin');

  it('gets the pages of the groups, with a bar that says so and leads out, which no cache keeps', async () => {
    const cookies = await openView((await admin()).headers);
    const page = await site.visit(PAGE, cookies);
    expect(page.body).toContain('Betaonly');
    expect(page.body).toContain('You see this site as a reader of beta.');
    expect(page.headers['cache-control']).toBe('private, no-store');
    expect(page.headers.etag).toBeUndefined();
    const without = await openView((await admin()).headers, []);
    const plain = await site.visit('/guides/install', without);
    expect(plain.body).toContain('You see this site as a reader without groups.');
    const markdown = await site.visit('/guides/install.md', without);
    expect(markdown.body).not.toContain('You see this site');
    const hostile = await openView((await admin()).headers, ['<b>x']);
    expect((await site.visit(PAGE, hostile)).body).toContain('a reader of &lt;b&gt;x');
    const [action] = /(?<=action=")[^"]*logout/.exec(page.body) ?? [];
    expect((await site.send(action ?? '', {}, cookies)).statusCode).toBe(200);
    expect((await site.visit(PAGE, cookies)).statusCode).toBe(303);
  });

  it('is not counted by the analytics, as a reader is', async () => {
    const { analytics, database } = site.deps;
    const readPage = (more: Record<string, string>) =>
      site.app.inject({
        method: 'POST',
        url: '/_docent/events',
        headers: {
          host: site.host,
          origin: `http://${site.host}`,
          'content-type': 'text/plain;charset=UTF-8',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
          ...more,
        },
        payload: JSON.stringify({ v: 1, events: [{ t: 'page', at: 1000, path: PAGE }] }),
      });
    const counted = async () => {
      await analytics.flush();
      const { rows } = await database.execute(
        "SELECT count(*) AS views FROM analytics_events WHERE class = 'human'",
      );
      return Number(rows[0]?.views);
    };
    const before = await counted();
    expect((await readPage(await openView((await admin()).headers))).statusCode).toBe(204);
    expect(await counted()).toBe(before);
    const reader = { 'x-reader-token': await tokenOf({ groups: ['beta'] }) };
    expect((await readPage(reader)).statusCode).toBe(204);
    expect(await counted()).toBe(before + 1);
  });

  it('opens it once and for a minute, is listed among the readers, and is in the audit log with the groups', async () => {
    const { headers, email } = await admin();
    const { url } = (await request(headers)).json();
    expect((await follow(url)).statusCode).toBe(303);
    expect((await follow(url)).statusCode).toBe(403);
    const late = (await request(headers)).json().url;
    site.deps.clock.advance(61);
    expect((await follow(late)).statusCode).toBe(403);
    expect((await follow(url.replace(/token=[^&]+/, 'token=forged'))).statusCode).toBe(403);
    const { items } = (await site.call('GET', 'reader-sessions')).json();
    expect(items).toContainEqual(
      expect.objectContaining({ method: 'view', name: email, groups: ['beta'] }),
    );
    const log = await callDeclared(site.app, {
      method: 'GET',
      url: '/v1/audit-log?action=viewSiteAsReader',
      headers,
    });
    expect(log.json().items[0]).toMatchObject({ thingName: 'beta', outcome: 'done' });
  });

  it('sees nothing more when the session of the dashboard ends, when the role or the time does', async () => {
    const { queries } = site.deps.database;
    const ends: ((userId: string) => Promise<unknown>)[] = [
      (userId) => queries.deleteFrom('user_sessions').where('user_id', '=', userId).execute(),
      (userId) =>
        queries
          .updateTable('members')
          .set({ role: 'editor' })
          .where('user_id', '=', userId)
          .execute(),
      async () => site.deps.clock.advance(31 * 60),
    ];
    for (const end of ends) {
      const { headers, userId } = await admin();
      const cookies = await openView(headers);
      expect((await site.visit(PAGE, cookies)).statusCode).toBe(200);
      await end(userId);
      site.deps.clock.advance(3);
      expect((await site.visit(PAGE, cookies)).statusCode).toBe(303);
    }
  });

  it('is a person with that role: no key and no editor is, and no site without a sign-in has views', async () => {
    const editor = await addMember(site.test, site.operator, 'editor');
    expect((await request(editor.headers)).json()).toMatchObject({ code: 'role_missing' });
    const key = await addKey(site.test, site.operator, { kind: 'admin', expiresInDays: null });
    expect((await request(key.headers)).json()).toMatchObject({ code: 'role_missing' });
    const { headers } = await admin();
    await site.change({ visibility: 'public', jwt: null });
    expect((await request(headers)).json()).toMatchObject({ code: 'invalid_request' });
  });
});

describe('an agent of a reader', () => {
  const CALLBACK = 'http://localhost:4711/callback';
  /** Sends a request of a program to the application. */
  const inside = async (url: string | URL, init: RequestInit = {}) => {
    const { host, pathname, search } = new URL(url);
    const sent = new Request(url, init);
    const body = await sent.text();
    const answer = await site.app.inject({
      method: (init.method ?? 'GET') as 'GET' | 'POST',
      url: pathname + search,
      headers: { ...Object.fromEntries(sent.headers), host },
      ...(body !== '' && { payload: body }),
    });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
    const status = answer.statusCode;
    return new Response(hasBody ? answer.body : null, {
      status,
      headers: headers as [string, string][],
    });
  };

  /** An agent with the OAuth client of the SDK; its user decides in a browser with these cookies. */
  function agentOf(cookies: { cookie: string }, decision = 'allow') {
    const kept: { client?: unknown; tokens?: unknown; verifier?: string } = {};
    const seen: { page?: string; answer?: URL } = {};
    const authProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { redirect_uris: [CALLBACK], client_name: 'Tester <b>' },
      clientInformation: () => kept.client as undefined,
      saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
      tokens: () => kept.tokens as undefined,
      saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
      saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier ?? '',
      async redirectToAuthorization({ pathname, search }: URL) {
        seen.page = (await site.visit(pathname + search, cookies)).body;
        const fields = [...seen.page.matchAll(/name="([\w]+)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
        );
        const form = { ...Object.fromEntries(fields), decision };
        const answer = await site.send('/oauth/authorize', form, cookies);
        seen.answer = new URL(String(answer.headers.location));
      },
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`http://${site.host}/mcp`), {
        authProvider,
        fetch: inside,
      });
    const open = async () => {
      const client = new Client({ name: 'tester', version: '1.0.0' });
      await client.connect(transport() as Parameters<Client['connect']>[0]);
      return client;
    };
    return { kept, seen, transport, open };
  }
  const read = async (client: Client, path: string) => {
    const { tools } = await client.listTools();
    const name = tools.find((tool) => tool.name.startsWith('read_page_'))?.name ?? '';
    return JSON.stringify(await client.callTool({ name, arguments: { path } }));
  };
  const signedIn = async () =>
    cookiesIn((await enter(await tokenOf({ groups: ['beta'] }))).headers);

  it('registers, asks its user, reads with the rights of the user, and no longer than the session lasts', async () => {
    const cookies = await signedIn();
    const agent = agentOf(cookies);
    await expect(agent.open()).rejects.toThrow(UnauthorizedError);
    expect(agent.seen.page).toContain('Let Tester &lt;b&gt; read');
    const { answer } = agent.seen;
    expect(answer?.searchParams.get('iss')).toBe(`http://${site.host}`);
    await agent.transport().finishAuth(answer?.searchParams.get('code') ?? '');
    const client = await agent.open();
    expect(await read(client, '/guides/install')).toContain('Install');
    const { items } = (await site.call('GET', 'reader-sessions')).json();
    for (const { id } of items) await site.call('DELETE', `reader-sessions/${id}`);
    await expect(read(client, '/guides/install')).rejects.toThrow();
    await client.close();
  });

  it('gets a code once, for its address and its verifier, and no token for another resource', async () => {
    const cookies = await signedIn();
    const codeOf = async () => {
      const agent = agentOf(cookies);
      await agent.open().catch(() => undefined);
      return {
        agent,
        form: {
          grant_type: 'authorization_code',
          code: agent.seen.answer?.searchParams.get('code') ?? '',
          client_id: (agent.kept.client as { client_id: string }).client_id,
          redirect_uri: CALLBACK,
          code_verifier: agent.kept.verifier ?? '',
        },
      };
    };
    const exchange = (form: Record<string, string>) => site.send('/oauth/token', form);
    const changes: Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { redirect_uri: 'http://localhost:4712/callback' },
      { client_id: 'forged' },
      { resource: 'https://other.example/mcp' },
      { code: 'forged' },
      { grant_type: 'password' },
    ];
    for (const change of changes)
      expect((await exchange({ ...(await codeOf()).form, ...change })).statusCode).toBe(400);
    const { form } = await codeOf();
    expect((await exchange(form)).json()).toMatchObject({ token_type: 'Bearer' });
    expect((await exchange(form)).json()).toMatchObject({ error: 'invalid_grant' });
    const late = await codeOf();
    site.deps.clock.advance(61);
    expect((await exchange(late.form)).statusCode).toBe(400);
  });

  it('leads to no address that it did not register, and learns when its user declines', async () => {
    const cookies = await signedIn();
    const register = (redirectUri: string) =>
      inside(`http://${site.host}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirectUri] }),
      });
    for (const address of ['javascript:alert(1)', 'http://evil.example/', 'data:text/html,x', 'x'])
      expect((await register(address)).status, address).toBe(400);
    const { client_id } = (await (await register('https://agent.example/back')).json()) as {
      client_id: string;
    };
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: 'https://evil.example/back',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    expect((await site.visit(`/oauth/authorize?${query}`, cookies)).statusCode).toBe(403);
    query.set('redirect_uri', 'https://agent.example/back');
    query.set('code_challenge_method', 'plain');
    const plain = await site.visit(`/oauth/authorize?${query}`, cookies);
    expect(String(plain.headers.location)).toMatch(
      /^https:\/\/agent\.example\/back\?error=invalid_request/,
    );
    query.set('code_challenge_method', 'S256');
    const nobody = await site.visit(`/oauth/authorize?${query}`);
    expect(String(nobody.headers.location)).toMatch(/^\/login\?redirect=%2Foauth%2Fauthorize/);
    const elsewhere = { ...cookies, origin: 'https://evil.example' };
    const form = { ...Object.fromEntries(query), decision: 'allow' };
    expect((await site.send('/oauth/authorize', form, elsewhere)).statusCode).toBe(403);
    const agent = agentOf(cookies, 'deny');
    await agent.open().catch(() => undefined);
    expect(agent.seen.answer?.searchParams.get('error')).toBe('access_denied');
  });

  it('is told where to sign in, also with a token that is not valid any more', async () => {
    const send = (headers: Record<string, string>) =>
      site.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { host: site.host, ...headers },
        payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
      });
    const metadata = `resource_metadata="http://${site.host}/.well-known/oauth-protected-resource/mcp"`;
    expect((await send({})).headers['www-authenticate']).toBe(`Bearer ${metadata}`);
    await site.change({ visibility: 'public' });
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await send(accept)).statusCode).toBe(200);
    const refused = await send({ ...accept, authorization: 'Bearer forged' });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${metadata}`);
  });
});
