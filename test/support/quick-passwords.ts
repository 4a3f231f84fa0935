import { hash } from 'node:crypto';
import type { Passwords } from '../../packages/server/src/ports/accounts.ts';

/**
 * Fast hashes: the real ones, which the tests of passwords use, would take two minutes of CPU for a
 * thousand sign-ins.
 */
export const quickPasswords: Passwords = {
  form: 1,
  hash: async (password: string) => hash('sha256', password),
  verify: async (stored: { hash: string; password: string }) =>
    stored.hash === hash('sha256', stored.password),
  isOutdated: () => false,
};
