import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { emailChangeMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';
import { sendEmailChangeMail } from './change-email.ts';

const origin = 'http://localhost:3000';
const NEW = 'ada@new.example';

let test: TestApp;
let operator: Actor;
beforeEach(async () => {
  test = await openTestApp({
    env: { DOCENT_SMTP_URL: 'smtp://127.0.0.1:9', DOCENT_MAIL_FROM: 'docs@acme.example' },
  });
  operator = await addOrganization(test);
});
afterEach(() => test.close());

const call = (path: string, payload: object, headers: Record<string, string> = { origin }) =>
  callDeclared(test.app, { method: 'POST', url: `/v1/auth/${path}`, headers, payload });
const signIn = (email: string, password = PASSWORD) => call('sign-in/email', { email, password });

/** Sends the queued mail. */
async function sent(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
  for (const { name, payload } of test.deps.jobs.added.splice(0))
    if (name === emailChangeMailJob.name)
      await sendEmailChangeMail({ ...test.deps, mailer }, emailChangeMailJob.parse(payload));
  return mails;
}
const tokenIn = (mails: readonly Mail[]): string =>
  mails.flatMap(({ text }) => /\/dashboard\/email\/(\S+)/.exec(text)?.[1] ?? [])[0] as string;

/** Asks for another address. @returns the token of the link */
async function requested(headers: Record<string, string>, email = NEW): Promise<string> {
  expect((await call('change-email', { email }, headers)).json()).toEqual({ success: true });
  return tokenIn(await sent());
}

it('a person changes their address by a link that works once; the former address is told before and after', async () => {
  const { email, headers, userId } = await addMember(test, operator, 'viewer');
  expect((await call('change-email', { email: 'Ada@New.example' }, headers)).statusCode).toBe(200);
  const mails = await sent();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [NEW, 'Confirm your email address'],
    [email, 'A change of your email address was requested'],
  ]);
  // Nothing has changed yet, and only the new address has the link.
  expect((await signIn(email)).statusCode).toBe(200);
  expect(mails[1]?.text).not.toContain('/dashboard/email/');
  const token = tokenIn(mails);
  const both = await Promise.all([
    call('confirm-email', { token }),
    call('confirm-email', { token }),
  ]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  expect((await sent()).map(({ to, subject }) => [to, subject])).toEqual([
    [email, 'Your email address was changed'],
  ]);
  expect((await signIn(email)).statusCode).toBe(401);
  expect((await signIn(NEW)).statusCode).toBe(200);
  const { queries } = test.deps.database;
  expect(await queries.selectFrom('users').select(['email', 'email_verified']).execute()).toEqual([
    { email: NEW, email_verified: true },
  ]);
  const rows = await queries.selectFrom('audit_log').select(['action', 'actor']).execute();
  for (const action of ['requestEmailChange', 'confirmEmailChange'])
    expect(rows).toContainEqual({ action, actor: userId });
});

it('the browser that confirms the address has it at once, and stays signed in', async () => {
  const { headers } = await addMember(test, operator, 'viewer');
  const token = await requested(headers);
  const answer = await call('confirm-email', { token }, headers);
  const cleared = String(answer.headers['set-cookie']).split(/[=;]/)[0] as string;
  expect(headers.cookie).toContain(`${cleared}=`);
  const cookie = headers.cookie
    .split('; ')
    .filter((pair) => !pair.startsWith(`${cleared}=`))
    .join('; ');
  const session = await callDeclared(test.app, {
    method: 'GET',
    url: '/v1/session',
    headers: { ...headers, cookie },
  });
  expect(session.json().user.email).toBe(NEW);
});

it('a new password, and another change of the address, make a pending link void', async () => {
  const { headers, email } = await addMember(test, operator, 'viewer');
  const passwords = { currentPassword: PASSWORD, newPassword: 'another long passphrase' };
  const first = await requested(headers);
  expect((await call('change-password', passwords, headers)).statusCode).toBe(200);
  expect((await call('confirm-email', { token: first })).json().code).toBe('link_refused');
  const [second, third] = [await requested(headers), await requested(headers, 'ada@third.example')];
  // The link is bound to the address that it was sent to.
  const forged = `${Buffer.from('eve@example.com').toString('base64url')}.${third.split('.')[1]}`;
  for (const token of [forged, 'x', '../x'])
    expect((await call('confirm-email', { token })).json().code).toBe('link_refused');
  expect((await call('confirm-email', { token: third })).json()).toEqual({
    email: 'ada@third.example',
  });
  expect((await call('confirm-email', { token: second })).json().code).toBe('link_refused');
  expect((await signIn(email, passwords.newPassword)).statusCode).toBe(401);
});

it('an address that has an account is told so, and the response does not reveal it', async () => {
  const { headers, email } = await addMember(test, operator, 'viewer');
  const other = await addMember(test, operator, 'viewer');
  expect((await call('change-email', { email: other.email }, headers)).json()).toEqual({
    success: true,
  });
  const mails = await sent();
  expect(mails.map(({ to }) => to)).toEqual([other.email, email]);
  expect(tokenIn(mails)).toBeUndefined();
  // An account that appears between the request and the confirmation keeps its address.
  const token = await requested(headers);
  await test.deps.accounts.changeEmail(other.userId, NEW);
  expect((await call('confirm-email', { token })).json().code).toBe('account_exists');
});

it('a change needs a sign-in of the last 10 minutes, another address, and is limited to five an hour', async () => {
  const { headers, email } = await addMember(test, operator, 'viewer');
  expect((await call('change-email', { email: NEW })).statusCode).toBe(401);
  const same = await call('change-email', { email: email.toUpperCase() }, headers);
  expect([same.statusCode, same.json().detail]).toEqual([400, expect.stringContaining('already')]);
  const statuses = [];
  for (let count = 0; count < 6; count++)
    statuses.push((await call('change-email', { email: NEW }, headers)).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  await test.deps.database.execute('UPDATE user_sessions SET created_at = $1', [
    new Date(test.deps.clock.now().getTime() - 11 * 60_000),
  ]);
  const cookie = headers.cookie.replace(/(?:; )?[^;]*session_data=[^;]*/, '');
  const late = await call('change-email', { email: NEW }, { ...headers, cookie });
  expect(late.json().code).toBe('recent_sign_in_required');
});

it('a server that sends no mail refuses the change with the command of its operator', async () => {
  await test.close();
  test = await openTestApp();
  const { headers, email } = await addMember(test, await addOrganization(test), 'viewer');
  const answer = await call('change-email', { email: NEW }, headers);
  expect([answer.statusCode, answer.json().detail]).toEqual([
    400,
    expect.stringContaining(`docent users email ${email} ${NEW}`),
  ]);
});
