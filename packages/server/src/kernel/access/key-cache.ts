import type { Clock } from '../../ports/clock.ts';
import { createFreshCache } from '../fresh-cache.ts';
import type { KeyCache, KeyToCheck } from '../process-state.ts';

/** Several thousand keys. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Caches keys that were found, so that a public key under load costs one query in two seconds. */
export function createKeyCache({ clock }: { clock: Clock }): KeyCache {
  const keys = createFreshCache<KeyToCheck>({
    name: 'keys',
    clock,
    freshMs: 2000,
    usableMs: 5000,
    maxBytes: MAX_BYTES,
  });
  return {
    find: keys.get,
    invalidate: (keyId) => keys.invalidateWhere(({ id }) => id === keyId),
    invalidateOrganization: (id) =>
      keys.invalidateWhere(({ organizationId }) => organizationId === id),
  };
}
