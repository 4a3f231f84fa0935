import { type Actor, requirePermission } from '../../core/access/may.ts';
import { type ApiKeyRow, listApiKeys } from '../../db/api-keys.ts';
import type { Deps } from '../deps.ts';

/** The keys of the actor's organisation, newest first, each only in its masked form. */
export async function listKeys({ database }: Pick<Deps, 'database'>, actor: Actor): Promise<ApiKeyRow[]> {
  requirePermission(actor, 'keys.read');
  return listApiKeys(database.queries, actor.organisationId);
}
