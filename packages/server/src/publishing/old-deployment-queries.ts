import { sql } from 'kysely';
import type { Queries } from '../ports/database.ts';
import { DELETED_MANIFEST } from '../ports/tables.ts';
import { isInUse } from './kept-build-queries.ts';

/** Changed per transaction: the embedded database serves no other query meanwhile. */
const STEP = 200;

/**
 * Deletes the reports, logs, stages and lists of changed pages of deployments that ended before
 * this time, except of those whose build is stored. @returns their number
 */
export function deleteOldReports(queries: Queries, endedBefore: Date): Promise<number> {
  const hasDetails = sql<boolean>`(
    jsonb_typeof(report) = 'object' OR log <> '[]' OR stages <> '[]' OR changes IS NOT NULL
  )`;
  return inSteps(() =>
    queries
      .updateTable('deployments')
      .set({ report: JSON.stringify(null), stages: '[]', log: '[]', changes: null })
      .where('id', 'in', endedWithoutBuild(queries, endedBefore).where(hasDetails))
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => Number(numUpdatedRows)),
  );
}

/**
 * Deletes the rows of deployments that ended before this time, with those of their exports. The
 * newest of each site and preview stays, and so does what has a stored build or bundle, or had a
 * bundle until recently. @returns their number
 */
export function deleteOldDeployments(queries: Queries, endedBefore: Date): Promise<number> {
  const isNewest = sql<boolean>`NOT EXISTS (
    SELECT FROM deployments newer WHERE newer.site_id = deployments.site_id
    AND newer.preview_id IS NOT DISTINCT FROM deployments.preview_id
    AND (newer.created_at, newer.id) > (deployments.created_at, deployments.id)
  )`;
  const hasExport = sql<boolean>`EXISTS (
    SELECT FROM export_jobs WHERE export_jobs.deployment_id = deployments.id AND (
      export_jobs.updated_at >= ${endedBefore} OR export_jobs.bundle_deleted_at >= ${endedBefore}
      OR (export_jobs.bundle_key IS NOT NULL AND export_jobs.bundle_deleted_at IS NULL)
    )
  )`;
  const isUnused = sql<boolean>`(NOT ${isNewest} AND NOT ${hasExport})`;
  return inSteps(() =>
    queries
      .deleteFrom('deployments')
      .where('id', 'in', endedWithoutBuild(queries, endedBefore).where(isUnused))
      .executeTakeFirst()
      .then(({ numDeletedRows }) => Number(numDeletedRows)),
  );
}

const hasNoBuild = sql<boolean>`(
  (deployments.manifest_key IS NULL OR deployments.manifest_key = ${DELETED_MANIFEST})
  AND NOT ${isInUse}
)`;

/** The next deployments that ended before this time and whose build is not stored. */
function endedWithoutBuild(queries: Queries, endedBefore: Date) {
  return queries
    .selectFrom('deployments')
    .select('id')
    .where('ended_at', '<', endedBefore)
    .where(hasNoBuild)
    .limit(STEP);
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count < STEP) return total;
  }
}
