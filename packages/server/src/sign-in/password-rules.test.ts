import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { cookieOf, previousTotpOf } from '../ports/accounts.contract.ts';

/*
 * What OWASP ASVS 5.0 asks of passwords and sessions and no other test proves; docs/security.mdx
 * names each.
 */

const origin = 'http://localhost:3000';
const DAY_MS = 24 * 3600 * 1000;

let test: TestApp;
let operator: Actor;
beforeEach(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
});
afterEach(() => test.close());

const post = (path: string, payload: object, cookie = '') =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/auth/${path}`,
    headers: { origin, cookie },
    payload,
  });
const signIn = (email: string, password = PASSWORD) => post('sign-in/email', { email, password });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  // Without the copy of the session that saves a query.
  cookieOf({ cookies: [headers['set-cookie'] ?? []].flat() as string[] }).replace(
    /; [^;]*session_data=[^;]*/,
    '',
  );
const statusOf = async (cookie: string) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers: { cookie } }))
    .statusCode;

it('a password may consist of any characters, at least 64 of them, and counts exactly as it was written', async () => {
  const long = 'correct horse battery '.repeat(6).slice(0, 119).concat('!');
  for (const [index, password] of [
    'only small letters',
    '7315908264',
    '正しい馬の電池ステープル',
    long,
  ].entries()) {
    const email = `person-${index}@acme.example`;
    await test.deps.accounts.createUser({ name: 'Ada', email, password });
    expect((await signIn(email, password)).statusCode, password).toBe(200);
    for (const other of [password.slice(0, -1), `${password} `, ` ${password}`])
      expect((await signIn(email, other)).statusCode, JSON.stringify(other)).toBe(401);
  }
  expect((await signIn('person-0@acme.example', 'Only Small Letters')).statusCode).toBe(401);
});

it('a password does not expire, and is changed by whoever knows the present one', async () => {
  const { email, headers } = await addMember(test, operator, 'viewer');
  await test.deps.database.execute(
    "UPDATE user_credentials SET created_at = '2019-01-01', updated_at = '2019-01-01'",
    [],
  );
  expect((await signIn(email)).statusCode).toBe(200);
  const change = (currentPassword: string) =>
    post(
      'change-password',
      { currentPassword, newPassword: 'another long passphrase' },
      headers.cookie,
    );
  expect((await change('not the password')).statusCode).toBeGreaterThanOrEqual(400);
  expect((await signIn(email)).statusCode).toBe(200);
  expect((await change(PASSWORD)).statusCode).toBe(200);
  expect((await signIn(email)).statusCode).toBe(401);
  expect((await signIn(email, 'another long passphrase')).statusCode).toBe(200);
});

it('a link that sets a password does not skip the second factor', async () => {
  const { email, headers, userId } = await addMember(test, operator, 'viewer');
  const { totpURI } = (
    await post('two-factor/enable', { password: PASSWORD }, headers.cookie)
  ).json();
  const code = await previousTotpOf(totpURI);
  expect((await post('two-factor/verify-totp', { code }, headers.cookie)).statusCode).toBe(200);
  const token = await test.deps.accounts.createPasswordReset(userId);
  const reset = await post('reset-password', { token, newPassword: 'another long passphrase' });
  expect([reset.statusCode, await statusOf(cookiesOf(reset))]).toEqual([200, 401]);
  const half = await signIn(email, 'another long passphrase');
  expect([half.json().twoFactorRedirect, await statusOf(cookiesOf(half))]).toEqual([true, 401]);
});

it('a session ends after 30 days without use, and with its account', async () => {
  const { email, userId } = await addMember(test, operator, 'viewer');
  const { queries } = test.deps.database;
  const cookie = cookiesOf(await signIn(email));
  const sessions = await queries
    .selectFrom('user_sessions')
    .select(['created_at', 'expires_at'])
    .execute();
  for (const { created_at, expires_at } of sessions)
    expect((expires_at.getTime() - created_at.getTime()) / DAY_MS).toBeCloseTo(30, 1);
  await queries
    .updateTable('user_sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect(await statusOf(cookie)).toBe(401);
  const next = cookiesOf(await signIn(email));
  expect(await statusOf(next)).toBe(200);
  await test.deps.accounts.deleteUser(userId);
  expect(await statusOf(next)).toBe(401);
});

it('sessions, recovery codes and the keys of authenticator apps are random, and new each time', async () => {
  const people = [
    await addMember(test, operator, 'viewer'),
    await addMember(test, operator, 'viewer'),
  ];
  const keys = new Set<string>();
  const codes = new Set<string>();
  const sessions = new Set<string>();
  for (const { email, headers } of people) {
    const { totpURI, backupCodes } = (
      await post('two-factor/enable', { password: PASSWORD }, headers.cookie)
    ).json();
    keys.add(new URL(totpURI).searchParams.get('secret') as string);
    for (const code of backupCodes) codes.add(code);
    for (const cookie of [headers.cookie, cookiesOf(await signIn(email))])
      sessions.add(/docent\.session=([^.;]+)/.exec(cookie)?.[1] as string);
  }
  expect([keys.size, codes.size, sessions.size]).toEqual([2, 20, 4]);
  // 62 signs have almost six bits each: 128 bits need 22 of them.
  for (const session of sessions) expect(session).toMatch(/^\w{22,}$/);
  // 25 of 32 signs: 125 bits.
  for (const code of codes) expect(code).toMatch(/^[a-km-np-z2-9]{5}(?:-[a-km-np-z2-9]{5}){4}$/);
  for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32,}$/);
});
