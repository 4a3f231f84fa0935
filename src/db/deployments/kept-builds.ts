import { sql } from 'kysely';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { DELETED_MANIFEST } from '../tables.ts';

/** A deployment whose build is in the blob store. */
export interface StoredBuild {
  deploymentId: string;
  siteId: string;
  organisationId: string;
  /** The preview that it was built for. */
  previewId: string | null;
  manifestKey: string;
  /** All its files. */
  buildBytes: number;
  /** Those that the site's build before it had not. */
  addedBytes: number;
  publishedAt: Date;
  /** Whether it is live, shown by a preview or pinned, or a job that has not ended exports it. */
  isInUse: boolean;
}

/** Live, shown by a preview, pinned, or exported by a job that has not ended. */
export const isInUse = sql<boolean>`(
  deployments.pinned
  or exists (select 1 from previews where previews.deployment_id = deployments.id)
  or exists (select 1 from sites where sites.live_deployment_id = deployments.id)
  or exists (select 1 from export_jobs where export_jobs.deployment_id = deployments.id and export_jobs.status in ('queued', 'running'))
)`;

/** All of them, those of one site together, the newest first. */
export async function listStoredBuilds(queries: QueryRunner): Promise<StoredBuild[]> {
  const publishedAt = sql<Date>`coalesce(deployments.ended_at, deployments.updated_at)`.as('publishedAt');
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select([
      'deployments.id as deploymentId',
      'deployments.site_id as siteId',
      'sites.organisation_id as organisationId',
      'deployments.preview_id as previewId',
      'deployments.manifest_key as manifestKey',
      'deployments.build_bytes as buildBytes',
      'deployments.added_bytes as addedBytes',
      publishedAt,
      isInUse.as('isInUse'),
    ])
    .where('manifest_key', 'is not', null)
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .$narrowType<{ manifestKey: string }>()
    .orderBy('deployments.site_id')
    .orderBy('deployments.created_at', 'desc')
    .orderBy('deployments.id', 'desc')
    .execute();
}

/** The manifest of the newest build of a site that is stored. */
export async function findNewestManifest(queries: QueryRunner, siteId: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('deployments')
    .select('manifest_key as manifestKey')
    .where('site_id', '=', siteId)
    .where('manifest_key', 'is not', null)
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.manifestKey ?? undefined;
}

/** From now on nothing leads to these builds. Those that came into use meanwhile stay. */
export async function forgetBuilds(queries: Queries, deploymentIds: readonly string[]): Promise<void> {
  if (deploymentIds.length === 0) return;
  await queries.transaction().execute(async (transaction) => {
    // One that is being promoted is waited for: only the second statement sees what came of it.
    await transaction.selectFrom('deployments').select('id').where('id', 'in', deploymentIds).orderBy('id').forUpdate().execute();
    await transaction
      .updateTable('deployments')
      .set({ manifest_key: DELETED_MANIFEST, build_bytes: 0, added_bytes: 0 })
      .where('id', 'in', deploymentIds)
      .where(sql<boolean>`not ${isInUse}`)
      .execute();
  });
}

/**
 * Runs `work` while no deployment can begin or end, if none is being built and every stored build is one of those that are known.
 * A build takes what the store has already instead of writing it again, so nothing may be deleted beside one.
 * @param known manifest keys
 * @param begunAfter a build that was begun before is taken for dead
 * @returns whether it was run
 */
export async function besideNoBuild(
  queries: Queries,
  { known, begunAfter }: { known: ReadonlySet<string>; begunAfter: Date },
  work: () => Promise<void>,
): Promise<boolean> {
  return queries.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE deployments IN SHARE MODE`.execute(transaction);
    const rows = await transaction
      .selectFrom('deployments')
      .select('manifest_key as manifestKey')
      .where((row) =>
        row.or([
          row.and([row('manifest_key', 'is not', null), row('manifest_key', '<>', DELETED_MANIFEST)]),
          row.and([row('status', '=', 'in_progress'), row('updated_at', '>', begunAfter)]),
        ]),
      )
      .execute();
    // A build that is being made has no manifest yet, and so is none that is known.
    if (!rows.every(({ manifestKey }) => manifestKey !== null && known.has(manifestKey))) return false;
    await work();
    return true;
  });
}

/**
 * Keys of the uploaded sources that may be built: those of deployments that have not ended or ended after `endedAfter`, and of the
 * newest deployment of each site and each preview.
 */
export async function findNeededSources(queries: QueryRunner, endedAfter: Date): Promise<Set<string>> {
  const isNewest = sql<boolean>`not exists (
    select 1 from deployments newer where newer.site_id = deployments.site_id and newer.deleted_at is null
    and newer.preview_id is not distinct from deployments.preview_id
    and (newer.created_at, newer.id) > (deployments.created_at, deployments.id)
  )`;
  const rows = await queries
    .selectFrom('deployments')
    .select('source_key as key')
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>', endedAfter), isNewest]))
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Those of these keys that any deployment names. */
export async function findNamedSources(queries: QueryRunner, keys: readonly string[]): Promise<Set<string>> {
  const rows = await queries.selectFrom('deployments').select('source_key as key').where('source_key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
}
