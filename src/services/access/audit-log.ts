import { type Actor, actorId, requirePermission } from '../../core/access/may.ts';
import { errorMessage } from '../../core/error-message.ts';
import { type AuditFilter, type AuditRow, insertAuditRow, listAuditRows } from '../../db/audit-log.ts';
import { listMemberships } from '../../db/members.ts';
import type { ListSlice } from '../../db/query-parts.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { type ListPage, type PageRequest, readPage } from '../list-pages.ts';
import { storableText } from '../storable-text.ts';

/** Refused requests cost their caller nothing, so an organization gets only a limited number of such rows per hour. */
const REFUSALS = { name: 'audit-refusals', points: 1000, windowSeconds: 3600 };
const THING_CHARACTERS = 300;

/** Writes one management operation to the audit log. Never fails: the operation is over, and an error is logged. */
export async function recordAudit(
  { database, clock, limiter, logger }: Pick<Deps, 'database' | 'clock' | 'limiter' | 'logger'>,
  actor: Actor,
  entry: Omit<AuditRow, 'id' | 'at' | 'actor'>,
): Promise<void> {
  const at = clock.now();
  const thing = entry.thing && storableText(entry.thing).slice(0, THING_CHARACTERS);
  const row: AuditRow = { ...entry, thing, id: createUlid(at), at, actor: actorId(actor) };
  try {
    if (entry.outcome === 'refused' && !(await limiter.consume(REFUSALS, actor.organisationId)).allowed) return;
    await insertAuditRow(database.queries, actor.organisationId, row);
  } catch (error) {
    const reason = errorMessage(error);
    logger.error({ ...row, reason }, 'an entry of the audit log could not be stored');
  }
}

/** Writes a person's change of their own account to the audit logs of all their organizations. Never fails. */
export async function recordAccountAudit(
  deps: Parameters<typeof recordAudit>[0],
  userId: string,
  entry: Omit<AuditRow, 'id' | 'at' | 'actor' | 'thing'>,
): Promise<void> {
  const memberships = await listMemberships(deps.database.queries, userId).catch((error: Error) => {
    deps.logger.error({ ...entry, userId, reason: error.message }, 'an entry of the audit log could not be stored');
    return [];
  });
  for (const { organisationId, role, plan } of memberships)
    await recordAudit(deps, { kind: 'member', userId, sessionId: '', role, organisationId, plan }, { ...entry, thing: userId });
}

/**
 * Returns the operations in the actor's organization, newest first.
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function listAuditLog(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  { cursor, limit, ...filter }: AuditFilter & PageRequest,
): Promise<ListPage<AuditRow>> {
  requirePermission(actor, 'audit.read');
  const read = (slice: ListSlice) => listAuditRows(database.queries, actor.organisationId, { ...filter, ...slice });
  return readPage({ cursor, limit }, read, ({ at, id }) => ({ at, id }));
}
