import { type InferResult, sql } from 'kysely';
import type { BuildStage, LogLine } from '../../core/deployments/build-progress.ts';
import type { PageChanges } from '../../core/deployments/page-changes.ts';
import type { BuildReport } from '../../core/site-build.ts';
import type { QueryRunner } from '../../ports/database.ts';
import { type ListSlice, onPage } from '../list-place.ts';
import { DELETED_MANIFEST, type DeploymentStatus } from '../tables.ts';

/** A deployment as shown while it is followed. */
export interface DeploymentProgress extends DeploymentSummary {
  stages: BuildStage[];
  log: LogLine[];
}

export interface DeploymentDetails extends DeploymentProgress {
  report: BuildReport | null;
  changes: PageChanges | null;
}

const columns = [
  'deployments.id',
  'deployments.site_id as siteId',
  'previews.name as preview',
  'deployments.status',
  'deployments.end_reason as endReason',
  'deployments.summary',
  'deployments.pinned',
  sql<boolean>`sites.live_deployment_id IS NOT DISTINCT FROM deployments.id`.as('isLive'),
  // Its build is stored, so it can be made live.
  sql<boolean>`coalesce(deployments.manifest_key, ${DELETED_MANIFEST}) <> ${DELETED_MANIFEST}`.as('isKept'),
  'deployments.page_count as pages',
  'deployments.error_count as errors',
  'deployments.warning_count as warnings',
  'deployments.build_bytes as bytes',
  'deployments.attempts',
  'deployments.created_at as createdAt',
  'deployments.started_at as startedAt',
  'deployments.ended_at as endedAt',
] as const;

function deploymentsOf(queries: QueryRunner, siteId: string) {
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .leftJoin('previews', 'previews.id', 'deployments.preview_id')
    .select(columns)
    .where('deployments.site_id', '=', siteId)
    .where('deployments.deleted_at', 'is', null);
}

/** A deployment as shown in lists. */
export type DeploymentSummary = InferResult<ReturnType<typeof deploymentsOf>>[number];

export interface DeploymentFilter extends ListSlice {
  status?: DeploymentStatus | undefined;
  /** Only those of previews, only others, or only those of the preview with that id. */
  preview?: boolean | { id: string } | undefined;
}

/** Returns the deployments of a site, newest first. */
export async function listDeployments(
  queries: QueryRunner,
  siteId: string,
  { status, preview, after, limit }: DeploymentFilter,
): Promise<DeploymentSummary[]> {
  let rows = deploymentsOf(queries, siteId);
  if (status !== undefined) rows = rows.where('deployments.status', '=', status);
  if (typeof preview === 'object') rows = rows.where('deployments.preview_id', '=', preview.id);
  else if (preview !== undefined) rows = rows.where('deployments.preview_id', preview ? 'is not' : 'is', null);
  return rows.$call(onPage({ after, limit }, ['deployments.created_at', 'deployments.id'])).execute();
}

/** Returns a deployment of a site with its stages and its log. */
export async function findProgress(queries: QueryRunner, siteId: string, id: string): Promise<DeploymentProgress | undefined> {
  return deploymentsOf(queries, siteId)
    .select(['deployments.stages', 'deployments.log'])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

/** Returns a deployment of a site with all details. */
export async function findDeploymentDetails(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<DeploymentDetails | undefined> {
  return deploymentsOf(queries, siteId)
    .select(['deployments.stages', 'deployments.log', 'deployments.report', 'deployments.changes'])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}
