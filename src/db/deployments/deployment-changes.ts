import { sql } from 'kysely';
import type { QueryRunner, Transaction } from '../../ports/database.ts';
import { DELETED_MANIFEST, type DeploymentStatus } from '../tables.ts';
import { isInUse } from './kept-builds.ts';

/** The state that decides whether a deployment can be changed; locked until the transaction ends. */
export interface LockedDeployment {
  status: DeploymentStatus;
  isKept: boolean;
  isLive: boolean;
  /** Live, shown by a preview, pinned, or exported by a running job. */
  isInUse: boolean;
}

/** Locks a deployment of a site. The caller has locked the site. */
export async function lockDeployment(
  transaction: Transaction,
  siteId: string,
  id: string,
): Promise<LockedDeployment | undefined> {
  const locked = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  return transaction
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select([
      'deployments.status',
      sql<boolean>`coalesce(deployments.manifest_key, ${DELETED_MANIFEST}) <> ${DELETED_MANIFEST}`.as('isKept'),
      sql<boolean>`sites.live_deployment_id IS NOT DISTINCT FROM deployments.id`.as('isLive'),
      isInUse.as('isInUse'),
    ])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

/** Moves the live pointer of a site to a stored build. */
export async function setLive(queries: QueryRunner, siteId: string, deploymentId: string, now: Date): Promise<void> {
  await queries
    .updateTable('sites')
    .set({ live_deployment_id: deploymentId, promoted_at: now, updated_at: now })
    .where('id', '=', siteId)
    .execute();
  // A preview's deployment belongs to the site from now on: it outlives the preview.
  await queries.updateTable('deployments').set({ preview_id: null }).where('id', '=', deploymentId).execute();
}

/** Pins the build of a deployment, or unpins it, so that it can expire. */
export async function setPinned(queries: QueryRunner, id: string, pinned: boolean, now: Date): Promise<void> {
  await queries.updateTable('deployments').set({ pinned, updated_at: now }).where('id', '=', id).execute();
}

/** Deletes everything that a deployment stores; its row stays for the exports that were made from it. */
export async function deleteDeploymentRow(queries: QueryRunner, id: string, now: Date): Promise<void> {
  await queries
    .updateTable('deployments')
    .set({
      deleted_at: now,
      updated_at: now,
      pinned: false,
      manifest_key: sql<string | null>`CASE WHEN manifest_key IS NULL THEN NULL ELSE ${DELETED_MANIFEST} END`,
      build_bytes: 0,
      added_bytes: 0,
      report: JSON.stringify(null),
      stages: '[]',
      log: '[]',
      changes: null,
    })
    .where('id', '=', id)
    .execute();
}
