import type { QueryRunner } from '../../ports/database.ts';
import { findSite } from '../sites/sites.ts';
import { DELETED_MANIFEST } from '../tables.ts';

/** Returns the live site with that identifier, project id or hostname. */
export async function findLiveSite(queries: QueryRunner, domain: string) {
  const site = await findSite(queries, domain);
  if (!site?.liveDeploymentId) return undefined;
  const manifestKey = await findManifestKey(queries, site.liveDeploymentId);
  if (!manifestKey) return undefined;
  const { id: siteId, organisationId, slug, hostnames, security, settings } = site;
  return { siteId, organisationId, slug, hostnames, security, settings, deploymentId: site.liveDeploymentId, manifestKey };
}

export type LiveSiteRow = NonNullable<Awaited<ReturnType<typeof findLiveSite>>>;

function liveBuilds(queries: QueryRunner) {
  return queries
    .selectFrom('sites')
    .innerJoin('deployments', 'deployments.id', 'sites.live_deployment_id')
    .select(['sites.id as siteId', 'deployments.id as deploymentId', 'deployments.manifest_key as manifestKey'])
    .where('deployments.manifest_key', '<>', DELETED_MANIFEST)
    .$narrowType<{ manifestKey: string }>();
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

/** Returns the blob key of a deployment's manifest; `undefined` if it was not built, or its build was deleted. */
export async function findManifestKey(queries: QueryRunner, deploymentId: string): Promise<string | undefined> {
  const row = await queries.selectFrom('deployments').select('manifest_key').where('id', '=', deploymentId).executeTakeFirst();
  return row?.manifest_key || undefined;
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

/** Returns every hostname of every site, to route requests by `Host`. */
export async function listHostnames(queries: QueryRunner): Promise<{ hostname: string; slug: string }[]> {
  return queries
    .selectFrom('site_hostnames')
    .innerJoin('sites', 'sites.id', 'site_hostnames.site_id')
    .select(['site_hostnames.hostname as hostname', 'sites.slug as slug'])
    .execute();
}
