import {
  defaultSiteSecurity,
  defaultSiteSettings,
  type SiteSecurity,
  type SiteSettings,
} from '@docent/format/access/site-settings.ts';
import { type ExpressionBuilder, type InferResult, type Selectable, sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';
import type { SiteAccess } from '../../ports/live-sites.ts';
import { DELETED_MANIFEST, type EndReason, type Tables } from '../../ports/tables.ts';
import { sharingLimitsWith } from '../access/organization-queries.ts';
import { columnsOf, countRows, type Fields, hasRow } from '../db/query-parts.ts';
import { lastDeploymentJoin, type SiteStateName, siteStateName } from './site-list.ts';

function selectSites(queries: QueryRunner) {
  return queries
    .selectFrom('sites')
    .leftJoin('site_access', 'site_access.site_id', 'sites.id')
    .select([
      'sites.id as id',
      'sites.organization_id as organizationId',
      'sites.slug as slug',
      'sites.name as name',
      'sites.live_deployment_id as liveDeploymentId',
      'sites.security as security',
      'sites.settings as settings',
      sql<SiteAccess>`jsonb_build_object(
        'isPrivate', coalesce(is_private, false), 'canSignIn', coalesce(methods <> '{}', false)
      )`.as('access'),
      'sites.created_at as createdAt',
      'sites.updated_at as updatedAt',
      sql<
        string[]
      >`array(select hostname from site_hostnames where site_hostnames.site_id = sites.id order by hostname)`.as(
        'hostnames',
      ),
    ]);
}

/**
 * Matches a site by its identifier, a former identifier, its project id, or one of its own
 * hostnames.
 */
function isNamed(name: string) {
  return (where: ExpressionBuilder<Tables, 'sites'>) =>
    where.or([
      where('sites.slug', '=', name.toLowerCase()),
      where('sites.id', '=', name),
      where.exists(
        where
          .selectFrom('site_hostnames')
          .select('site_hostnames.hostname')
          .whereRef('site_hostnames.site_id', '=', 'sites.id')
          .where('site_hostnames.hostname', '=', name.toLowerCase()),
      ),
      where.exists(
        where
          .selectFrom('site_aliases')
          .select('site_aliases.slug')
          .whereRef('site_aliases.site_id', '=', 'sites.id')
          .where('site_aliases.slug', '=', name.toLowerCase()),
      ),
    ]);
}

function siteOf(row: InferResult<ReturnType<typeof selectSites>>[number]) {
  const security: SiteSecurity = { ...defaultSiteSecurity, ...row.security };
  const settings: SiteSettings = { ...defaultSiteSettings, ...row.settings };
  return { ...row, security, settings };
}

export type SiteRow = ReturnType<typeof siteOf>;

/** Returns the site with that identifier, project id or hostname, of any organization. */
export async function findSite(queries: QueryRunner, name: string): Promise<SiteRow | undefined> {
  const row = await selectSites(queries).where(isNamed(name)).executeTakeFirst();
  return row && siteOf(row);
}

/** The same inside one organization; sites of others are treated as missing. */
export async function findOwnSite(
  queries: QueryRunner,
  organizationId: string,
  name: string,
): Promise<SiteRow | undefined> {
  const siteQuery = selectSites(queries).where('sites.organization_id', '=', organizationId);
  const row = await siteQuery.where(isNamed(name)).executeTakeFirst();
  return row && siteOf(row);
}

/** Returns sites by their ids. */
export async function findSites(queries: QueryRunner, ids: readonly string[]): Promise<SiteRow[]> {
  if (ids.length === 0) return [];
  return (await selectSites(queries).where('sites.id', 'in', ids).execute()).map(siteOf);
}

/** Returns whether a site has an identifier now. */
export async function isSlugInUse(queries: QueryRunner, slug: string): Promise<boolean> {
  return hasRow(queries.selectFrom('sites').select('id').where('slug', '=', slug));
}

/** Returns the ids of all sites of an organization. */
export async function listSiteIdsOf(
  queries: QueryRunner,
  organizationId: string,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the number of sites of an organization. */
export async function countOwnSites(queries: QueryRunner, organizationId: string): Promise<number> {
  return countRows(queries.selectFrom('sites').where('organization_id', '=', organizationId));
}

/** The same of all organizations that share their limits with it. */
export async function countSharedSites(
  queries: QueryRunner,
  organizationId: string,
): Promise<number> {
  return countRows(
    queries
      .selectFrom('sites')
      .where(sql<boolean>`organization_id IN ${sharingLimitsWith(organizationId)}`),
  );
}

/**
 * Adds a site.
 * @returns `false` if the identifier is taken
 */
export async function insertSite(
  queries: QueryRunner,
  site: { id: string; organizationId: string; slug: string; name: string; createdAt: Date },
): Promise<boolean> {
  return hasRow(
    queries
      .insertInto('sites')
      .values(columnsOf({ ...site, liveDeploymentId: null, updatedAt: site.createdAt }))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );
}

type LastDeployment = Pick<
  Fields<Selectable<Tables['deployments']>>,
  'status' | 'summary' | 'createdAt' | 'endedAt'
> & {
  endReason: EndReason | null;
};

interface StateRow extends LastDeployment {
  siteId: string;
  liveId: string | null;
  publishedAt: Date;
  pages: number;
  errors: number;
  bytes: number;
  name: SiteStateName;
  previousId: string | null;
  lastId: string | null;
}

/** Returns the states of these sites. */
export async function readSiteStates(
  queries: QueryRunner,
  siteIds: readonly string[],
): Promise<Map<string, SiteState>> {
  if (siteIds.length === 0) return new Map();
  const { rows } = await sql<StateRow>`
    SELECT
      sites.id AS "siteId",
      live.id AS "liveId", coalesce(live.ended_at, live.updated_at) AS "publishedAt",
      live.page_count AS pages, live.build_bytes AS bytes, live.error_count AS errors, previous.id AS "previousId",
      ${siteStateName} AS name,
      last.id AS "lastId", last.status, replace(last.end_reason, 'cancelled', 'canceled') AS "endReason", last.summary,
      last.created_at AS "createdAt", last.ended_at AS "endedAt"
    FROM sites
    LEFT JOIN deployments live ON live.id = sites.live_deployment_id
    LEFT JOIN LATERAL (
      SELECT id FROM deployments
      WHERE site_id = sites.id AND deleted_at IS NULL AND manifest_key <> ${DELETED_MANIFEST} AND first_live_at < live.first_live_at
      ORDER BY first_live_at DESC LIMIT 1
    ) previous ON true
    ${lastDeploymentJoin}
    WHERE sites.id IN (${sql.join(siteIds)})`.execute(queries);
  return new Map(rows.map((row) => [row.siteId, stateOf(row)]));
}

function stateOf({
  siteId,
  name,
  liveId,
  publishedAt,
  pages,
  bytes,
  errors,
  previousId,
  lastId,
  ...last
}: StateRow) {
  return {
    siteId,
    name,
    live: liveId === null ? null : { id: liveId, publishedAt, pages, bytes, errors, previousId },
    last: lastId === null ? null : { id: lastId, ...last },
  };
}

/** The live deployment of a site, and its last deployment. */
export type SiteState = ReturnType<typeof stateOf>;

/** The groups of settings of a site, by their columns. */
type SettingsGroups = Pick<
  Selectable<Tables['sites']>,
  'assistant_settings' | 'analytics_settings' | 'security'
>;

/** Returns the settings that a site has stored; the others have their defaults. */
export async function findSiteSettings<Group extends keyof SettingsGroups>(
  queries: QueryRunner,
  siteId: string,
  group: Group,
): Promise<SettingsGroups[Group]> {
  const row = await queries
    .selectFrom('sites')
    .select(sql<SettingsGroups[Group]>`${sql.ref(group)}`.as('settings'))
    .where('id', '=', siteId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

/**
 * Merges changes into the stored settings in one statement, so that concurrent changes are not
 * lost. @returns all stored ones
 */
export async function updateSiteSettings<Group extends keyof SettingsGroups>(
  queries: QueryRunner,
  siteId: string,
  group: Group,
  changes: SettingsGroups[Group],
): Promise<SettingsGroups[Group]> {
  const { settings } = await queries
    .updateTable('sites')
    .set({ [group]: sql`${sql.ref(group)} || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', siteId)
    .returning(sql<SettingsGroups[Group]>`${sql.ref(group)}`.as('settings'))
    .executeTakeFirstOrThrow();
  return settings as SettingsGroups[Group];
}

/** Locks a site until the transaction ends. @returns whether it exists */
export async function lockSite(queries: QueryRunner, siteId: string): Promise<boolean> {
  return hasRow(queries.selectFrom('sites').select('id').where('id', '=', siteId).forUpdate());
}

/**
 * Stores an owner's changes.
 * @param changes `name`: `null` to use the name in docs.json, which is `docsName` now and read from
 *   each build later
 */
export async function updateSite(
  queries: QueryRunner,
  siteId: string,
  changes: {
    name?: string | null | undefined;
    docsName?: string | undefined;
    slug?: string | undefined;
    settings?: Partial<SiteSettings> | undefined;
    now: Date;
  },
): Promise<void> {
  const { name, docsName, slug, settings, now } = changes;
  const displayName = name === null ? docsName : name;
  await queries
    .updateTable('sites')
    .set({
      updated_at: now,
      ...(name !== undefined && { has_chosen_name: name !== null }),
      ...(displayName !== undefined && { name: displayName }),
      ...(slug !== undefined && { slug }),
      ...(settings !== undefined && {
        settings: sql`settings || ${JSON.stringify(settings)}::jsonb`,
      }),
    })
    .where('id', '=', siteId)
    .execute();
}

/** Returns whether readers ever saw a site. */
export async function wasEverLive(queries: QueryRunner, siteId: string): Promise<boolean> {
  const live = queries
    .selectFrom('deployments')
    .select('id')
    .where('site_id', '=', siteId)
    .where('first_live_at', 'is not', null);
  return hasRow(live.limit(1));
}

/**
 * Deletes a site with everything that belongs to it. @returns what it stores outside the database
 */
export async function deleteSiteRows(queries: QueryRunner, siteId: string) {
  const keys = await queries
    .selectFrom('api_keys')
    .select('id')
    .where('site_id', '=', siteId)
    .execute();
  const sources = await queries
    .selectFrom('deployments')
    .select('source_key as key')
    .distinct()
    .where('site_id', '=', siteId)
    .execute();
  const bundles = await queries
    .selectFrom('export_jobs')
    .select('bundle_key as key')
    .where('site_id', '=', siteId)
    .where('bundle_key', 'is not', null)
    .$narrowType<{ key: string }>()
    .execute();
  await queries.deleteFrom('sites').where('id', '=', siteId).execute();
  return {
    keyIds: keys.map(({ id }) => id),
    sourceKeys: sources.map(({ key }) => key),
    bundleKeys: bundles.map(({ key }) => key),
  };
}

/** Returns the former identifiers of a site, newest first. */
export async function listAliases(queries: QueryRunner, siteId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('site_aliases')
    .select('slug')
    .where('site_id', '=', siteId)
    .orderBy('created_at', 'desc')
    .orderBy('slug')
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Makes a former identifier redirect to its site. */
export async function insertAlias(
  queries: QueryRunner,
  alias: { slug: string; siteId: string; createdAt: Date },
): Promise<void> {
  await queries.insertInto('site_aliases').values(columnsOf(alias)).execute();
}

export async function deleteAliases(queries: QueryRunner, slugs: readonly string[]): Promise<void> {
  if (slugs.length > 0)
    await queries.deleteFrom('site_aliases').where('slug', 'in', slugs).execute();
}

/** Returns the organization and the site of a former identifier. */
export async function findAliasHolder(queries: QueryRunner, slug: string) {
  return queries
    .selectFrom('site_aliases')
    .innerJoin('sites', 'sites.id', 'site_aliases.site_id')
    .select(['sites.id as siteId', 'sites.organization_id as organizationId'])
    .where('site_aliases.slug', '=', slug)
    .executeTakeFirst();
}
