import type { FieldError } from '../errors.ts';
import { type IpRange, parseIpRange, rangeInRange } from './ip.ts';
import { grants, KEY_SCOPES, type KeyKind, type KeyScope } from './keys.ts';

/** The limits of a key, fixed for its lifetime. */
export interface KeyBounds {
  /** Empty: everything. */
  scopes: readonly KeyScope[];
  /** Empty: every address. */
  ipAllowlist: readonly string[];
  /** `null` for never. */
  expiresAt: Date | null;
}

/**
 * Checks whether a new key would exceed the key that creates it. Without an error, the creating key may do everything that the
 * new key may do.
 * @returns one error for each option that is too wide; none if the new key is within the bounds
 */
export function faultsBeyondCreator(creator: KeyBounds, created: KeyBounds & { kind: KeyKind }): FieldError[] {
  const errors: FieldError[] = [];
  const beyond =
    created.kind === 'admin' ? KEY_SCOPES.filter((one) => grants(created.scopes, one) && !grants(creator.scopes, one)) : [];
  if (beyond.length > 0) {
    const names = beyond.map((scope) => `"${scope}"`).join(', ');
    errors.push({ path: '/scopes', message: `The creating key does not have ${names}; leave it out.` });
  }
  if (creator.expiresAt !== null && (created.expiresAt === null || created.expiresAt > creator.expiresAt)) {
    const until = creator.expiresAt.toISOString();
    errors.push({
      path: '/expiresInDays',
      message: `The creating key expires at ${until}; choose fewer days, or omit it for the same time.`,
    });
  }
  if (creator.ipAllowlist.length > 0) errors.push(...addressFaults(creator.ipAllowlist, created.ipAllowlist));
  return errors;
}

function addressFaults(allowed: readonly string[], wanted: readonly string[]): FieldError[] {
  if (wanted.length === 0) {
    return [{ path: '/ipAllowlist', message: 'The creating key is limited to addresses; specify some of them.' }];
  }
  const outer = allowed.map((text) => parseIpRange(text)).filter((range) => range !== undefined);
  const isInside = (range: IpRange | undefined) => range !== undefined && outer.some((one) => rangeInRange(range, one));
  return wanted.flatMap((text, index) =>
    isInside(parseIpRange(text))
      ? []
      : [{ path: `/ipAllowlist/${index}`, message: `"${text}" is outside the addresses of the creating key.` }],
  );
}
