import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { cookieOf, previousTotpOf, totpOf } from '../ports/accounts.contract.ts';
import { endUserSessions } from './end-sessions.ts';

const origin = 'http://localhost:3000';
const DAY_MS = 24 * 3600 * 1000;

let test: TestApp;
let operator: Actor;
beforeEach(async () => {
  test = await openTestApp({ env: { DOCENT_SESSION_DAYS: '40' } });
  operator = await addOrganization(test);
});
afterEach(() => test.close());

const post = (path: string, payload: object, cookie = '') =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/auth/${path}`,
    headers: { origin, cookie },
    payload,
    remoteAddress: '192.0.2.1',
  });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  cookieOf({ cookies: [headers['set-cookie'] ?? []].flat() as string[] });
const signIn = (email: string, password = PASSWORD, cookie = '') =>
  post('sign-in/email', { email, password }, cookie);
const statusOf = async (cookie: string) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers: { cookie } }))
    .statusCode;
const logged = async () =>
  (
    await test.deps.database.queries
      .selectFrom('audit_log')
      .select(['action', 'outcome', 'address'])
      .orderBy('at')
      .orderBy('id')
      .execute()
  )
    .filter(({ action }) => /^sign/.test(action))
    .map(({ action, outcome, address }) => `${action} ${outcome} ${address}`)
    .sort();

it('sign-ins are in the audit log with method and address, also failed ones, and those of nobody are not', async () => {
  const { email, headers } = await addMember(test, operator, 'owner');
  expect((await signIn(email, 'wrong password')).statusCode).toBe(401);
  expect((await signIn('nobody@example.com')).statusCode).toBe(401);
  await expect.poll(logged).toEqual(['signInWithPassword refused 192.0.2.1']);
  const { totpURI, backupCodes } = (
    await post('two-factor/enable', { password: PASSWORD }, headers.cookie)
  ).json();
  await post('two-factor/verify-totp', { code: await previousTotpOf(totpURI) }, headers.cookie);
  const pending = cookiesOf(await signIn(email));
  // A password alone is not a sign-in yet.
  expect((await post('two-factor/verify-totp', { code: '000000' }, pending)).statusCode).toBe(401);
  await expect.poll(logged).toHaveLength(2);
  const cookie = cookiesOf(
    await post('two-factor/verify-totp', { code: totpOf(totpURI) }, pending),
  );
  await post(
    'two-factor/verify-backup-code',
    { code: backupCodes[0] },
    cookiesOf(await signIn(email)),
  );
  await post('sign-out', {}, cookie);
  expect(await logged()).toEqual([
    'signInWithCode done 192.0.2.1',
    'signInWithCode refused 192.0.2.1',
    'signInWithPassword refused 192.0.2.1',
    'signInWithRecoveryCode done 192.0.2.1',
    'signOut done 192.0.2.1',
  ]);
});

it('signing in again with the same browser ends its former session, and a wrong password does not', async () => {
  const { email } = await addMember(test, operator, 'owner');
  const first = cookiesOf(await signIn(email));
  await signIn(email, 'wrong password', first);
  expect(await statusOf(first)).toBe(200);
  const second = cookiesOf(await signIn(email, PASSWORD, first));
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
});

it('a session ends after the configured number of days, however much it is used', async () => {
  const { email } = await addMember(test, operator, 'owner');
  const cookie = cookiesOf(await signIn(email)).replace(/; [^;]*session_data=[^;]*/, '');
  const { queries } = test.deps.database;
  const created_at = new Date(Date.now() - 35 * DAY_MS);
  // As if it had begun 35 days ago, and been used two days ago.
  await queries
    .updateTable('user_sessions')
    .set({ expires_at: new Date(Date.now() + 28 * DAY_MS) })
    .execute();
  await sqlCreatedAt(created_at);
  expect(await statusOf(cookie)).toBe(200);
  const ends = await queries
    .selectFrom('user_sessions')
    .select('expires_at')
    .orderBy('expires_at')
    .execute();
  expect(ends[0]?.expires_at.getTime()).toBe(created_at.getTime() + 40 * DAY_MS);
});

async function sqlCreatedAt(at: Date): Promise<void> {
  await test.deps.database.execute('UPDATE user_sessions SET created_at = $1', [at]);
}

it('owners end the sessions of their members, and the operator those of everybody', async () => {
  const owner = await addMember(test, operator, 'owner');
  const member = await addMember(test, operator, 'admin');
  const end = (headers: Record<string, string>, userId: string) =>
    callDeclared(test.app, {
      method: 'DELETE',
      url: `/v1/organization/members/${userId}/sessions`,
      headers,
    });
  expect((await end(member.headers, owner.userId)).json().code).toBe('role_missing');
  const stranger = await addMember(test, await addOrganization(test), 'owner');
  expect((await end(stranger.headers, member.userId)).json().code).toBe('member_not_found');
  expect((await end(owner.headers, member.userId)).statusCode).toBe(204);
  expect([await statusOf(member.headers.cookie), await statusOf(owner.headers.cookie)]).toEqual([
    401, 200,
  ]);
  await endUserSessions(test.deps, operator, owner.email);
  expect(await statusOf(owner.headers.cookie)).toBe(401);
});

it('a password that attackers try first is refused wherever a password is set', async () => {
  const { email, headers, userId } = await addMember(test, operator, 'owner');
  for (const newPassword of [
    '1234567890',
    'qwertyuiop',
    'password123',
    'aaaaaaaaaa',
    email,
    'docent2026',
  ]) {
    const change = await post(
      'change-password',
      { currentPassword: PASSWORD, newPassword },
      headers.cookie,
    );
    expect([change.statusCode, change.json().detail], newPassword).toEqual([
      400,
      expect.stringMatching(/^A password must not/),
    ]);
  }
  const token = await test.deps.accounts.createPasswordReset(userId);
  expect((await post('reset-password', { token, newPassword: 'qwertyuiop' })).statusCode).toBe(400);
  // The link is still good.
  expect(
    (await post('reset-password', { token, newPassword: 'another long passphrase' })).statusCode,
  ).toBe(200);
  await expect(
    test.deps.accounts.createUser({
      name: 'Eve',
      email: 'eve@example.com',
      password: 'iloveyou12',
    }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
  });
});
