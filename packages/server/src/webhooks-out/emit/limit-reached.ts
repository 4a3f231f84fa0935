import { hasRow } from '../../kernel/db/query-parts.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { QueryRunner } from '../../ports/database.ts';
import { type EmitDeps, emitOrganizationEvent } from './emit-event.ts';

interface ReachedLimit {
  organizationId: string;
  /** Null for a limit of the organization. */
  siteId: string | null;
  /** Names it for programs. */
  limit: string;
  title: string;
  /** Below the pages of the organization in the dashboard. */
  path: string;
}

/** Sends that a limit was reached, once on each UTC day. */
export async function announceLimit(
  deps: EmitDeps & Pick<Deps, 'database'>,
  { organizationId, siteId, limit, title, path }: ReachedLimit,
): Promise<void> {
  const day = deps.clock.now().toISOString().slice(0, 10);
  const id = [organizationId, siteId ?? '-', limit, day].join(' ');
  const row = { id, announced_at: deps.clock.now() };
  await deps.database.queries.transaction().execute(async (transaction) => {
    const insert = transaction.insertInto('announced_limits').values(row);
    const isFirst = await hasRow(
      insert.onConflict((conflict) => conflict.doNothing()).returning('id'),
    );
    if (!isFirst) return;
    const details = { limit };
    const event = { type: 'limit.reached' as const, organizationId, siteId, title, path, details };
    await emitOrganizationEvent(deps, transaction, event);
  });
}

/** Deletes what was announced before that time. */
export async function deleteOldAnnouncedLimits(queries: QueryRunner, before: Date): Promise<void> {
  await queries.deleteFrom('announced_limits').where('announced_at', '<', before).execute();
}
