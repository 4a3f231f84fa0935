import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** The organisation that a deployment belongs to. */
export async function findOrganisationOfDeployment(queries: QueryRunner, id: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select('sites.organisation_id as organisationId')
    .where('deployments.id', '=', id)
    .executeTakeFirst();
  return row?.organisationId;
}

/** How many deployments of an organisation are built or in the job queue; those that wait for room are not among them. */
export async function countActiveDeployments(queries: QueryRunner, organisationId: string): Promise<number> {
  const row = await queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('sites.organisation_id', '=', organisationId)
    .where('deployments.status', 'in', ['queued', 'in_progress'])
    .where('deployments.waiting', '=', false)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/**
 * The deployments that have waited longest wait no longer; the caller puts them into the job queue in the same transaction.
 * @returns their ids, the oldest first
 */
export async function endWaitingOfOldest(queries: QueryRunner, organisationId: string, count: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select('deployments.id as id')
    .where('sites.organisation_id', '=', organisationId)
    .where('deployments.status', '=', 'queued')
    .where('deployments.waiting', '=', true)
    .orderBy('deployments.created_at')
    .orderBy('deployments.id')
    .limit(count)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await queries.updateTable('deployments').set({ waiting: false }).where('id', 'in', ids).execute();
  return ids;
}

export async function organisationsWithWaitingDeployments(queries: QueryRunner): Promise<string[]> {
  const rows = await queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select('sites.organisation_id as organisationId')
    .distinct()
    .where('deployments.status', '=', 'queued')
    .where('deployments.waiting', '=', true)
    .execute();
  return rows.map(({ organisationId }) => organisationId);
}

/** Ends the deployments of a site that nobody has begun to build. */
export async function supersedeQueued(queries: QueryRunner, siteId: string, now: Date): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({ status: 'failure', summary: 'Superseded by a newer deployment.', updated_at: now, ended_at: now })
    .where('site_id', '=', siteId)
    .where('status', '=', 'queued')
    .execute();
}
