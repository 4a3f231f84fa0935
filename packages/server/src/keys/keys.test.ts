import { formatKey } from '@docent/format/access/keys.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: '1000' } });
  operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['index']);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
});
afterAll(() => test.close());

const create = (payload: object, as = headers) =>
  callDeclared(test.app, { method: 'POST', url: '/v1/keys', headers: as, payload });
const list = (as: Record<string, string> = headers, remoteAddress?: string) =>
  callDeclared(test.app, {
    method: 'GET',
    url: '/v1/keys',
    headers: as,
    ...(remoteAddress && { remoteAddress }),
  });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('creating a key', () => {
  it('returns the key once; later only a masked form is shown, and only a hash is stored and never returned', async () => {
    const response = await create({ kind: 'admin', name: 'ci' });
    const { key, id } = response.json();
    expect(response.statusCode).toBe(201);
    expect(key).toMatch(/^svc_[0-9A-Za-z]{39}$/);
    const listed = await list();
    expect(listed.body).not.toContain(key);
    expect(listed.json().keys.find((one: { id: string }) => one.id === id)).toMatchObject({
      masked: `svc_…${key.slice(-4)}`,
      name: 'ci',
    });
    const row = await test.deps.database.queries
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(key);
    expect(response.body + listed.body).not.toContain(row.hash);
  });

  it('sets an expiry of 90 days by default, and none only on request', async () => {
    const days = async (payload: object) => {
      const { createdAt, expiresAt } = (
        await create({ kind: 'admin', name: 'x', ...payload })
      ).json();
      return expiresAt && (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
    };
    expect(await days({})).toBe(90);
    expect(await days({ expiresInDays: 7 })).toBe(7);
    expect(await days({ expiresInDays: null })).toBeNull();
  });

  it.each([
    [{ name: 'x' }, '/kind'],
    [{ kind: 'admin', name: '' }, '/name'],
    [{ kind: 'admin', name: 'x', expiresInDays: 8 }, '/expiresInDays'],
    [{ kind: 'admin', name: 'x', scopes: ['delete'] }, '/scopes/0'],
    [{ kind: 'admin', name: 'x', ipAllowlist: ['10.0.0.0/8', '0.0.0.0/0'] }, '/ipAllowlist/1'],
    [{ kind: 'admin', name: 'x', ipAllowlist: ['::/0'] }, '/ipAllowlist/0'],
    [{ kind: 'admin', name: 'x', originAllowlist: ['https://a.example'] }, '/originAllowlist'],
    [{ kind: 'admin', name: 'x', site: 'docs' }, '/site'],
    [{ kind: 'assistant', name: 'x' }, '/site'],
    [{ kind: 'assistant', name: 'x', site: 'docs', scopes: ['read'] }, '/scopes'],
    [
      { kind: 'assistant', name: 'x', site: 'docs', originAllowlist: ['https://a.example/path'] },
      '/originAllowlist/0',
    ],
    [
      { kind: 'assistant', name: 'x', site: 'docs', originAllowlist: ['https://*.a.example'] },
      '/originAllowlist/0',
    ],
    [{ kind: 'admin', name: 'a\u0000b' }, '/name'],
  ])('rejects %j with 400 and a pointer to %s', async (payload, path) => {
    const response = await create(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('returns 404 for a site of another organization', async () => {
    await addSite(test, await addOrganization(test), 'theirs', ['index']);
    expect((await create({ kind: 'assistant', name: 'x', site: 'theirs' })).statusCode).toBe(404);
  });
});

describe('the rate limit on creating keys', () => {
  it('allows exactly ten per hour and organization, then returns 429 with Retry-After, and shows in every response', async () => {
    const limited = await openTestApp();
    try {
      const organization = await addOrganization(limited);
      const key = await addKey(limited, organization, { kind: 'admin' });
      const call = {
        method: 'POST',
        url: '/v1/keys',
        headers: key.headers,
        payload: { kind: 'admin', name: 'x' },
      } as const;
      const answers = await Promise.all(
        Array.from({ length: 13 }, () => callDeclared(limited.app, call)),
      );
      const statuses = answers.map((one) => one.statusCode);
      expect(statuses.filter((status) => status === 201)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(3);
      for (const { headers } of answers) {
        expect(headers['ratelimit-policy']).toBe('"keys-organization";q=10;w=3600');
        expect(headers.ratelimit).toMatch(/^"keys-organization";r=\d;t=\d+$/);
      }
      const refused = await callDeclared(limited.app, call);
      expect(refused.json().code).toBe('rate_limited');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

describe('a key is rejected with 401 and WWW-Authenticate', () => {
  const unknown = formatKey('admin', new Uint8Array(24));
  it.each([
    ['it is missing', {}],
    ['the scheme is not Bearer', { authorization: `Basic ${unknown}` }],
    ['it is malformed', { authorization: 'Bearer svc_short' }],
    ['the header has trailing text', { authorization: `Bearer ${unknown} x` }],
    ['it is unknown', bearer(unknown)],
  ])('when %s', async (_, as) => {
    const response = await list(as);
    expect([
      response.statusCode,
      response.headers['www-authenticate'],
      response.json().code,
    ]).toEqual([401, 'Bearer', 'unauthenticated']);
  });

  it('immediately after it is revoked', async () => {
    const { id, headers: as } = await addKey(test, operator, { kind: 'admin' });
    expect((await list(as)).statusCode).toBe(200);
    const revoked = await callDeclared(test.app, {
      method: 'DELETE',
      url: `/v1/keys/${id}`,
      headers,
    });
    expect(revoked.statusCode).toBe(204);
    expect((await list(as)).statusCode).toBe(401);
    expect(
      (await callDeclared(test.app, { method: 'DELETE', url: `/v1/keys/${id}`, headers }))
        .statusCode,
    ).toBe(204);
  });

  it('exactly when it expires', async () => {
    const { headers: as } = await addKey(test, operator, { kind: 'admin', expiresInDays: 7 });
    const lasting = await addKey(test, operator, { kind: 'admin', expiresInDays: null });
    test.deps.clock.advance(7 * 86_400 - 1);
    expect((await list(as)).statusCode).toBe(200);
    test.deps.clock.advance(1);
    expect((await list(as)).statusCode).toBe(401);
    expect((await list(lasting.headers)).statusCode).toBe(200);
  });
});

describe('a key that creates another', () => {
  const make = async (payload: object, as = headers) => {
    const response = await create({ kind: 'admin', name: 'x', ...payload }, as);
    const made = response.json();
    return { status: response.statusCode, as: bearer(made.key), ...made };
  };

  it('cannot exceed its own expiry, addresses or scopes', async () => {
    const { as } = await make({
      expiresInDays: 7,
      scopes: ['read', 'keys'],
      ipAllowlist: ['127.0.0.0/24', '2001:db8::/32'],
    });
    for (const [payload, path] of [
      [{ expiresInDays: null }, '/expiresInDays'],
      [{ expiresInDays: 30 }, '/expiresInDays'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['write'] }, '/scopes'],
      [{ ipAllowlist: [] }, '/ipAllowlist'],
      [{ ipAllowlist: ['127.0.0.0/16'] }, '/ipAllowlist/0'],
      [{ ipAllowlist: ['127.0.0.9', '10.0.0.1'] }, '/ipAllowlist/1'],
      [{ ipAllowlist: ['2001:db8::/31'] }, '/ipAllowlist/0'],
      [{ kind: 'assistant', site: 'docs', expiresInDays: null }, '/expiresInDays'],
      [{ kind: 'assistant', site: 'docs', ipAllowlist: [] }, '/ipAllowlist'],
    ] as const) {
      const refused = await make(payload, as);
      expect([refused.status, refused.code], JSON.stringify(payload)).toEqual([
        403,
        'key_too_wide',
      ]);
      expect(refused.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    }
  });

  it('that is bound to sites creates and sees only keys of these, and a version that does not know the sites does not find it', async () => {
    await addSite(test, operator, 'bound');
    await addSite(test, operator, 'unbound');
    const unbound = await make({ name: 'Unbound' });
    const parent = await make({ siteIds: ['bound'] });
    expect(parent).toMatchObject({
      status: 201,
      sites: ['bound'],
      siteNames: ['bound'],
      siteIds: [expect.any(String)],
    });
    for (const siteIds of [[], ['unbound'], ['bound', 'unbound']])
      expect((await make({ siteIds }, parent.as)).status, JSON.stringify(siteIds)).toBe(
        siteIds.length === 0 ? 403 : 404,
      );
    const child = await make({}, parent.as);
    expect(child).toMatchObject({ status: 201, siteIds: parent.siteIds });
    expect((await make({ kind: 'assistant', site: 'unbound' }, parent.as)).status).toBe(404);
    const listed = (await list(parent.as)).json().items.map(({ id }: { id: string }) => id);
    expect(listed.sort()).toEqual([parent.id, child.id].sort());
    const revoke = async (id: string) =>
      (
        await callDeclared(test.app, {
          method: 'DELETE',
          url: `/v1/keys/${id}`,
          headers: parent.as,
        })
      ).statusCode;
    expect([await revoke(unbound.id), await revoke(child.id)]).toEqual([404, 204]);
    const { hash } = await test.deps.database.queries
      .selectFrom('api_keys')
      .select('hash')
      .where('id', '=', parent.id)
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^sites:[0-9a-f]{64}$/);
    await test.deps.database.queries.deleteFrom('sites').where('slug', '=', 'bound').execute();
    const projects = await callDeclared(test.app, {
      method: 'GET',
      url: '/v1/projects',
      headers: parent.as,
    });
    expect(projects.json().items).toEqual([]);
  });

  it('passes on its own limits by default, and can set narrower ones', async () => {
    const parent = await make({
      expiresInDays: 7,
      scopes: ['read', 'keys'],
      ipAllowlist: ['127.0.0.0/24'],
    });
    const { scopes, ipAllowlist, expiresAt } = parent;
    test.deps.clock.advance(60);
    expect(await make({}, parent.as)).toMatchObject({
      status: 201,
      scopes,
      ipAllowlist,
      expiresAt,
      createdBy: { kind: 'key', id: parent.id },
    });
    const narrow = await make(
      { scopes: ['read'], ipAllowlist: ['127.0.0.128/25', '127.0.0.1'] },
      parent.as,
    );
    expect(narrow).toMatchObject({ status: 201, scopes: ['read'], expiresAt });
  });

  it('needs the scope `keys`, which `write` does not include, to create and to revoke', async () => {
    const writer = await make({ scopes: ['write'] });
    expect((await make({}, writer.as)).code).toBe('scope_missing');
    const refused = await callDeclared(test.app, {
      method: 'DELETE',
      url: `/v1/keys/${writer.id}`,
      headers: writer.as,
    });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'scope_missing']);
    const keeper = await make({ scopes: ['keys'] });
    expect(keeper.scopes).toEqual(['read', 'keys']);
    expect((await list(keeper.as)).statusCode).toBe(200);
    expect((await make({}, keeper.as)).status).toBe(201);
  });

  it('revokes its descendants when it is revoked, and no other keys', async () => {
    const parent = await make({});
    const child = await make({}, parent.as);
    const grandchild = await make({ kind: 'assistant', site: 'docs' }, child.as);
    const sibling = await make({});
    for (const one of [parent, child]) expect((await list(one.as)).statusCode).toBe(200);
    await callDeclared(test.app, { method: 'DELETE', url: `/v1/keys/${parent.id}`, headers });
    for (const one of [parent, child, grandchild])
      expect((await list(one.as)).statusCode).toBe(401);
    expect((await list(sibling.as)).statusCode).toBe(200);
    const revoked = (await list())
      .json()
      .keys.filter((key: { revokedAt: string | null }) => key.revokedAt !== null);
    const ids = revoked.map((key: { id: string }) => key.id);
    expect(ids).toEqual(expect.arrayContaining([parent.id, child.id, grandchild.id]));
  });

  it('cannot create one after another process revoked it, even while it is still cached', async () => {
    const parent = await make({});
    expect((await list(parent.as)).statusCode).toBe(200);
    const now = test.deps.clock.now();
    await test.deps.database.queries
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', parent.id)
      .execute();
    expect((await list(parent.as)).statusCode).toBe(200);
    expect((await make({}, parent.as)).status).toBe(401);
  });
});

it('a legacy key with `write` keeps the right to create keys, and one with `read` does not receive it', async () => {
  const scopesOf = async (scopes: ('read' | 'write')[]) => {
    const { id } = await addKey(test, operator, { kind: 'admin', scopes });
    const { queries } = test.deps.database;
    await queries
      .updateTable('api_keys')
      .set({ scopes, may_create_keys: null })
      .where('id', '=', id)
      .execute();
    return (await list()).json().keys.find((key: { id: string }) => key.id === id).scopes;
  };
  expect(await scopesOf(['write'])).toEqual(['write', 'keys']);
  expect(await scopesOf(['read'])).toEqual(['read']);
  expect(await scopesOf([])).toEqual([]);
});

describe('changing a key', () => {
  const change = (id: string, payload: object, as = headers) =>
    callDeclared(test.app, { method: 'PATCH', url: `/v1/keys/${id}`, headers: as, payload });

  it('lets other origins use it at once, and keeps its name, or the reverse', async () => {
    const { id, headers: as } = await addKey(test, operator, {
      kind: 'assistant',
      site: 'docs',
      originAllowlist: ['https://former.example'],
    });
    const search = async (origin: string) => {
      const request = { method: 'POST', url: '/discovery/v1/search/docs' } as const;
      const payload = { query: 'index' };
      return (await callDeclared(test.app, { ...request, headers: { ...as, origin }, payload }))
        .statusCode;
    };
    expect(await search('https://former.example')).toBe(200);
    const moved = await change(id, { originAllowlist: ['https://New.example/'] });
    expect([moved.statusCode, moved.json()]).toMatchObject([
      200,
      { id, name: 'test', originAllowlist: ['https://new.example'] },
    ]);
    expect(await search('https://former.example')).toBe(403);
    expect(await search('https://new.example')).toBe(200);
    expect((await change(id, { name: 'Chat' })).json()).toEqual({ ...moved.json(), name: 'Chat' });
    const listed = (await list()).json().keys.find((key: { id: string }) => key.id === id);
    expect(listed).toMatchObject({ name: 'Chat', originAllowlist: ['https://new.example'] });
  });

  it('is refused for what is fixed, for origins of an admin key, and for a key that is not in use here', async () => {
    const { id } = await addKey(test, operator, { kind: 'admin' });
    const pathsOf = async (payload: object) =>
      (await change(id, payload)).json().errors.map(({ path }: { path: string }) => path);
    expect(await pathsOf({ originAllowlist: ['https://a.example'] })).toEqual(['/originAllowlist']);
    for (const limit of ['ipAllowlist', 'scopes', 'siteIds'])
      expect((await change(id, { [limit]: [] })).json().detail).toContain(limit);
    expect(await pathsOf({ name: '' })).toEqual(['/name']);
    const theirs = await addKey(test, await addOrganization(test), { kind: 'admin' });
    const reader = await addKey(test, operator, { kind: 'admin', scopes: ['read', 'write'] });
    expect((await change(id, { name: 'x' }, reader.headers)).json().code).toBe('scope_missing');
    await callDeclared(test.app, { method: 'DELETE', url: `/v1/keys/${id}`, headers });
    for (const other of [id, theirs.id, 'nope'])
      expect((await change(other, { name: 'x' })).json()).toMatchObject({
        status: 404,
        code: 'key_not_found',
      });
  });
});

describe('revoking a key', () => {
  it('returns 404 for a key of another organization or an invalid id', async () => {
    const stranger = await addOrganization(test);
    const theirs = await addKey(test, stranger, { kind: 'admin' });
    for (const id of [theirs.id, 'nope', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '%00']) {
      const response = await callDeclared(test.app, {
        method: 'DELETE',
        url: `/v1/keys/${id}`,
        headers,
      });
      expect([response.statusCode, response.json().code]).toEqual([404, 'key_not_found']);
    }
    expect((await list(theirs.headers)).statusCode).toBe(200);
  });
});

describe('a key with an IP allowlist', () => {
  it('is rejected with 403 from other addresses, over IPv4 and IPv6', async () => {
    const { headers: as } = await addKey(test, operator, {
      kind: 'admin',
      ipAllowlist: ['198.51.100.0/24', '2001:db8::/32'],
    });
    expect((await list(as, '198.51.100.7')).statusCode).toBe(200);
    expect((await list(as, '::ffff:198.51.100.7')).statusCode).toBe(200);
    expect((await list(as, '2001:db8::7')).statusCode).toBe(200);
    const refused = await list(as, '203.0.113.1');
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'ip_not_allowed']);
  });

  it('cannot be bypassed with X-Forwarded-For if no proxy is trusted', async () => {
    const { headers: as } = await addKey(test, operator, {
      kind: 'admin',
      ipAllowlist: ['198.51.100.0/24'],
    });
    expect(
      (await list({ ...as, 'x-forwarded-for': '198.51.100.7' }, '203.0.113.1')).statusCode,
    ).toBe(403);
  });
});

it('a read-only key lists keys and cannot create any', async () => {
  const { headers: as } = await addKey(test, operator, { kind: 'admin', scopes: ['read'] });
  expect((await list(as)).statusCode).toBe(200);
  expect((await create({ kind: 'admin', name: 'x' }, as)).json().code).toBe('scope_missing');
});

it('the last use of a key is recorded to the minute', async () => {
  const { clock } = test.deps;
  const { id, headers: as } = await addKey(test, operator, { kind: 'admin' });
  const lastUsedAt = async () =>
    (await list()).json().keys.find((key: { id: string }) => key.id === id).lastUsedAt;
  const first = clock.now().toISOString();
  await list(as);
  await expect.poll(lastUsedAt).toBe(first);
  for (const seconds of [10, 49]) {
    clock.advance(seconds);
    await list(as);
    expect(await lastUsedAt()).toBe(first);
  }
  clock.advance(2);
  await list(as);
  await expect.poll(lastUsedAt).toBe(clock.now().toISOString());
});

it('an organization sees only its own keys', async () => {
  const stranger = await addOrganization(test);
  const theirs = await addKey(test, stranger, { kind: 'admin' });
  expect((await list(theirs.headers)).json().keys.map((key: { id: string }) => key.id)).toEqual([
    theirs.id,
  ]);
});
