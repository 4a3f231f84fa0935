import { afterEach, beforeEach, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember, signIn } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';

const MINUTE_MS = 60_000;

let test: TestApp;
beforeEach(async () => {
  test = await openTestApp();
});
afterEach(() => test.close());

/** Lets all sessions have begun some minutes ago. */
const age = (minutes: number) =>
  test.deps.database.execute('UPDATE user_sessions SET created_at = $1', [
    new Date(test.deps.clock.now().getTime() - minutes * MINUTE_MS),
  ]);
/** Without the signed copy of the session, which is a minute old at most. */
const uncached = <Headers extends { cookie: string }>(headers: Headers): Headers => ({
  ...headers,
  cookie: headers.cookie.replace(/(?:; )?[^;]*session_data=[^;]*/, ''),
});
const post = async (path: string, headers: Record<string, string>, payload: object) => {
  const answer = await callDeclared(test.app, {
    method: 'POST',
    url: `/v1/auth/${path}`,
    headers,
    payload,
  });
  return [answer.statusCode, answer.json().code];
};
const statusOf = async (headers: Record<string, string>) =>
  (await callDeclared(test.app, { method: 'GET', url: '/v1/projects', headers })).statusCode;

it('ending sessions and changing how to sign in need a sign-in of the last 10 minutes', async () => {
  const { email, headers } = await addMember(test, await addOrganization(test), 'owner');
  const [mine, other] = [uncached(headers), uncached(await signIn(test, email))];
  const list = await callDeclared(test.app, {
    method: 'GET',
    url: '/v1/auth/list-sessions',
    headers: other,
  });
  const [{ token }] = list.json();
  const sso = { provider: 'oidc', callbackURL: '/dashboard' };
  const operations = [
    ['revoke-session', { token }],
    ['revoke-other-sessions', {}],
    ['link-social', sso],
    ['unlink-social', { provider: 'oidc' }],
  ] as const;
  await age(11);
  for (const [path, body] of operations)
    expect(await post(path, mine, body), path).toEqual([403, 'recent_sign_in_required']);
  // Nothing has ended, and the old session is good for everything else.
  expect([await statusOf(mine), await statusOf(other)]).toEqual([200, 200]);
  await age(9);
  expect(await post('revoke-other-sessions', mine, {})).toEqual([200, undefined]);
  expect([await statusOf(mine), await statusOf(other)]).toEqual([200, 401]);
  // No provider is configured: what they are refused for now is another reason.
  for (const [path, body] of operations.slice(2))
    expect(await post(path, mine, body), path).toEqual([400, 'invalid_request']);
});

it('signing in again is enough to end all sessions that are older', async () => {
  const { email, headers } = await addMember(test, await addOrganization(test), 'owner');
  const other = uncached(await signIn(test, email));
  await age(60);
  expect(await post('revoke-other-sessions', uncached(headers), {})).toEqual([
    403,
    'recent_sign_in_required',
  ]);
  const again = uncached(await signIn(test, email));
  expect(await post('revoke-other-sessions', again, {})).toEqual([200, undefined]);
  expect([await statusOf(again), await statusOf(other), await statusOf(uncached(headers))]).toEqual(
    [200, 401, 401],
  );
});
