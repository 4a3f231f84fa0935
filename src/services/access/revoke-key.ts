import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { lockKeys, revokeApiKeys } from '../../db/api-keys.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';

/**
 * Revokes a key at once, and with it every key that was created with it. Revoking it again is no error.
 * @throws DocentError `key_not_found`
 */
export async function revokeKey(
  { database, clock, keyCache }: Pick<Deps, 'database' | 'clock' | 'keyCache'>,
  actor: Actor,
  keyId: string,
): Promise<void> {
  requirePermission(actor, 'keys.write');
  if (!isUlid(keyId)) throw notFound();
  const revoked = await database.queries.transaction().execute(async (transaction) => {
    await lockKeys(transaction, actor.organisationId);
    const keys = await revokeApiKeys(transaction, actor.organisationId, keyId, clock.now());
    if (keys.some(({ kind }) => kind === 'admin')) requirePermission(actor, 'admin-keys.write');
    return keys;
  });
  for (const { id } of revoked) keyCache.invalidate(id);
  if (revoked.length === 0) throw notFound();
}

function notFound(): DocentError {
  return new DocentError('key_not_found', 'The organization has no such key.');
}
