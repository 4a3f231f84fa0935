import type { QueryRunner } from '../../ports/database.ts';
import type { AccessRow } from '../../ports/readers/reader-store.ts';
import type { MethodName } from '../../ports/readers/reader-tables.ts';

const DEFAULT_SESSION_DAYS = 7;

/**
 * Returns who may read a site. @param lock whether others wait with their changes until the
 * transaction ends
 */
export async function findAccess(
  queries: QueryRunner,
  siteId: string,
  { lock = false } = {},
): Promise<AccessRow> {
  const select = queries
    .selectFrom('site_access')
    .select(['is_private as isPrivate', 'session_days as sessionDays', 'methods'])
    .where('site_id', '=', siteId);
  const row = await (lock ? select.forUpdate() : select).executeTakeFirst();
  return row ?? { isPrivate: false, sessionDays: DEFAULT_SESSION_DAYS, methods: {} };
}

/**
 * Stores who may read a site, and deletes the sessions of the ways to sign in that ended or have
 * other credentials now.
 */
export async function storeAccess(
  queries: QueryRunner,
  siteId: string,
  access: AccessRow,
  now: Date,
): Promise<void> {
  const row = {
    is_private: access.isPrivate,
    session_days: access.sessionDays,
    methods: JSON.stringify(access.methods),
    changed_at: now,
  };
  await queries
    .insertInto('site_access')
    .values({ site_id: siteId, ...row })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(row))
    .execute();
  const generations = Object.entries(access.methods).map(
    ([method, { generation }]) => [method as MethodName, generation] as const,
  );
  await queries
    .deleteFrom('reader_sessions')
    .where('site_id', '=', siteId)
    .where(({ and, not, eb }) =>
      and(
        generations.map(([method, generation]) =>
          not(and([eb('method', '=', method), eb('generation', '=', generation)])),
        ),
      ),
    )
    .execute();
}
