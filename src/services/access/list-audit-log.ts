import { type Actor, requirePermission } from '../../core/access/may.ts';
import { type AuditFilter, type AuditRow, listAuditRows } from '../../db/audit-log.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { type ListPage, pageOf, readCursor } from '../list-cursor.ts';

/**
 * Returns the operations in the actor's organization, newest first.
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function listAuditLog(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  query: Omit<AuditFilter, 'after'> & { cursor?: string | undefined },
): Promise<ListPage<AuditRow>> {
  requirePermission(actor, 'audit.read');
  const { cursor, limit, ...filter } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, isUlid);
  const found = await listAuditRows(database.queries, actor.organisationId, { ...filter, after, limit: limit + 1 });
  return pageOf(found, limit, ({ at, id }) => ({ at, id }));
}
