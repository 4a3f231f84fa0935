import { type Actor, requirePermission } from '../core/access/may.ts';
import { DocentError } from '../core/errors.ts';
import { revokeApiKey } from '../db/api-keys.ts';
import type { Deps } from './deps.ts';
import { isUlid } from './ids.ts';

/**
 * Makes a key worthless at once. Revoking it again is no error.
 * @throws DocentError `key_not_found`
 */
export async function revokeKey(
  { database, clock, keyCache }: Pick<Deps, 'database' | 'clock' | 'keyCache'>,
  actor: Actor,
  keyId: string,
): Promise<void> {
  requirePermission(actor, 'keys.write');
  const revoked = isUlid(keyId) && (await revokeApiKey(database.queries, actor.organisationId, keyId, clock.now()));
  keyCache.forget(keyId);
  if (!revoked) throw new DocentError('key_not_found', 'The organisation has no such key.');
}
