import type { QueryRunner } from '../../ports/database.ts';
import type { RowOf } from '../tables.ts';

const columns = [
  'deployments.id as id',
  'deployments.site_id as siteId',
  'sites.slug as slug',
  'deployments.status as status',
  'deployments.source_key as sourceKey',
  'deployments.summary as summary',
  'deployments.report as report',
  'deployments.created_at as createdAt',
  'deployments.ended_at as endedAt',
] as const;

export type DeploymentRow = RowOf<'deployments' | 'sites', typeof columns>;

export async function insertDeployment(
  queries: QueryRunner,
  deployment: {
    id: string;
    siteId: string;
    /** The preview that it is for; absent if it is for the site itself. */
    previewId?: string | undefined;
    sourceKey: string;
    createdAt: Date;
    waiting?: boolean;
    turn?: string;
    sourceBytes?: number;
  },
): Promise<void> {
  await queries
    .insertInto('deployments')
    .values({
      id: deployment.id,
      site_id: deployment.siteId,
      preview_id: deployment.previewId ?? null,
      status: 'queued',
      source_key: deployment.sourceKey,
      waiting: deployment.waiting ?? false,
      turn: deployment.turn ?? null,
      source_bytes: deployment.sourceBytes ?? 0,
      manifest_key: null,
      build_id: null,
      summary: '',
      report: JSON.stringify(null),
      created_at: deployment.createdAt,
      updated_at: deployment.createdAt,
      ended_at: null,
    })
    .execute();
}

function selectDeployments(queries: QueryRunner) {
  return queries.selectFrom('deployments').innerJoin('sites', 'sites.id', 'deployments.site_id').select(columns);
}

/** Returns a deployment of a site of that organization. */
export async function findOwnDeployment(
  queries: QueryRunner,
  organisationId: string,
  id: string,
): Promise<DeploymentRow | undefined> {
  return selectDeployments(queries)
    .where('deployments.id', '=', id)
    .where('deployments.deleted_at', 'is', null)
    .where('sites.organisation_id', '=', organisationId)
    .executeTakeFirst();
}

/** Returns the most recently started deployment of a site or one of its previews, whatever its status. */
export async function findLatestDeployment(
  queries: QueryRunner,
  siteId: string,
  previewId: string | null = null,
): Promise<DeploymentRow | undefined> {
  return selectDeployments(queries)
    .where('deployments.site_id', '=', siteId)
    .where('deployments.preview_id', previewId === null ? 'is' : '=', previewId)
    .where('deployments.deleted_at', 'is', null)
    .orderBy('deployments.created_at', 'desc')
    .orderBy('deployments.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
