import type { FieldError } from '../errors.ts';
import { type IpRange, parseIpRange, rangeInRange } from './ip.ts';

export type KeyKind = 'assistant' | 'admin';

/** Scopes of an admin key: read, change everything but keys, create and revoke keys. */
export const KEY_SCOPES = ['read', 'write', 'keys'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * Returns whether a key with these scopes has `wanted`. An empty list means every scope; each scope
 * includes `read`.
 */
export function grants(scopes: readonly KeyScope[], scope: KeyScope): boolean {
  return scopes.length === 0 || scopes.includes(scope) || scope === 'read';
}

const PREFIXES: Record<KeyKind, string> = { assistant: 'svc_dsc_', admin: 'svc_' };
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 24 random bytes are 192 bits: 33 digits of base 62. */
export const KEY_RANDOM_BYTES = 24;
const RANDOM_LENGTH = 33;
/** 32 bits of checksum: 6 digits of base 62. */
const CHECKSUM_LENGTH = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 (ISO 3309) of ASCII text. It detects typing errors before a lookup. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Formats a key: prefix of its kind, random part, checksum.
 * @param random `KEY_RANDOM_BYTES` unpredictable bytes
 */
export function formatKey(kind: KeyKind, random: Uint8Array): string {
  if (random.length !== KEY_RANDOM_BYTES)
    throw new TypeError(`A key takes ${KEY_RANDOM_BYTES} random bytes, not ${random.length}.`);
  const value = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const text = PREFIXES[kind] + base62(value, RANDOM_LENGTH);
  return text + base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

/** Returns the kind of a well-formed key with a valid checksum; `undefined` for any other text. */
export function parseKey(text: string): { kind: KeyKind } | undefined {
  const kind: KeyKind = text.startsWith(PREFIXES.assistant) ? 'assistant' : 'admin';
  const prefix = PREFIXES[kind];
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return undefined;
  const signed = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(base62(BigInt(crc32(signed)), CHECKSUM_LENGTH)) ? { kind } : undefined;
}

/** Returns the name of a key in lists: its prefix and the last four characters. */
export function maskKey(key: string): string {
  const prefix = key.startsWith(PREFIXES.assistant) ? PREFIXES.assistant : PREFIXES.admin;
  return `${prefix}…${key.slice(-4)}`;
}

/** The limits of a key, fixed for its lifetime. */
export interface KeyBounds {
  /** Empty: everything. */
  scopes: readonly KeyScope[];
  /** Empty: every address. */
  ipAllowlist: readonly string[];
  /** `null` for never. */
  expiresAt: Date | null;
  /** Empty: every site of the organization. */
  siteIds: readonly string[];
}

/**
 * Checks whether a new key would exceed the key that creates it. Without an error, the creating key
 * may do everything that the new key may do.
 * @returns one error for each option that is too wide; none if the new key is within the bounds
 */
export function faultsBeyondCreator(
  creator: KeyBounds,
  created: KeyBounds & { kind: KeyKind },
): FieldError[] {
  const errors: FieldError[] = [];
  const beyond =
    created.kind === 'admin'
      ? KEY_SCOPES.filter(
          (keyScope) => grants(created.scopes, keyScope) && !grants(creator.scopes, keyScope),
        )
      : [];
  if (beyond.length > 0) {
    const names = beyond.map((scope) => `"${scope}"`).join(', ');
    errors.push({
      path: '/scopes',
      message: `The creating key does not have ${names}; leave it out.`,
    });
  }
  if (
    creator.expiresAt !== null &&
    (created.expiresAt === null || created.expiresAt > creator.expiresAt)
  ) {
    const until = creator.expiresAt.toISOString();
    errors.push({
      path: '/expiresInDays',
      message: `The creating key expires at ${until}; choose fewer days, or omit it for the same time.`,
    });
  }
  if (created.kind === 'admin' && creator.siteIds.length > 0)
    errors.push(...siteFaults(creator.siteIds, created.siteIds));
  if (creator.ipAllowlist.length > 0)
    errors.push(...addressFaults(creator.ipAllowlist, created.ipAllowlist));
  return errors;
}

function siteFaults(allowed: readonly string[], requested: readonly string[]): FieldError[] {
  if (requested.length > 0 && requested.every((siteId) => allowed.includes(siteId))) return [];
  return [
    { path: '/siteIds', message: 'The creating key is bound to sites; specify some of these.' },
  ];
}

function addressFaults(
  allowed: readonly string[],
  requestedRanges: readonly string[],
): FieldError[] {
  if (requestedRanges.length === 0) {
    return [
      {
        path: '/ipAllowlist',
        message: 'The creating key is limited to addresses; specify some of them.',
      },
    ];
  }
  const outer = allowed.map((text) => parseIpRange(text)).filter((range) => range !== undefined);
  const isInside = (range: IpRange | undefined) =>
    range !== undefined && outer.some((outerRange) => rangeInRange(range, outerRange));
  return requestedRanges.flatMap((text, index) =>
    isInside(parseIpRange(text))
      ? []
      : [
          {
            path: `/ipAllowlist/${index}`,
            message: `"${text}" is outside the addresses of the creating key.`,
          },
        ],
  );
}
