import { createHash, randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

function crockford(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return text;
}

/** A new ULID: 48 bits of time, then 80 random bits; later ones sort after earlier ones. */
export function createUlid(now: Date): string {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
  return crockford(BigInt(now.getTime()), 10) + crockford(random, 16);
}

/** Whether `text` is written as a ULID. What is not cannot name anything, and is not looked up. */
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

/** Hex SHA-256 of a secret. Right for random secrets, which nobody can guess their way back to. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
