import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAuthenticator } from '../../../../test/support/authenticator.ts';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { cookieOf, totpOf } from '../ports/accounts.contract.ts';

const origin = 'https://docs.acme.example:8443';
const rpId = 'docs.acme.example';
const MINUTE_MS = 60_000;

let test: TestApp;
let operator: Actor;
beforeEach(async () => {
  test = await openTestApp({ env: { DOCENT_PUBLIC_URL: origin } });
  operator = await addOrganization(test);
});
afterEach(() => test.close());

type Authenticator = ReturnType<typeof createAuthenticator>;
type Changes = Partial<Parameters<Authenticator['signIn']>[0]>;

const call = (method: 'GET' | 'POST', path: string, cookie: string, payload?: object) =>
  callDeclared(test.app, {
    method,
    url: `/v1/auth/${path}`,
    // As from a proxy with a host of its own that passes on what the sender says.
    headers: {
      origin,
      cookie,
      host: '127.0.0.1:3000',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    },
    ...(payload && { payload }),
  });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  cookieOf({ cookies: [headers['set-cookie'] ?? []].flat() as string[] });

async function register(authenticator: Authenticator, cookie: string, changes: Changes = {}) {
  const options = await call('GET', 'passkey/generate-register-options', cookie);
  if (options.statusCode !== 200) return options;
  const { challenge, rp } = options.json();
  expect(rp.id).toBe(rpId);
  const response = authenticator.register({ challenge, rpId, origin, ...changes });
  return call('POST', 'passkey/verify-registration', `${cookie}; ${cookiesOf(options)}`, {
    response,
    name: 'Laptop',
  });
}

async function signIn(authenticator: Authenticator, changes: Changes = {}) {
  const options = await call('GET', 'passkey/generate-authenticate-options', '');
  const { challenge, ...rest } = options.json();
  expect(rest).toMatchObject({ rpId, userVerification: 'required' });
  const response = authenticator.signIn({ challenge, rpId, origin, ...changes });
  return call('POST', 'passkey/verify-authentication', cookiesOf(options), { response });
}

const list = async (cookie: string) =>
  (await call('GET', 'passkey/list-user-passkeys', cookie)).json();
const statusOf = async (cookie: string) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers: { cookie } }))
    .statusCode;
const logged = async () =>
  (
    await test.deps.database.queries
      .selectFrom('audit_log')
      .select(['action', 'outcome'])
      .orderBy('at')
      .orderBy('id')
      .execute()
  )
    .filter(({ action }) => /passkey/i.test(action))
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .sort();

it('a passkey that verified the person signs in without the code of an account with a second factor', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const { totpURI } = (
    await call('POST', 'two-factor/enable', headers.cookie, { password: PASSWORD })
  ).json();
  const enabled = await call('POST', 'two-factor/verify-totp', headers.cookie, {
    code: totpOf(totpURI),
  });
  const authenticator = createAuthenticator();
  expect((await register(authenticator, cookiesOf(enabled))).statusCode).toBe(200);
  const answer = await signIn(authenticator);
  // No token and nothing about the account.
  expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
  expect(await statusOf(cookiesOf(answer))).toBe(200);
});

it('a passkey that only saw a touch, of another origin, another server or a used challenge, signs nobody in', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const authenticator = createAuthenticator();
  expect((await register(authenticator, headers.cookie, { isVerifying: false })).statusCode).toBe(
    401,
  );
  expect(await list(headers.cookie)).toEqual([]);
  await register(authenticator, headers.cookie);
  const touch = await signIn(authenticator, { isVerifying: false });
  expect([touch.statusCode, touch.json().detail]).toEqual([
    401,
    expect.stringContaining('PIN, finger or face'),
  ]);
  const refusals: Changes[] = [
    { isVerifying: false },
    { origin: `https://site.${rpId}:8443` },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
  ];
  for (const changes of refusals) {
    const answer = await signIn(authenticator, changes);
    expect([answer.statusCode, await statusOf(cookiesOf(answer))], JSON.stringify(changes)).toEqual(
      [401, 401],
    );
  }
  expect((await signIn(createAuthenticator())).statusCode).toBe(401);
  const options = await call('GET', 'passkey/generate-authenticate-options', '');
  const response = authenticator.signIn({ challenge: options.json().challenge, rpId, origin });
  const verify = () =>
    call('POST', 'passkey/verify-authentication', cookiesOf(options), { response });
  expect([(await verify()).statusCode, (await verify()).statusCode]).toEqual([200, 401]);
});

