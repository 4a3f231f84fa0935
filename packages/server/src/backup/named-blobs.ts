import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** Returns the newest source of each site and each preview, which a rebuild needs. */
export async function findNamedSourcesOfSites(
  queries: QueryRunner,
): Promise<{ site: string; key: string }[]> {
  const { rows } = await sql<{ site: string; key: string }>`
    SELECT DISTINCT ON (deployments.site_id, preview_id) sites.slug AS site, source_key AS key
    FROM deployments JOIN sites ON sites.id = deployments.site_id WHERE deleted_at IS NULL
    ORDER BY deployments.site_id, preview_id, deployments.created_at DESC, deployments.id DESC`.execute(
    queries,
  );
  return rows;
}

/** Returns the bundles of completed exports that are kept. */
export async function findNamedBundles(
  queries: QueryRunner,
): Promise<{ site: string; jobId: string; key: string; sha256: string }[]> {
  return queries
    .selectFrom('export_jobs')
    .innerJoin('sites', 'sites.id', 'export_jobs.site_id')
    .select([
      'sites.slug as site',
      'export_jobs.id as jobId',
      'bundle_key as key',
      'bundle_sha256 as sha256',
    ])
    .where('status', '=', 'completed')
    .where('bundle_deleted_at', 'is', null)
    .$narrowType<{ key: string; sha256: string }>()
    .orderBy('export_jobs.id')
    .execute();
}
