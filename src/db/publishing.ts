import { sql } from 'kysely';
import type { BuildReport, SiteBuild } from '../core/site-build.ts';
import type { Queries, QueryRunner, Transaction } from '../ports/database.ts';

export interface DeploymentToBuild {
  id: string;
  siteId: string;
  organisationId: string;
  sourceKey: string;
}

/**
 * Takes a deployment to build it; also one that was begun before, by a process that died.
 * @returns `undefined` where it is finished already
 */
export async function beginDeployment(queries: QueryRunner, id: string, now: Date): Promise<DeploymentToBuild | undefined> {
  return queries
    .updateTable('deployments')
    .set({ status: 'in_progress', attempts: sql<number>`attempts + 1`, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'in_progress'])
    .returning([
      'id',
      'site_id as siteId',
      'source_key as sourceKey',
      sql<string>`(select organisation_id from sites where sites.id = deployments.site_id)`.as('organisationId'),
    ])
    .executeTakeFirst();
}

/**
 * Finishes a deployment and moves the site's live pointer to it, in one transaction. The pointer stays where it is
 * when a deployment that was started later is live already.
 * @param also what has to happen if and only if the deployment is published
 */
export async function publishDeployment(
  queries: Queries,
  done: {
    id: string;
    siteId: string;
    manifestKey: string;
    build: SiteBuild;
    buildBytes: number;
    addedBytes: number;
    summary: string;
    now: Date;
  },
  also: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const deployment = await transaction
      .updateTable('deployments')
      .set({
        status: 'success',
        manifest_key: done.manifestKey,
        build_id: done.build.id,
        build_bytes: done.buildBytes,
        added_bytes: done.addedBytes,
        summary: done.summary,
        report: JSON.stringify(done.build.report),
        updated_at: done.now,
        ended_at: done.now,
      })
      .where('id', '=', done.id)
      .where('status', '=', 'in_progress')
      .returning(['id', 'created_at'])
      .executeTakeFirst();
    if (!deployment) return;
    await transaction
      .updateTable('sites')
      .set({ live_deployment_id: done.id, name: done.build.config.name, updated_at: done.now })
      .where('id', '=', done.siteId)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('deployments as live')
              .select('live.id')
              .whereRef('live.id', '=', 'sites.live_deployment_id')
              .where('live.created_at', '>', deployment.created_at),
          ),
        ),
      )
      .execute();
    await also(transaction);
  });
}

/**
 * Notes that a try ended with an error.
 * @param leftBytes what it left in the blob store
 * @returns how many did by now; `undefined` where the deployment has ended
 */
export async function countDeploymentFailure(
  queries: QueryRunner,
  id: string,
  { now, leftBytes }: { now: Date; leftBytes: number },
): Promise<number | undefined> {
  const row = await queries
    .updateTable('deployments')
    .set({ failures: sql<number>`failures + 1`, added_bytes: sql<number>`added_bytes + ${leftBytes}`, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .returning('failures')
    .executeTakeFirst();
  return row?.failures;
}

/** How often a build of a deployment was begun. */
export async function countDeploymentAttempts(queries: QueryRunner, id: string): Promise<number> {
  const row = await queries.selectFrom('deployments').select('attempts').where('id', '=', id).executeTakeFirst();
  return row?.attempts ?? 0;
}

/** Finishes a deployment that cannot be built. The live site stays as it was. */
export async function failDeployment(
  queries: QueryRunner,
  failed: { id: string; summary: string; report: BuildReport | null; now: Date; leftBytes?: number },
): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({
      status: 'failure',
      summary: failed.summary,
      report: JSON.stringify(failed.report),
      added_bytes: sql<number>`added_bytes + ${failed.leftBytes ?? 0}`,
      updated_at: failed.now,
      ended_at: failed.now,
    })
    .where('id', '=', failed.id)
    .where('status', 'in', ['queued', 'in_progress'])
    .execute();
}
