import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import type { PasswordForm, Passwords } from '../../ports/accounts.ts';
import { takeTurns } from './turns.ts';

type Cost = Required<Pick<ScryptOptions, 'N' | 'r' | 'p' | 'maxmem'>>;

const derive = promisify<string, Buffer | string, number, Cost, Buffer>(scrypt);

/** Room for one hash: each form takes 128·N·r = 32 MiB, and some KB. */
const maxmem = 33 * 1024 * 1024;
/** Form 1, of accounts: `<salt>:<hash>` in hexadecimal; the digits of the salt are the salt. */
const FORM_1 = { cost: { N: 2 ** 14, r: 16, p: 1, maxmem }, bytes: 64 };
/**
 * Form 2: `scrypt.<salt>.<hash>` in base64url. OWASP's parameters that need as little memory as
 * form 1, and three times its work (decisions/2026-11-28-password-hashes.md). Previews have always
 * been stored so.
 */
const FORM_2 = { cost: { N: 2 ** 15, r: 8, p: 3, maxmem }, bytes: 32 };
const START_2 = 'scrypt.';

const TURNS = {
  atOnce: 2,
  maxWaiting: 50,
  refusal: 'Too many passwords are being checked now; try again in a few seconds.',
};

/**
 * Returns how passwords are stored and compared: those of accounts and of previews, together at
 * most two at a time, so that they take at most 64 MiB. Further ones wait; beyond 50 of them,
 * methods throw `dependency_unavailable`.
 * @param writes the form of new hashes of accounts
 */
export function createPasswords(writes: PasswordForm = STORED_FORMS.password.writes): Passwords {
  const turn = takeTurns(TURNS);
  const deriveIn = (password: string, salt: Buffer | string, { cost, bytes }: typeof FORM_1) =>
    turn(() => derive(password.normalize('NFKC'), salt, bytes, cost));
  return {
    form: writes,
    async hash(password, form = writes) {
      const salt = randomBytes(16);
      if (form === 2)
        return `${START_2}${base64(salt)}.${base64(await deriveIn(password, salt, FORM_2))}`;
      const digits = salt.toString('hex');
      return `${digits}:${(await deriveIn(password, digits, FORM_1)).toString('hex')}`;
    },
    async verify({ hash, password }) {
      const isNew = hash.startsWith(START_2);
      const [salt = '', expected = ''] = isNew
        ? hash.slice(START_2.length).split('.')
        : hash.split(':');
      const key = isNew
        ? await deriveIn(password, Buffer.from(salt, 'base64url'), FORM_2)
        : await deriveIn(password, salt, FORM_1);
      const stored = Buffer.from(expected, isNew ? 'base64url' : 'hex');
      return stored.length === key.length && timingSafeEqual(stored, key);
    },
    isOutdated: (hash) => writes === 2 && !hash.startsWith(START_2),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64url');
}
