import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AccountAnswer, Accounts } from './accounts.ts';

const PASSWORD = 'correct horse battery';

/** The `Cookie` header that a browser sends after an answer. */
export function cookieOf({ cookies }: Pick<AccountAnswer, 'cookies'>): string {
  return cookies
    .map((cookie) => cookie.split(';')[0] as string)
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

/** The code that an authenticator app shows for a key of a `otpauth:` address (RFC 6238). */
export function totpOf(address: string, now = Date.now()): string {
  const bits = [...(new URL(address).searchParams.get('secret') as string)]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) as number) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/**
 * The code before the one that `totpOf` returns from then on: a code works once, so tests that
 * enter two begin with this one. It waits until both are good for some seconds.
 */
export async function previousTotpOf(address: string): Promise<string> {
  while (Date.now() % 30_000 > 20_000) await new Promise((resolve) => setTimeout(resolve, 100));
  return totpOf(address, Date.now() - 30_000);
}

/** What every store of accounts guarantees. */
export function accountsContract(
  name: string,
  open: () => Promise<{ accounts: Accounts; close: () => Promise<void> }>,
): void {
  describe(`accounts: ${name}`, () => {
    let accounts: Accounts;
    let close: () => Promise<void>;
    let count = 0;
    beforeAll(async () => {
      ({ accounts, close } = await open());
    });
    afterAll(() => close());
    afterEach(() => vi.useRealTimers());

    const newUser = () => {
      count += 1;
      return accounts.createUser({
        name: 'Ada',
        email: `Ada${count}@Example.com`,
        password: PASSWORD,
      });
    };
    const post = (path: string, body: object, cookie?: string) =>
      accounts.perform({ method: 'POST', path, body, cookie });
    const signIn = async (email: string, password = PASSWORD) => {
      const answer = await post('/sign-in/email', { email, password });
      return { ...answer, cookie: cookieOf(answer) };
    };

    test('only the cookies of a sign-in identify its session', async () => {
      const user = await newUser();
      const { cookie, cookies } = await signIn(user.email);
      expect(
        cookies.every(
          (one) => /; HttpOnly/i.test(one) && /; SameSite=Lax/i.test(one) && /; Path=\//i.test(one),
        ),
      ).toBe(true);
      expect((await accounts.findSession({ cookie }))?.user).toEqual({
        ...user,
        twoFactorEnabled: false,
      });
      expect(await accounts.findSession({})).toBeUndefined();
      const forged = cookie
        .replace(/(?<=\.session=[^;]{5})./, (sign) => (sign === 'X' ? 'Y' : 'X'))
        .replace(/; [^;]*session_data=[^;]*/, '');
      expect(await accounts.findSession({ cookie: forged })).toBeUndefined();
    });

    test('email addresses are case-insensitive and unique, also under concurrent registration', async () => {
      const user = await newUser();
      expect(user.email).toBe(user.email.toLowerCase());
      const again = { name: 'Eve', email: user.email.toUpperCase(), password: PASSWORD };
      await expect(accounts.createUser(again)).rejects.toMatchObject({ code: 'account_exists' });
      const twins = { name: 'Twin', email: `twin${count}@example.com`, password: PASSWORD };
      const made = await Promise.allSettled([
        accounts.createUser(twins),
        accounts.createUser(twins),
      ]);
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('a wrong password and an unknown address are rejected with the same message', async () => {
      const user = await newUser();
      const faults = await Promise.all(
        [signIn(user.email, 'not the password'), signIn('nobody@example.com')].map((one) =>
          one.catch((error: Error) => error),
        ),
      );
      for (const fault of faults)
        expect(fault).toMatchObject({
          code: 'wrong_credentials',
          message: 'Email address or password is wrong.',
        });
    });

    test('passwords that are too short or too long are rejected', async () => {
      for (const password of ['short', 'x'.repeat(129)]) {
        const user = { name: 'Ada', email: 'bounds@example.com', password };
        await expect(accounts.createUser(user)).rejects.toMatchObject({ code: 'invalid_request' });
      }
    });

    test('public sign-up is not available', async () => {
      const body = { name: 'Eve', email: 'eve@example.com', password: PASSWORD };
      await expect(post('/sign-up/email', body)).rejects.toMatchObject({ code: 'invalid_request' });
      await expect(signIn('eve@example.com')).rejects.toMatchObject({ code: 'wrong_credentials' });
    });

    test('sessions are listed and revoked one by one, and signing out ends the current one', async () => {
      const user = await newUser();
      const [first, second] = [await signIn(user.email), await signIn(user.email)];
      const list = async (cookie: string) =>
        (await accounts.perform({ method: 'GET', path: '/list-sessions', cookie })).body as {
          token: string;
          id: string;
        }[];
      expect(await list(first.cookie)).toHaveLength(2);
      const { sessionId } = (await accounts.findSession({ cookie: second.cookie })) as {
        sessionId: string;
      };
      const { token } = (await list(first.cookie)).find(({ id }) => id === sessionId) as {
        token: string;
      };
      await post('/revoke-session', { token }, first.cookie);
      expect(await list(first.cookie)).toHaveLength(1);
      const answer = await post('/sign-out', {}, first.cookie);
      expect(answer.cookies.every((one) => /Max-Age=0/i.test(one))).toBe(true);
      await expect(list(first.cookie)).rejects.toMatchObject({ code: 'unauthenticated' });
    });

    test('a reset link sets a password once and ends all sessions', async () => {
      const user = await newUser();
      const { cookie } = await signIn(user.email);
      const token = await accounts.createPasswordReset(user.id);
      const body = { token, newPassword: 'another long password' };
      expect(await accounts.findPasswordReset(token)).toEqual({ ...user, twoFactorEnabled: false });
      expect(await accounts.findPasswordReset(`${token}x`)).toBeUndefined();
      const attempts = await Promise.allSettled([
        post('/reset-password', body),
        post('/reset-password', body),
      ]);
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(post('/reset-password', body)).rejects.toMatchObject({ code: 'link_refused' });
      expect(await accounts.findPasswordReset(token)).toBeUndefined();
      await expect(signIn(user.email)).rejects.toMatchObject({ code: 'wrong_credentials' });
      await expect(
        accounts.perform({ method: 'GET', path: '/list-sessions', cookie }),
      ).rejects.toMatchObject({
        code: 'unauthenticated',
      });
      await signIn(user.email, 'another long password');
    });

    test('a changed address signs in, and neither the former one nor a link that it was sent', async () => {
      const user = await newUser();
      const other = await newUser();
      const { cookie } = await signIn(user.email);
      const token = await accounts.createPasswordReset(user.id, { provesAddress: true });
      await expect(accounts.changeEmail(user.id, other.email.toUpperCase())).rejects.toMatchObject({
        code: 'account_exists',
      });
      await accounts.changeEmail(user.id, `New-${user.email}`);
      expect(await accounts.findPasswordReset(token)).toBeUndefined();
      await expect(signIn(user.email)).rejects.toMatchObject({ code: 'wrong_credentials' });
      const again = await signIn(`new-${user.email}`);
      expect((await accounts.findSession({ cookie: again.cookie }))?.user).toMatchObject({
        id: user.id,
        email: `new-${user.email}`,
      });
      expect(await accounts.findSession({ cookie })).toBeDefined();
    });

    test('with a second factor, a session needs a code or a recovery code, and each recovery code works once', async () => {
      const user = await newUser();
      const { cookie } = await signIn(user.email);
      const enabled = (await post('/two-factor/enable', { password: PASSWORD }, cookie)).body as {
        totpURI: string;
        backupCodes: string[];
      };
      await post('/two-factor/verify-totp', { code: totpOf(enabled.totpURI) }, cookie);
      const pending = await signIn(user.email);
      expect(pending.body).toMatchObject({ twoFactorRedirect: true });
      expect(await accounts.findSession({ cookie: pending.cookie })).toBeUndefined();
      const wrong = post('/two-factor/verify-totp', { code: '000000' }, pending.cookie);
      await expect(wrong).rejects.toMatchObject({ code: 'wrong_credentials' });
      const code = enabled.backupCodes[0] as string;
      const verified = await post('/two-factor/verify-backup-code', { code }, pending.cookie);
      expect((await accounts.findSession({ cookie: cookieOf(verified) }))?.user).toMatchObject({
        id: user.id,
        twoFactorEnabled: true,
      });
      const next = await signIn(user.email);
      const again = post('/two-factor/verify-backup-code', { code }, next.cookie);
      await expect(again).rejects.toMatchObject({ code: 'wrong_credentials' });
      await accounts.removeTwoFactor(user.id);
      expect((await signIn(user.email)).body).not.toMatchObject({ twoFactorRedirect: true });
    });

    /**
     * Turns on the second factor with the code before the current one, which leaves the current one
     * for a sign-in.
     */
    const withSecondFactor = async () => {
      const user = await newUser();
      const { cookie } = await signIn(user.email);
      const { totpURI } = (await post('/two-factor/enable', { password: PASSWORD }, cookie))
        .body as { totpURI: string };
      const code = await previousTotpOf(totpURI);
      const enabled = await post('/two-factor/verify-totp', { code }, cookie);
      return { user, totpURI, code, cookie: cookieOf(enabled) };
    };
    test('a code works once, whoever sends it how often, and neither does an older one or one of the future', async () => {
      const { user, totpURI, code: first } = await withSecondFactor();
      const pending = await Promise.all([signIn(user.email), signIn(user.email)]);
      const now = Date.now();
      for (const code of [first, totpOf(totpURI, now - 90_000), totpOf(totpURI, now + 90_000)]) {
        const refused = post('/two-factor/verify-totp', { code }, pending[0]?.cookie);
        await expect(refused).rejects.toMatchObject({ code: 'wrong_credentials' });
      }
      const both = pending.map(({ cookie }) =>
        post('/two-factor/verify-totp', { code: totpOf(totpURI, now) }, cookie),
      );
      expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual([
        'fulfilled',
        'rejected',
      ]);
      const { cookie } = await signIn(user.email);
      const replayed = post('/two-factor/verify-totp', { code: totpOf(totpURI, now) }, cookie);
      await expect(replayed).rejects.toMatchObject({ code: 'wrong_credentials' });
    });

    test('a code is good for a sign-in for 30 seconds, and a late one is refused with the advice to wait for the next', async () => {
      const { user, totpURI } = await withSecondFactor();
      // Neither code was used.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
      const { cookie } = await signIn(user.email);
      const late = post(
        '/two-factor/verify-totp',
        { code: totpOf(totpURI, Date.now() - 30_000) },
        cookie,
      );
      await expect(late).rejects.toMatchObject({
        code: 'wrong_credentials',
        message: expect.stringContaining('Wait for the next code'),
      });
      const verified = await post('/two-factor/verify-totp', { code: totpOf(totpURI) }, cookie);
      expect((await accounts.findSession({ cookie: cookieOf(verified) }))?.user.id).toBe(user.id);
    });

    test('a trusted device skips the code, until the password or the second factor changes', async () => {
      const NEXT = 'another long password';
      const enableAgain = async (cookie: string) => {
        const { totpURI } = (await post('/two-factor/enable', { password: PASSWORD }, cookie))
          .body as { totpURI: string };
        await post('/two-factor/verify-totp', { code: totpOf(totpURI) }, cookie);
      };
      const changes: Record<string, (cookie: string, userId: string) => Promise<string>> = {
        nothing: async () => PASSWORD,
        password: async (cookie) => {
          await post('/change-password', { currentPassword: PASSWORD, newPassword: NEXT }, cookie);
          return NEXT;
        },
        link: async (_, userId) => {
          await accounts.resetPassword(await accounts.createPasswordReset(userId), NEXT);
          return NEXT;
        },
        secret: async (cookie) => {
          await enableAgain(
            cookieOf(await post('/two-factor/disable', { password: PASSWORD }, cookie)),
          );
          return PASSWORD;
        },
      };
      for (const [change, run] of Object.entries(changes)) {
        const { user, totpURI, cookie } = await withSecondFactor();
        const pending = await signIn(user.email);
        const code = totpOf(totpURI);
        const device = cookieOf(
          await post('/two-factor/verify-totp', { code, trustDevice: true }, pending.cookie),
        );
        const password = await run(cookie, user.id);
        const { body } = await post('/sign-in/email', { email: user.email, password }, device);
        expect([
          change,
          (body as { twoFactorRedirect?: boolean }).twoFactorRedirect ?? false,
        ]).toEqual([change, change !== 'nothing']);
      }
    });

    test('a used link to set a password ends the others of the account', async () => {
      const user = await newUser();
      const [older, newer] = [
        await accounts.createPasswordReset(user.id),
        await accounts.createPasswordReset(user.id),
      ];
      await accounts.resetPassword(newer, 'another long password');
      await expect(accounts.resetPassword(older, PASSWORD)).rejects.toMatchObject({
        code: 'link_refused',
      });
      await signIn(user.email, 'another long password');
    });

    test('a deleted account cannot sign in', async () => {
      const user = await newUser();
      await accounts.deleteUser(user.id);
      await expect(signIn(user.email)).rejects.toMatchObject({ code: 'wrong_credentials' });
    });
  });
}
