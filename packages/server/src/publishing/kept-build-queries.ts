import { sql } from 'kysely';
import type { Queries, QueryRunner } from '../ports/database.ts';
import { DELETED_MANIFEST } from '../ports/tables.ts';

/** Live, shown by a preview, pinned, or exported by a running job. */
export const isInUse = sql<boolean>`(
  deployments.pinned
  or exists (select 1 from previews where previews.deployment_id = deployments.id)
  or exists (select 1 from sites where sites.live_deployment_id = deployments.id)
  or exists (select 1 from export_jobs where export_jobs.deployment_id = deployments.id and export_jobs.status in ('queued', 'running'))
)`;

/** Returns the deployments whose build is in the blob store, grouped by site, newest first. */
export async function listStoredBuilds(queries: QueryRunner) {
  const publishedAt = sql<Date>`coalesce(deployments.ended_at, deployments.updated_at)`.as(
    'publishedAt',
  );
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
    .select(({ fn, ref }) => [
      fn.coalesce(ref('organizations.created_by_user'), ref('organizations.id')).as('accountable'),
      'deployments.id as deploymentId',
      'deployments.site_id as siteId',
      'sites.organization_id as organizationId',
      'deployments.preview_id as previewId',
      'deployments.manifest_key as manifestKey',
      'deployments.build_bytes as buildBytes',
      'deployments.added_bytes as addedBytes',
      publishedAt,
      isInUse.as('isInUse'),
    ])
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .$narrowType<{ manifestKey: string }>()
    .orderBy('deployments.site_id')
    .orderBy('deployments.number', 'desc')
    .execute();
}

/** A deployment whose build is in the blob store. */
export type StoredBuild = Awaited<ReturnType<typeof listStoredBuilds>>[number];

/** Returns the manifest of a site's newest stored build. */
export async function findNewestManifest(
  queries: QueryRunner,
  siteId: string,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('deployments')
    .select('manifest_key as manifestKey')
    .where('site_id', '=', siteId)
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.manifestKey ?? undefined;
}

/** Returns the manifest of a deployment's build, if that is stored. */
export async function findStoredManifest(
  queries: QueryRunner,
  siteId: string,
  id: string,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('deployments')
    .select('manifest_key as manifestKey')
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .executeTakeFirst();
  return row?.manifestKey ?? undefined;
}

/**
 * Marks these builds as deleted, so that nothing refers to them. Builds that came into use
 * meanwhile stay.
 */
export async function deleteBuildRecords(
  queries: Queries,
  deploymentIds: readonly string[],
): Promise<void> {
  if (deploymentIds.length === 0) return;
  await queries.transaction().execute(async (transaction) => {
    // Waits for a build that is being promoted: only the second statement sees the result.
    await transaction
      .selectFrom('deployments')
      .select('id')
      .where('id', 'in', deploymentIds)
      .orderBy('id')
      .forUpdate()
      .execute();
    await transaction
      .updateTable('deployments')
      .set({ manifest_key: DELETED_MANIFEST, build_bytes: 0, added_bytes: 0 })
      .where('id', 'in', deploymentIds)
      .where(sql<boolean>`not ${isInUse}`)
      .execute();
  });
}

/**
 * Runs `work` while no deployment can begin or end, if none is being built and every stored build
 * is known. A build reuses stored files instead of writing them again, so nothing may be deleted
 * during a build.
 * @param known manifest keys
 * @param begunAfter a build that began before this time is considered dead
 * @returns `done` if it was run; `building` while a site is being built; otherwise the manifest
 *   keys that are not known
 */
export async function besideNoBuild(
  queries: Queries,
  { known, begunAfter }: { known: ReadonlySet<string>; begunAfter: Date },
  work: () => Promise<void>,
): Promise<'done' | 'building' | string[]> {
  return queries.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE deployments IN SHARE MODE`.execute(transaction);
    const rows = await transaction
      .selectFrom('deployments')
      .select('manifest_key as manifestKey')
      .where((row) =>
        row.or([
          row('manifest_key', '<>', DELETED_MANIFEST),
          row.and([row('status', '=', 'in_progress'), row('updated_at', '>', begunAfter)]),
        ]),
      )
      .execute();
    // A build in progress has no manifest yet.
    if (rows.some(({ manifestKey }) => manifestKey === null)) return 'building';
    const unknown = rows.flatMap(({ manifestKey }) =>
      manifestKey !== null && !known.has(manifestKey) ? [manifestKey] : [],
    );
    if (unknown.length > 0) return unknown;
    await work();
    return 'done';
  });
}

/**
 * Returns the keys of uploaded sources that may still be built: those of deployments that have not
 * ended or ended after
 * `endedAfter`, and of the newest deployment of each site and each preview.
 */
export async function findNeededSources(
  queries: QueryRunner,
  endedAfter: Date,
): Promise<Set<string>> {
  const isNewest = sql<boolean>`not exists (
    select 1 from deployments newer where newer.site_id = deployments.site_id and newer.deleted_at is null
    and newer.preview_id is not distinct from deployments.preview_id
    and newer.number > deployments.number
  )`;
  const rows = await queries
    .selectFrom('deployments')
    .select('source_key as key')
    .where((row) =>
      row.or([row('ended_at', 'is', null), row('ended_at', '>', endedAfter), isNewest]),
    )
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Returns those of these keys that any deployment refers to. */
export async function findNamedSources(
  queries: QueryRunner,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await queries
    .selectFrom('deployments')
    .select('source_key as key')
    .where('source_key', 'in', keys)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Records that these uploads are no longer stored. */
export async function deleteSourceBytes(
  queries: QueryRunner,
  sourceKeys: readonly string[],
): Promise<void> {
  if (sourceKeys.length === 0) return;
  await queries
    .updateTable('deployments')
    .set({ source_bytes: 0 })
    .where('source_key', 'in', sourceKeys)
    .where('source_bytes', '>', 0)
    .execute();
}

/** Records that the builds of these deployments are no longer stored. */
export async function deleteBuildBytes(
  queries: QueryRunner,
  deploymentIds: readonly string[],
): Promise<void> {
  if (deploymentIds.length === 0) return;
  await queries
    .updateTable('deployments')
    .set({ build_bytes: 0, added_bytes: 0 })
    .where('id', 'in', deploymentIds)
    .execute();
}
