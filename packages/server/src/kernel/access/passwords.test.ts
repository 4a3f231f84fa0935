import { scryptSync } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const PASSWORD = 'a long passphrase of Ada';

/** The hash that previews of the release before have. */
function previewHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef');
  const hash = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 });
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

describe('passwords', () => {
  it('are stored so that the release before reads them, and that which it stored is read', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash(PASSWORD);
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true);
    for (const stored of [await hashPassword(PASSWORD), previewHash(PASSWORD)]) {
      expect(await passwords.verify({ hash: stored, password: PASSWORD })).toBe(true);
      expect(await passwords.verify({ hash: stored, password: `${PASSWORD}!` })).toBe(false);
      expect(passwords.isOutdated(stored)).toBe(false);
    }
  });

  it('have the parameters that OWASP recommends in the form of the next release, which renews the former one', async () => {
    const next = createPasswords(2);
    const hash = await next.hash(PASSWORD);
    const [, salt = '', key] = hash.split('.');
    const expected = scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, {
      N: 2 ** 15,
      r: 8,
      p: 3,
      maxmem: 2 ** 26,
    });
    expect(key).toBe(expected.toString('base64url'));
    expect([
      next.isOutdated(hash),
      next.isOutdated(await createPasswords(1).hash(PASSWORD)),
    ]).toEqual([false, true]);
    expect(await createPasswords().verify({ hash, password: PASSWORD })).toBe(true);
  });

  it('of damaged hashes are never right', async () => {
    const passwords = createPasswords();
    for (const hash of ['', ':', 'scrypt..', 'scrypt.abc', '00:', 'scrypt.AAAA.AAAA'])
      expect(await passwords.verify({ hash, password: PASSWORD })).toBe(false);
  });

  it('that arrive beyond two at a time and 50 that wait are refused with 503, and later ones are checked again', async () => {
    const passwords = createPasswords();
    const results = await Promise.allSettled(
      Array.from({ length: 53 }, () => passwords.hash(PASSWORD)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
    expect(results.at(-1)).toMatchObject({
      reason: { code: 'dependency_unavailable', retryAfterSeconds: 5 },
    });
    expect(await passwords.hash(PASSWORD)).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });
});
