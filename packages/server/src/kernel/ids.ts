import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Returns a new ULID: 48 bits of time, then 80 random bits; later ones sort after earlier ones. */
export function createUlid(now: Date): string {
  let text = '';
  for (let time = now.getTime(); text.length < 10; time = Math.floor(time / 32))
    text = CROCKFORD[time % 32] + text;
  for (const byte of randomBytes(16)) text += CROCKFORD[byte & 31];
  return text;
}

/** Returns whether `text` is a valid ULID. Anything else cannot be an id and is not looked up. */
export function isUlid(text: string): boolean {
  return ULID.test(text);
}

/** Id of an export job: `se_` and 64 random bits. */
export function createExportJobId(): string {
  return `se_${randomBytes(8).toString('hex')}`;
}

export function isExportJobId(text: string): boolean {
  return /^se_[0-9a-f]{16}$/.test(text);
}

/** Clients choose the ids of their messages, so one is only valid inside its thread. */
export function storedMessageId(threadId: string, messageId: string): string {
  return hashSecret(`${threadId}\n${messageId}`).slice(0, 32);
}

/** Returns the hex SHA-256 of a secret. Only safe for random secrets, which cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares a given text with a secret; how long it takes reveals nothing of the secret. */
export function isSecret(candidate: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(candidate)), Buffer.from(hashSecret(secret)));
}