it('only their owner lists, renames and deletes passkeys, and a deleted one signs in no longer', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const other = await addMember(test, operator, 'owner');
  const authenticator = createAuthenticator();
  await register(authenticator, headers.cookie);
  const [passkey] = await list(headers.cookie);
  expect(passkey).toEqual({
    id: expect.any(String),
    name: 'Laptop',
    createdAt: expect.any(String),
    backedUp: false,
  });
  expect(await list(other.headers.cookie)).toEqual([]);
  const { id } = passkey;
  for (const [path, payload] of [
    ['passkey/update-passkey', { id, name: 'Stolen' }],
    ['passkey/delete-passkey', { id }],
  ] as const)
    expect((await call('POST', path, other.headers.cookie, payload)).statusCode, path).toBe(401);
  expect(
    (await call('POST', 'passkey/update-passkey', headers.cookie, { id, name: 'Phone' }))
      .statusCode,
  ).toBe(200);
  expect(await list(headers.cookie)).toMatchObject([{ name: 'Phone' }]);
  expect((await signIn(authenticator)).statusCode).toBe(200);
  expect((await call('POST', 'passkey/delete-passkey', headers.cookie, { id })).statusCode).toBe(
    200,
  );
  expect((await signIn(authenticator)).statusCode).toBe(401);
});

it('the audit log has the addition, the deletion and each sign-in of a passkey, also refused ones', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const authenticator = createAuthenticator();
  await register(authenticator, headers.cookie);
  await signIn(authenticator);
  await signIn(authenticator, { isVerifying: false });
  // Nobody's.
  await signIn(createAuthenticator());
  const [{ id }] = await list(headers.cookie);
  await call('POST', 'passkey/delete-passkey', headers.cookie, { id });
  await expect
    .poll(logged)
    .toEqual([
      'addPasskey done',
      'deletePasskey done',
      'signInWithPasskey done',
      'signInWithPasskey refused',
    ]);
});

it('a session that began more than 10 minutes ago neither adds nor deletes a passkey, and says what to do', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  await register(createAuthenticator(), headers.cookie);
  const [{ id }] = (await call('GET', 'passkey/list-user-passkeys', headers.cookie)).json();
  await test.deps.database.execute('UPDATE user_sessions SET created_at = $1', [
    new Date(test.deps.clock.now().getTime() - 11 * MINUTE_MS),
  ]);
  const old = headers.cookie.replace(/(?:; )?[^;]*session_data=[^;]*/, '');
  for (const [method, path, body] of [
    ['GET', 'generate-register-options', undefined],
    [
      'POST',
      'verify-registration',
      { response: { id: 'q3vYc0m8n1', type: 'public-key' }, name: 'Laptop' },
    ],
    ['POST', 'delete-passkey', { id }],
  ] as const) {
    const answer = await call(method, `passkey/${path}`, old, body);
    expect([answer.statusCode, answer.json().code], path).toEqual([403, 'recent_sign_in_required']);
    expect(answer.json().detail).toContain('sign in again');
  }
  expect((await call('GET', 'passkey/list-user-passkeys', old)).json()).toMatchObject([{ id }]);
});

it('passkeys do not get around single sign-on where passwords are turned off', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const authenticator = createAuthenticator();
  await register(authenticator, headers.cookie);
  test.deps.config.passwords = false;
  expect((await call('GET', 'passkey/generate-authenticate-options', '')).statusCode).toBe(400);
});
