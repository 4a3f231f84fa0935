import { createHash } from 'node:crypto';
import type { BetterAuthOptions } from 'better-auth';
import {
  insertTrustedDevice,
  renewTrustedDevice,
} from '../../kernel/access/second-factor-queries.ts';
import type { Database } from '../../ports/database.ts';
import { cookieValue } from './device-cookie.ts';

/**
 * How long a browser skips the second factor after its code was entered there. Using it does not
 * prolong that.
 */
export const TRUST_SECONDS = 30 * 24 * 3600;

/** How the library's identifiers of trusted devices begin; stored ones too. */
const TRUSTED = 'trust-device-';
const hash = async (identifier: string) =>
  TRUSTED + createHash('sha256').update(identifier).digest('base64url');

/** Stores identifiers as hashes, those of trusted devices recognizably. */
export const hashedIdentifiers = { default: 'hashed', overrides: { [TRUSTED]: { hash } } } as const;

type VerificationHooks = NonNullable<
  NonNullable<BetterAuthOptions['databaseHooks']>['verification']
>;
type BeforeCreate = NonNullable<NonNullable<VerificationHooks['create']>['before']>;

interface Options {
  database: Pick<Database, 'queries'>;
  createId: () => string;
  cookiePrefix: string;
}

/** Keeps a list of the devices that the library trusts, and ends their trust. */
export function keepTrustedDevices({
  database: { queries },
  createId,
  cookiePrefix,
}: Options): VerificationHooks {
  const before: BeforeCreate = async ({ identifier, value: userId }, context) => {
    if (!identifier.startsWith(TRUSTED)) return;
    const now = new Date();
    const header = (context?.headers ?? context?.request?.headers)?.get('cookie') ?? undefined;
    const previous =
      context?.path === '/sign-in/email'
        ? await identifierIn(header, `${cookiePrefix}.trust_device`)
        : undefined;
    const renewedUntil =
      previous === undefined
        ? undefined
        : await renewTrustedDevice(queries, { userId, from: previous, to: identifier }, now);
    const expiresAt = renewedUntil ?? new Date(now.getTime() + TRUST_SECONDS * 1000);
    if (!renewedUntil) {
      const session = context?.context.newSession?.session;
      const place = {
        ipAddress: session?.ipAddress ?? null,
        userAgent: session?.userAgent ?? null,
      };
      await insertTrustedDevice(queries, {
        id: createId(),
        userId,
        identifier,
        ...place,
        trustedAt: now,
        usedAt: now,
        expiresAt,
      });
    }
    return { data: { expiresAt } };
  };
  return { create: { before } };
}

/**
 * Returns the stored identifier of the device that sends a request. The library has checked the
 * signature of its cookie, and the identifier is looked up for the same person only.
 */
async function identifierIn(
  header: string | undefined,
  cookieName: string,
): Promise<string | undefined> {
  const identifier = /!(trust-device-[\w-]+)/.exec(
    decodeURIComponent(cookieValue(header, cookieName) ?? ''),
  )?.[1];
  return identifier === undefined ? undefined : hash(identifier);
}
