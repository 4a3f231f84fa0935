import type { KeyToCheck } from '../../db/api-keys.ts';
import type { Clock } from '../../ports/clock.ts';
import { createFreshCache } from '../fresh-cache.ts';

/** Caches keys that were found, so that a public key under load costs one query in two seconds. */
export interface KeyCache {
  /** @param load queries the database; a key that it does not find is not cached */
  find(hash: string, load: () => Promise<KeyToCheck | undefined>): Promise<KeyToCheck | undefined>;
  /**
   * Removes a key that was revoked here; it is refused at once. One revoked in another process is refused within five seconds.
   */
  invalidate(keyId: string): void;
  /** The same for all keys of an organization that was deleted here, or whose plan changed. */
  invalidateOrganisation(organisationId: string): void;
}

export function createKeyCache({ clock }: { clock: Clock }): KeyCache {
  const keys = createFreshCache<KeyToCheck>({ clock, freshMs: 2000, usableMs: 5000, maxEntries: 10_000 });
  return {
    find: keys.get,
    invalidate: (keyId) => keys.invalidateWhere(({ id }) => id === keyId),
    invalidateOrganisation: (one) => keys.invalidateWhere(({ organisationId }) => organisationId === one),
  };
}
