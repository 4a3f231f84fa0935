import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, PASSWORD } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { cookieOf, previousTotpOf, totpOf } from '../ports/accounts.contract.ts';

const origin = 'http://localhost:3000';
const DAY_MS = 24 * 3600 * 1000;

let test: TestApp;
beforeEach(async () => {
  test = await openTestApp();
});
afterEach(() => test.close());

const call = (method: 'GET' | 'POST', path: string, cookie: string, payload?: object) =>
  callDeclared(test.app, {
    method,
    url: `/v1/auth/${path}`,
    headers: { cookie, origin },
    ...(payload && { payload }),
  });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  cookieOf({ cookies: [headers['set-cookie'] ?? []].flat() as string[] });

/** Adds a person with a second factor and a trusted browser. */
async function addTrusting() {
  const { email, headers, userId } = await addMember(test, await addOrganization(test), 'owner');
  const { totpURI } = (
    await call('POST', 'two-factor/enable', headers.cookie, { password: PASSWORD })
  ).json();
  const code = await previousTotpOf(totpURI);
  const cookie = cookiesOf(await call('POST', 'two-factor/verify-totp', headers.cookie, { code }));
  const pending = cookiesOf(await signIn(email, ''));
  const verified = await call('POST', 'two-factor/verify-totp', pending, {
    code: totpOf(totpURI),
    trustDevice: true,
  });
  return { email, userId, cookie, device: cookiesOf(verified) };
}

const signIn = (email: string, cookie: string) =>
  call('POST', 'sign-in/email', cookie, { email, password: PASSWORD });
const listOf = async (cookie: string) => (await call('GET', 'trusted-devices', cookie)).json();

it('trusted browsers are listed, and the trust in each can be ended', async () => {
  const { email, cookie, device, userId } = await addTrusting();
  const [trusted, ...others] = await listOf(cookie);
  expect([trusted.ipAddress, others]).toEqual(['127.0.0.1', []]);
  const other = await addTrusting();
  // Nobody ends the trust in somebody else's browser.
  expect(
    (await call('POST', 'revoke-trusted-device', other.cookie, { id: trusted.id })).json(),
  ).toEqual({ success: false });
  const skipped = await signIn(email, device);
  expect(skipped.json()).toEqual({});
  const next = cookiesOf(skipped);
  expect(await listOf(cookie)).toMatchObject([
    { id: trusted.id, trustedAt: trusted.trustedAt, expiresAt: trusted.expiresAt },
  ]);
  expect((await call('POST', 'revoke-trusted-device', cookie, { id: trusted.id })).json()).toEqual({
    success: true,
  });
  expect(await listOf(cookie)).toEqual([]);
  expect((await signIn(email, next)).json()).toEqual({ twoFactorRedirect: true });
  const rows = await test.deps.database.queries
    .selectFrom('audit_log')
    .select(['action', 'actor'])
    .execute();
  expect(rows).toContainEqual({ action: 'revokeTrustedDevice', actor: userId });
  expect((await call('GET', 'trusted-devices', '')).statusCode).toBe(401);
});

it('trust ends 30 days after the code was entered, however often it is used', async () => {
  const { email, cookie, device } = await addTrusting();
  const { queries } = test.deps.database;
  const ends = async () =>
    (
      await queries
        .selectFrom('user_verifications')
        .select('expires_at')
        .where('identifier', 'like', 'trust-device-%')
        .execute()
    ).map(({ expires_at }) => expires_at);
  const [end] = (await ends()) as [Date];
  expect(Math.abs(end.getTime() - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS);
  // As if the code had been entered 29 days earlier.
  const sooner = new Date(end.getTime() - 29 * DAY_MS);
  for (const table of ['user_verifications', 'user_trusted_devices'] as const)
    await queries.updateTable(table).set({ expires_at: sooner }).execute();
  const used = await signIn(email, device);
  expect(used.json()).toEqual({});
  expect(await ends()).toEqual([sooner]);
  expect((await listOf(cookie))[0].expiresAt).toBe(sooner.toISOString());
});
