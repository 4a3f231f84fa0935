import { type Actor, requirePermission } from '../../core/access/may.ts';
import { type ApiKeyRow, listApiKeys } from '../../db/api-keys.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { type ListPage, pageOf, readCursor } from '../list-cursor.ts';

/** Returns the keys of the actor's organization, newest first, only in masked form. @throws DocentError `invalid_request` */
export async function listKeys(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ListPage<ApiKeyRow>> {
  requirePermission(actor, 'keys.read');
  const before = cursor === undefined ? undefined : readCursor(cursor, isUlid);
  const found = await listApiKeys(database.queries, actor.organisationId, { before, limit: limit + 1 });
  return pageOf(found, limit, ({ createdAt: at, id }) => ({ at, id }));
}
