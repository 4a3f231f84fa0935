import type { Diagnostic } from '../../core/diagnostics.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { countsOf } from './publishing.ts';

/**
 * Puts a diagnostic into the report of a published deployment, replacing the one with its code.
 * @param note undefined removes it
 */
export async function noteOnDeployment(
  queries: Queries,
  deploymentId: string,
  code: string,
  note: Diagnostic | undefined,
  now: Date,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('deployments')
      .select('report')
      .where('id', '=', deploymentId)
      .where('status', '=', 'success')
      .forUpdate()
      .executeTakeFirst();
    if (!row?.report) return;
    const others = row.report.diagnostics.filter((diagnostic) => diagnostic.code !== code);
    if (note === undefined && others.length === row.report.diagnostics.length) return;
    const report = { ...row.report, diagnostics: note === undefined ? others : [...others, note] };
    await transaction
      .updateTable('deployments')
      .set({ report: JSON.stringify(report), ...countsOf(report), updated_at: now })
      .where('id', '=', deploymentId)
      .execute();
  });
}

/** Returns the live deployment of every site. */
export async function listLiveDeployments(queries: QueryRunner): Promise<{ siteId: string; deploymentId: string }[]> {
  const rows = await queries
    .selectFrom('sites')
    .select(['id as siteId', 'live_deployment_id as deploymentId'])
    .where('live_deployment_id', 'is not', null)
    .execute();
  return rows.map(({ siteId, deploymentId }) => ({ siteId, deploymentId: String(deploymentId) }));
}

/** Returns a deployment with the key of its manifest; undefined if it is not live now. */
export async function findLiveDeployment(
  queries: QueryRunner,
  deploymentId: string,
): Promise<{ siteId: string; manifestKey: string } | undefined> {
  const row = await queries
    .selectFrom('sites')
    .innerJoin('deployments', 'deployments.id', 'sites.live_deployment_id')
    .select(['sites.id as siteId', 'deployments.manifest_key as manifestKey'])
    .where('deployments.id', '=', deploymentId)
    .executeTakeFirst();
  return row?.manifestKey ? { siteId: row.siteId, manifestKey: row.manifestKey } : undefined;
}
