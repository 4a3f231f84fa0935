import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { sendMail } from '../accounts/send-mail.ts';
import { sendMailJob } from '../ports/jobs.ts';
import type { Mail } from '../ports/mailer.ts';

const origin = 'http://localhost:3000';
const NEXT = 'another long passphrase';

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
  callDeclared(test.app, { method: 'POST', url: `/v1/${path}`, headers, payload });
const ask = (email: string) => call('auth/request-password-reset', { email });
const reset = (token: string, newPassword = NEXT) =>
  call('auth/reset-password', { token, newPassword });

/** Sends the queued mail. */
async function sent(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
  for (const { name, payload } of test.deps.jobs.added.splice(0))
    if (name === sendMailJob.name)
      await sendMail({ ...test.deps, mailer }, sendMailJob.parse(payload));
  return mails;
}
const tokenIn = ({ text }: Mail): string =>
  /\/dashboard\/(?:reset|invite)\/(\S+)/.exec(text)?.[1] as string;

it('a mailed link sets a password once, ends all sessions, verifies the address and is in the audit log', async () => {
  const { email, headers, userId } = await addMember(test, operator, 'owner');
  expect((await ask(email.toUpperCase())).json()).toEqual({ success: true });
  // The queue contains no secret.
  expect(JSON.stringify(test.deps.jobs.added)).not.toMatch(/token|mail\./);
  const mails = await sent();
  expect(mails).toMatchObject([{ to: email, subject: 'Set a new password' }]);
  const token = tokenIn(mails[0] as Mail);
  expect((await reset(token, 'short')).statusCode).toBe(400);
  const read = () =>
    callDeclared(test.app, { method: 'GET', url: `/v1/auth/reset-password/${token}` });
  expect((await read()).json()).toEqual({ email });
  const both = await Promise.all([reset(token), reset(token)]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  expect((await read()).json()).toMatchObject({ status: 403, code: 'link_refused' });
  expect((await test.app.inject({ method: 'GET', url: '/v1/projects', headers })).statusCode).toBe(
    401,
  );
  expect((await call('auth/sign-in/email', { email, password: PASSWORD })).statusCode).toBe(401);
  expect((await call('auth/sign-in/email', { email, password: NEXT })).statusCode).toBe(200);
  const { queries } = test.deps.database;
  expect(await queries.selectFrom('users').select('email_verified').execute()).toEqual([
    { email_verified: true },
  ]);
  const rows = await queries
    .selectFrom('audit_log')
    .select(['action', 'actor', 'outcome'])
    .execute();
  expect(rows).toContainEqual({ action: 'resetPassword', actor: userId, outcome: 'done' });
});

it('an unknown address receives the same response and no mail', async () => {
  const { email } = await addMember(test, operator, 'viewer');
  const answers = await Promise.all([ask(email), ask('nobody@example.com')]);
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect((await sent()).map(({ to }) => to)).toEqual([email]);
});

it('a reset link of the operator does not verify the address', async () => {
  const { userId } = await addMember(test, operator, 'viewer');
  const token = await test.deps.accounts.createPasswordReset(userId);
  expect((await reset(`mail.${token}`)).statusCode).toBe(403);
  expect((await reset(token)).statusCode).toBe(200);
  expect(
    await test.deps.database.queries.selectFrom('users').select('email_verified').execute(),
  ).toEqual([{ email_verified: false }]);
});

it('one address is limited to five requests per hour, with or without an account', async () => {
  for (const email of ['nobody@example.com', (await addMember(test, operator, 'viewer')).email]) {
    const statuses = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await ask(count % 2 ? email : email.toUpperCase())).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  }
});

it('an account that uses only single sign-on receives a notice instead of a reset link', async () => {
  const { email, userId } = await addMember(test, operator, 'viewer');
  await test.deps.database.queries
    .updateTable('user_credentials')
    .set({ provider_id: 'oidc' })
    .where('user_id', '=', userId)
    .execute();
  await ask(email);
  const mails = await sent();
  expect(mails).toMatchObject([{ to: email, subject: 'Your account has no password' }]);
  expect(tokenIn(mails[0] as Mail)).toBeUndefined();
});

it('an invitation is mailed with the link that the API returns, unless it was revoked', async () => {
  const { headers } = await addMember(test, operator, 'owner');
  const invite = async (email: string) =>
    (await call('organization/invitations', { email, role: 'editor' }, headers)).json();
  const first = await invite('grace@example.com');
  const second = await invite('eve@example.com');
  await callDeclared(test.app, {
    method: 'DELETE',
    url: `/v1/organization/invitations/${second.id}`,
    headers,
  });
  expect(test.deps.jobs.added.every(({ inTransaction }) => inTransaction)).toBe(true);
  const mails = await sent();
  expect(mails.map(({ to }) => to)).toEqual(['grace@example.com']);
  expect(first.url.endsWith(`/dashboard/invite/${tokenIn(mails[0] as Mail)}`)).toBe(true);
  const accepted = await call(`invitations/${tokenIn(mails[0] as Mail)}/accept`, {
    name: 'Grace',
    password: NEXT,
  });
  expect(accepted.statusCode).toBe(200);
});

it('a reset request is rejected with a hint if the server sends no mail', async () => {
  await test.close();
  test = await openTestApp();
  const answer = await ask('ada@example.com');
  expect([answer.statusCode, answer.json().detail]).toEqual([
    400,
    expect.stringContaining('docent users reset'),
  ]);
});

it('account changes are in the audit log of every organization of the user, including refused ones', async () => {
  const { headers, userId } = await addMember(test, operator, 'viewer');
  const second = await addOrganization(test);
  const { queries } = test.deps.database;
  await queries
    .insertInto('members')
    .values({
      user_id: userId,
      organization_id: second.organizationId,
      role: 'viewer',
      created_at: new Date(),
    })
    .execute();
  await call(
    'auth/change-password',
    { currentPassword: 'wrong password', newPassword: NEXT },
    headers,
  );
  await call('auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT }, headers);
  await call('auth/revoke-other-sessions', {}, headers);
  for (const { organizationId } of [operator, second]) {
    const rows = await queries
      .selectFrom('audit_log')
      .select(['action', 'outcome', 'actor'])
      .where('organization_id', '=', organizationId)
      .orderBy('action')
      .orderBy('outcome')
      .execute();
    expect(rows).toEqual([
      { action: 'changePassword', outcome: 'done', actor: userId },
      { action: 'changePassword', outcome: 'refused', actor: userId },
      { action: 'revokeOtherSessions', outcome: 'done', actor: userId },
    ]);
  }
});
