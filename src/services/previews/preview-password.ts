import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Deps } from '../deps.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** OWASP's parameters for scrypt; about 60 ms and 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const HASH_BYTES = 32;

/** How long a browser that entered the password has access. */
export const UNLOCKED_SECONDS = 7 * 24 * 60 * 60;

/** Returns what is stored of a password: salt and hash. */
export async function hashPreviewPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, COST);
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

export async function isPreviewPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('.');
  const found = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), HASH_BYTES, COST);
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'));
}

interface LockedPreview {
  id: string;
  passwordHash: string;
}

/** Returns the value of the access cookie; changing the password invalidates it. */
export function makeUnlockToken({ secret, clock }: Pick<Deps, 'secret' | 'clock'>, preview: LockedPreview): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + UNLOCKED_SECONDS;
  return `${expires}.${sign(secret, preview, String(expires))}`;
}

export function isUnlockToken({ secret, clock }: Pick<Deps, 'secret' | 'clock'>, preview: LockedPreview, token: string): boolean {
  const [expires = '', signature = ''] = token.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false;
  const expected = Buffer.from(sign(secret, preview, expires));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: string, { id, passwordHash }: LockedPreview, expires: string): string {
  return createHmac('sha256', secret).update(`preview ${id} ${passwordHash} ${expires}`).digest('base64url');
}
