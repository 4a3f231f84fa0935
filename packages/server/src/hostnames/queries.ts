import { type Selectable, sql } from 'kysely';
import { columnsOf, type Fields, hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export type HostnameClaim = Fields<Selectable<Tables['hostname_claims']>>;

/** Adds claims; existing claims of the site are unchanged. */
export async function insertHostnameClaims(
  queries: QueryRunner,
  claims: readonly Pick<
    HostnameClaim,
    'hostname' | 'siteId' | 'token' | 'pendingSince' | 'checkAt'
  >[],
): Promise<void> {
  if (claims.length === 0) return;
  await queries
    .insertInto('hostname_claims')
    .values(claims.map((claim) => ({ ...columnsOf(claim), status: 'pending' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the site of a hostname. */
export async function findHostnameHolder(
  queries: QueryRunner,
  hostname: string,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('site_hostnames')
    .select('site_id')
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  return row?.site_id;
}

/** Stores the changes of a check, the operator or the owner. */
export async function updateHostnameClaim(
  queries: QueryRunner,
  { hostname, siteId }: Pick<HostnameClaim, 'hostname' | 'siteId'>,
  changes: Partial<Omit<HostnameClaim, 'hostname' | 'siteId' | 'token'>>,
): Promise<void> {
  await queries
    .updateTable('hostname_claims')
    .set(columnsOf({ ...changes, found: changes.found && JSON.stringify(changes.found) }))
    .where('hostname', '=', hostname)
    .where('site_id', '=', siteId)
    .execute();
}

/** Removes a claim and its hostname. @returns whether it existed */
export async function deleteHostnameClaim(
  queries: QueryRunner,
  hostname: string,
  siteId: string,
): Promise<boolean> {
  await releaseHostname(queries, hostname, siteId);
  return hasRow(
    queries
      .deleteFrom('hostname_claims')
      .where('hostname', '=', hostname)
      .where('site_id', '=', siteId)
      .returning('hostname'),
  );
}

/**
 * Assigns a hostname to a site. Waits for a transaction that takes the same name at the same time.
 * @returns the site that has it now: this one, or the one that was first
 */
export async function takeHostname(
  queries: QueryRunner,
  hostname: string,
  siteId: string,
): Promise<string> {
  await queries
    .insertInto('site_hostnames')
    .values({ hostname, site_id: siteId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findHostnameHolder(queries, hostname)) ?? siteId;
}

/** Removes a hostname from a site, if it has it. */
export async function releaseHostname(
  queries: QueryRunner,
  hostname: string,
  siteId: string,
): Promise<void> {
  await queries
    .deleteFrom('site_hostnames')
    .where('hostname', '=', hostname)
    .where('site_id', '=', siteId)
    .execute();
}

/**
 * Adds claims for hostnames that a process of an older version assigned to a site, as the migration
 * did for earlier ones.
 */
export async function adoptHostnames(queries: QueryRunner, now: Date): Promise<void> {
  await sql`
    INSERT INTO hostname_claims (hostname, site_id, token, status, approved, pending_since)
    SELECT hostname, site_id, replace(gen_random_uuid()::text, '-', ''), 'verified', true, ${now} FROM site_hostnames
    WHERE NOT EXISTS (
      SELECT FROM hostname_claims
      WHERE hostname_claims.hostname = site_hostnames.hostname AND hostname_claims.site_id = site_hostnames.site_id
    )
    ON CONFLICT DO NOTHING`.execute(queries);
}

/**
 * Claims the hostname claims whose check is due, and postpones them until `again`, so that no other
 * process takes them meanwhile and a check that never happens is repeated.
 */
export async function takeDueClaims(
  queries: QueryRunner,
  { now, again, limit }: { now: Date; again: Date; limit: number },
) {
  return queries
    .with('due', (due) =>
      due
        .selectFrom('hostname_claims')
        .select(['hostname', 'site_id'])
        .where('check_at', '<=', now)
        .orderBy('check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('hostname_claims')
    .from('due')
    .set({ check_at: again })
    .whereRef('hostname_claims.hostname', '=', 'due.hostname')
    .whereRef('hostname_claims.site_id', '=', 'due.site_id')
    .returning(['hostname_claims.hostname as hostname', 'hostname_claims.site_id as siteId'])
    .execute();
}
