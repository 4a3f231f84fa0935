import { type RawBuilder, sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';
import { sharingLimitsWith } from './organization-queries.ts';

/** What an organization has in the blob store. */
export interface StoredBytes {
  /** Uploaded archives. */
  sources: number;
  /** Builds, with files that several builds of a site share counted once. */
  builds: number;
  /**
   * The part of `builds` that deleting older builds can free: all but those that are live, shown by
   * a preview or pinned, and leftovers of failed builds.
   */
  spare: number;
  /** Bundles of exports. */
  bundles: number;
}

/** Sums what an organization has stored. Only reads rows of stored data. */
export async function readStoredBytes(
  queries: QueryRunner,
  organizationId: string,
): Promise<StoredBytes> {
  return sumStoredBytes(queries, sql`(${organizationId})`, null);
}

/**
 * The same for all organizations that share their limits with it.
 * @param exceptSiteId a site whose builds are excluded, because a new one replaces them
 */
export async function readSharedBytes(
  queries: QueryRunner,
  organizationId: string,
  exceptSiteId: string | null = null,
): Promise<StoredBytes> {
  return sumStoredBytes(queries, sharingLimitsWith(organizationId), exceptSiteId);
}

async function sumStoredBytes(
  queries: QueryRunner,
  organizations: RawBuilder<unknown>,
  exceptSiteId: string | null,
): Promise<StoredBytes> {
  const { rows } = await sql<StoredBytes>`
    WITH stored AS (
      SELECT
        deployments.source_bytes,
        CASE WHEN sites.id IS NOT DISTINCT FROM ${exceptSiteId}::text AND build_bytes > 0 THEN 0 ELSE build_bytes END AS build_bytes,
        CASE WHEN sites.id IS NOT DISTINCT FROM ${exceptSiteId}::text AND build_bytes > 0 THEN 0 ELSE added_bytes END AS added_bytes,
        (
          deployments.id = sites.live_deployment_id OR deployments.pinned
          OR EXISTS (SELECT FROM previews WHERE previews.deployment_id = deployments.id)
        ) AS is_needed,
        row_number() OVER (
          PARTITION BY deployments.site_id, build_bytes > 0 ORDER BY deployments.number
        ) AS rank
      FROM deployments JOIN sites ON sites.id = deployments.site_id
      WHERE sites.organization_id IN ${organizations} AND (source_bytes > 0 OR added_bytes > 0)
    ), sums AS (
      SELECT
        coalesce(sum(source_bytes), 0) AS sources,
        coalesce(sum(CASE WHEN build_bytes > 0 AND rank = 1 THEN build_bytes ELSE added_bytes END), 0) AS builds,
        coalesce(sum(CASE WHEN build_bytes = 0 THEN added_bytes WHEN is_needed THEN build_bytes ELSE 0 END), 0) AS needed
      FROM stored
    )
    SELECT
      sources AS sources,
      builds AS builds,
      greatest(builds - needed, 0) AS spare,
      (
        SELECT coalesce(sum(bundle_size_bytes), 0) FROM export_jobs
        WHERE organization_id IN ${organizations} AND status = 'completed' AND bundle_deleted_at IS NULL
      ) AS bundles
    FROM sums`.execute(queries);
  return rows[0] ?? { sources: 0, builds: 0, spare: 0, bundles: 0 };
}
