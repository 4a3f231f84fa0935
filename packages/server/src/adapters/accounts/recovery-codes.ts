import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { BackupCodeOptions } from 'better-auth/plugins/two-factor';
import { findRecoveryCodes } from '../../kernel/access/second-factor-queries.ts';
import type { PasswordForm } from '../../ports/accounts.ts';
import type { Queries } from '../../ports/database.ts';
import { findSender } from './single-use-codes.ts';

const VERIFY = '/two-factor/verify-backup-code';
/**
 * 25 signs of base32: 125 bits, for which a fast hash with a salt is as good as a slow one (OWASP
 * ASVS 5.0, 6.5.2: 112 bits).
 */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const START = 'sha256.';
/** In place of a code that must not be accepted; the library counts it as a wrong one. */
const REFUSED = 'refused';

/**
 * How the library creates and stores recovery codes. A set is encrypted JSON: in form 1 of the
 * codes, in form 2 of their salted hashes. Whichever the set has, what remains of it after a code
 * was used is stored in the current form.
 * @param secret that of the library
 */
export function recoveryCodeOptions(secret: string, writes: PasswordForm): BackupCodeOptions {
  return {
    customBackupCodesGenerate: () => Array.from({ length: 10 }, createCode),
    storeBackupCodes: {
      encrypt: (json) => {
        const codes = JSON.parse(json) as string[];
        const stored =
          writes === 2
            ? codes.map((code) => (code.startsWith(START) ? code : hashOf(code, newSalt())))
            : codes;
        return symmetricEncrypt({ key: secret, data: JSON.stringify(stored) });
      },
      decrypt: (data) => symmetricDecrypt({ key: secret, data }),
    },
  };
}

/**
 * Lets the library, which compares codes with what is stored, accept a code whose hash is stored.
 */
export function hashedRecoveryCodes(queries: Queries): BetterAuthPlugin {
  const handler = createAuthMiddleware(async (context) => {
    const { userId } = await findSender(context);
    const encrypted = userId && (await findRecoveryCodes(queries, userId));
    // Without a person, the library refuses every code.
    if (!encrypted) return;
    const { code } = context.body as { code: string };
    const stored = JSON.parse(
      await symmetricDecrypt({ key: context.context.secretConfig, data: encrypted }),
    ) as string[];
    const match = stored.find((entry) =>
      entry.startsWith(START) ? isHashOf(entry, code) : entry === code,
    );
    return { context: { body: { ...context.body, code: match ?? REFUSED } } };
  });
  return {
    id: 'hashed-recovery-codes',
    hooks: { before: [{ matcher: ({ path }) => path === VERIFY, handler }] },
  };
}

/** Returns a code such as `k3m9x-…`: signs that are not mistaken for others. */
function createCode(): string {
  const signs = Array.from(randomBytes(GROUPS * 5), (byte) => SIGNS[byte % SIGNS.length]).join('');
  return (signs.match(/.{5}/g) ?? []).join('-');
}

function newSalt(): string {
  return randomBytes(16).toString('base64url');
}

function hashOf(code: string, salt: string): string {
  return `${START}${salt}.${createHash('sha256').update(`${salt}.${code}`).digest('base64url')}`;
}

function isHashOf(entry: string, code: string): boolean {
  const [, salt = ''] = entry.split('.');
  const [stored, sent] = [Buffer.from(entry), Buffer.from(hashOf(code, salt))];
  return stored.length === sent.length && timingSafeEqual(stored, sent);
}
