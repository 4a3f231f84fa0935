import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../../test/support/people.ts';
import {
  addOrganization,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import { manageUsers } from '../../accounts/members.ts';

const origin = 'http://localhost:3000';
const NEXT = 'another long passphrase';
const HOME = '192.0.2.1';
const stranger = (number: number) => `198.51.100.${number}`;

let test: TestApp;
let operator: Actor;
beforeEach(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
});
afterEach(() => test.close());

const post = (
  path: string,
  payload: object,
  headers: Record<string, string> = { origin },
  remoteAddress = HOME,
) =>
  callDeclared(test.app, {
    method: 'POST',
    url: `/v1/auth/${path}`,
    headers,
    payload,
    remoteAddress,
  });
const signIn = (email: string, password: string, remoteAddress = HOME, cookie?: string) =>
  post(
    'sign-in/email',
    { email, password },
    { origin, ...(cookie !== undefined && { cookie }) },
    remoteAddress,
  );

/** Sends wrong passwords at once. @returns how many were looked at */
async function guess(
  email: string,
  count: number,
  remoteAddress: string,
  cookie?: string,
): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      signIn(index % 2 ? email : email.toUpperCase(), `wrong ${index}`, remoteAddress, cookie),
    ),
  );
  expect(answers.every(({ statusCode }) => statusCode === 401 || statusCode === 429)).toBe(true);
  return answers.filter(({ statusCode }) => statusCode === 401).length;
}

it('wrong passwords are counted by account and network, so that a stranger cannot lock anybody out', async () => {
  const { email } = await addMember(test, operator, 'owner');
  for (const address of [email, 'nobody@example.com'])
    expect(await guess(address, 30, stranger(1))).toBe(20);
  expect((await signIn(email, PASSWORD, stranger(1))).statusCode).toBe(429);
  expect((await signIn(email, PASSWORD)).statusCode).toBe(200);
  // Another account is not affected by what was tried from there.
  const other = await addMember(test, operator, 'viewer');
  expect((await signIn(other.email, PASSWORD, stranger(1))).statusCode).toBe(200);
});

it('an attack from many networks slows strangers down, and locks out neither known browsers nor new ones', async () => {
  const { email } = await addMember(test, operator, 'owner');
  for (let number = 1; number <= 5; number++)
    expect(await guess(email, 20, stranger(number))).toBe(20);
  expect(await guess(email, 20, stranger(6))).toBe(3);
  expect((await signIn(email, PASSWORD)).statusCode).toBe(200);
});

it('a browser that signed in before has a count of its own, even behind the address of an attacker', async () => {
  const { email } = await addMember(test, operator, 'owner');
  const cookies = [(await signIn(email, PASSWORD)).headers['set-cookie']].flat() as string[];
  const device = cookies.find((cookie) => cookie.startsWith('docent.device=')) as string;
  expect(device).toMatch(/; Max-Age=31536000; .*HttpOnly; SameSite=Lax/i);
  const cookie = device.split(';')[0] as string;
  expect(await guess(email, 21, HOME)).toBe(20);
  expect((await signIn(email, PASSWORD)).statusCode).toBe(429);
  expect((await signIn(email, PASSWORD, HOME, cookie)).statusCode).toBe(200);
  // A cookie that was changed, or is for another account, is that of a stranger.
  const other = await addMember(test, operator, 'viewer');
  expect(await guess(other.email, 21, HOME)).toBe(20);
  expect((await signIn(other.email, PASSWORD, HOME, cookie)).statusCode).toBe(429);
  expect((await signIn(email, PASSWORD, HOME, cookie.replace(/=./, '=x'))).statusCode).toBe(429);
  // It does not make guessing free.
  expect(await guess(email, 30, HOME, cookie)).toBe(20);
});

it('a correct password is not counted', async () => {
  const { email } = await addMember(test, operator, 'owner');
  for (let count = 0; count < 25; count++)
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200);
});

it('a new password by link, and the operator, let a person try again', async () => {
  const { email, userId } = await addMember(test, operator, 'owner');
  await guess(email, 21, HOME);
  const token = await test.deps.accounts.createPasswordReset(userId);
  expect(
    (await post('reset-password', { token, newPassword: NEXT }, { origin }, stranger(9)))
      .statusCode,
  ).toBe(200);
  expect((await signIn(email, NEXT)).statusCode).toBe(200);
  await guess(email, 21, HOME);
  expect((await signIn(email, NEXT)).statusCode).toBe(429);
  test.deps.clock.advance?.(1);
  await manageUsers(test.deps).unlock(operator, email);
  expect((await signIn(email, NEXT)).statusCode).toBe(200);
});

it('no session may confirm its password more than ten times an hour, whatever for', async () => {
  const { email, headers } = await addMember(test, operator, 'viewer');
  const other = {
    ...headers,
    cookie: ([(await signIn(email, PASSWORD)).headers['set-cookie']].flat() as string[])
      .map((one) => one.split(';')[0])
      .join('; '),
  };
  const statuses = [];
  for (const path of [
    'change-password',
    'two-factor/enable',
    'two-factor/disable',
    'two-factor/generate-backup-codes',
  ])
    for (let count = 0; count < 3; count++)
      statuses.push(
        (
          await post(
            path,
            { password: 'wrong', currentPassword: 'wrong', newPassword: NEXT },
            headers,
          )
        ).statusCode,
      );
  expect(statuses.slice(0, 10)).not.toContain(429);
  expect(statuses.slice(10)).toEqual([429, 429]);
  // Whoever has a stolen session does not use up the tries of the person.
  expect(
    (await post('change-password', { currentPassword: PASSWORD, newPassword: NEXT }, other))
      .statusCode,
  ).toBe(200);
});
