import type { KeyToCheck } from '../../db/api-keys.ts';
import type { Clock } from '../../ports/clock.ts';
import { createFreshCache } from '../fresh-cache.ts';

export type KeyCache = ReturnType<typeof createKeyCache>;

/** Several thousand keys. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Caches keys that were found, so that a public key under load costs one query in two seconds. */
export function createKeyCache({ clock }: { clock: Clock }) {
  const keys = createFreshCache<KeyToCheck>({ name: 'keys', clock, freshMs: 2000, usableMs: 5000, maxBytes: MAX_BYTES });
  return {
    find: keys.get,
    /** Removes a key that was revoked here; it is refused at once. One revoked in another process is refused within five seconds. */
    invalidate: (keyId: string) => keys.invalidateWhere(({ id }) => id === keyId),
    /** The same for all keys of an organization that was deleted here, or whose plan changed. */
    invalidateOrganization: (one: string) => keys.invalidateWhere(({ organizationId }) => organizationId === one),
  };
}
