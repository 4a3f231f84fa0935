import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { sql } from 'kysely';
import { findSite } from '../kernel/sites/site-queries.ts';
import type { Queries, QueryRunner } from '../ports/database.ts';
import { DELETED_MANIFEST } from '../ports/tables.ts';
import { deploymentsOf } from './deployment-queries.ts';
import { isInUse } from './kept-build-queries.ts';
import { countsOf } from './queries.ts';

/** Returns the live site with that identifier, project id or hostname. */
export async function findLiveSite(queries: QueryRunner, domain: string) {
  const site = await findSite(queries, domain);
  const build = site && (await findLiveBuild(queries, site.id));
  if (!build) return undefined;
  const { organizationId, slug, hostnames, security, settings, access } = site;
  return { ...build, organizationId, slug, hostnames, security, settings, access };
}

export type LiveSiteRow = NonNullable<Awaited<ReturnType<typeof findLiveSite>>>;

function liveBuilds(queries: QueryRunner) {
  return queries
    .selectFrom('sites')
    .innerJoin('deployments', 'deployments.id', 'sites.live_deployment_id')
    .select([
      'sites.id as siteId',
      'deployments.id as deploymentId',
      'deployments.manifest_key as manifestKey',
    ])
    .where('deployments.manifest_key', '<>', DELETED_MANIFEST)
    .$narrowType<{ manifestKey: string }>();
}

/** Returns whether the first build of a site waits or runs: nothing is published to it yet. */
export async function isFirstPublish(queries: QueryRunner, domain: string): Promise<boolean> {
  const site = await findSite(queries, domain);
  if (!site) return false;
  const build = await queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select('deployments.id')
    .where('sites.id', '=', site.id)
    .where('sites.live_deployment_id', 'is', null)
    .where('deployments.preview_id', 'is', null)
    .where('deployments.status', 'in', ['queued', 'in_progress'])
    .executeTakeFirst();
  return build !== undefined;
}

/** Returns the live build of a site, by its project id. */
export async function findLiveBuild(queries: QueryRunner, siteId: string) {
  return liveBuilds(queries).where('sites.id', '=', siteId).executeTakeFirst();
}

/** Returns the build of a deployment; undefined if it is not live now. */
export async function findLiveDeployment(queries: QueryRunner, deploymentId: string) {
  return liveBuilds(queries).where('deployments.id', '=', deploymentId).executeTakeFirst();
}

/** Returns the live build of every site. */
export async function listLiveBuilds(queries: QueryRunner) {
  return liveBuilds(queries).execute();
}

/** Returns the identifiers of the most recently published sites, newest first. */
export async function listNewestLive(queries: QueryRunner, limit: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('sites')
    .select('slug')
    .where('live_deployment_id', 'is not', null)
    .orderBy('live_deployment_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Returns a deployment of a site with all details. */
export async function findDeploymentDetails(queries: QueryRunner, siteId: string, id: string) {
  return deploymentsOf(queries, siteId)
    .select([
      'deployments.stages',
      'deployments.log',
      'deployments.report',
      'deployments.changes',
      'deployments.git',
      'deployments.git_parts as gitParts',
    ])
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

export type DeploymentDetails = NonNullable<Awaited<ReturnType<typeof findDeploymentDetails>>>;

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

/** A stored build, as the database names it. */
export interface NamedBuild {
  site: string;
  deploymentId: string;
  manifestKey: string;
  isLive: boolean;
  /** Live, shown by a preview, pinned, or being exported. */
  isInUse: boolean;
}

/** Returns the builds in the file store, with the identifiers of their sites. */
export async function findNamedBuilds(queries: QueryRunner): Promise<NamedBuild[]> {
  return queries
    .selectFrom('deployments')
    .innerJoin('sites', 'sites.id', 'deployments.site_id')
    .select([
      'sites.slug as site',
      'deployments.id as deploymentId',
      'deployments.manifest_key as manifestKey',
      sql<boolean>`coalesce(sites.live_deployment_id = deployments.id, false)`.as('isLive'),
      isInUse.as('isInUse'),
    ])
    .where('manifest_key', '<>', DELETED_MANIFEST)
    .$narrowType<{ manifestKey: string }>()
    .orderBy('sites.slug')
    .orderBy('deployments.id')
    .execute();
}
