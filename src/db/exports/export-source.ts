import type { QueryRunner } from '../../ports/database.ts';

/** What an export of a deployment is built from. */
export interface ExportSource {
  manifestKey: string;
  buildId: string;
  /** When the site first had this content: publishing the same content again does not change it. */
  publishedAt: Date;
}

/** `undefined` if the deployment was not built, or its build was deleted. */
export async function findExportSource(queries: QueryRunner, deploymentId: string): Promise<ExportSource | undefined> {
  const row = await queries
    .selectFrom('deployments')
    .select(['site_id', 'manifest_key', 'build_id', 'created_at'])
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  if (!row?.manifest_key || row.build_id === null) return undefined;
  const first = await queries
    .selectFrom('deployments')
    .select('created_at')
    .where('site_id', '=', row.site_id)
    .where('build_id', '=', row.build_id)
    .where('preview_id', 'is', null)
    .where('status', '=', 'success')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return { manifestKey: row.manifest_key, buildId: row.build_id, publishedAt: first?.created_at ?? row.created_at };
}
