import { type ExpressionBuilder, sql } from 'kysely';
import {
  defaultSiteSecurity,
  defaultSiteSettings,
  type SiteSecurity,
  type SiteSettings,
} from '../../core/access/site-settings.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { DeploymentStatus, EndReason, Tables } from '../tables.ts';

export interface SiteRow {
  id: string;
  organisationId: string;
  slug: string;
  name: string;
  hostnames: string[];
  liveDeploymentId: string | null;
  security: SiteSecurity;
  settings: SiteSettings;
  createdAt: Date;
  updatedAt: Date;
}

function selectSites(queries: QueryRunner) {
  return queries
    .selectFrom('sites')
    .select([
      'sites.id as id',
      'sites.organisation_id as organisationId',
      'sites.slug as slug',
      'sites.name as name',
      'sites.live_deployment_id as liveDeploymentId',
      'sites.security as security',
      'sites.settings as settings',
      'sites.created_at as createdAt',
      'sites.updated_at as updatedAt',
      sql<string[]>`array(select hostname from site_hostnames where site_hostnames.site_id = sites.id order by hostname)`.as(
        'hostnames',
      ),
    ]);
}

/** Matches a site by its identifier, a former identifier, its project id, or one of its own hostnames. */
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

type StoredSite = Omit<SiteRow, 'security' | 'settings'> & {
  security: Partial<SiteSecurity>;
  settings: Partial<SiteSettings>;
};

function siteOf(row: StoredSite): SiteRow {
  return {
    ...row,
    security: { ...defaultSiteSecurity, ...row.security },
    settings: { ...defaultSiteSettings, ...row.settings },
  };
}

/** Returns the site with that identifier, project id or hostname, of any organization. */
export async function findSite(queries: QueryRunner, name: string): Promise<SiteRow | undefined> {
  const row = await selectSites(queries).where(isNamed(name)).executeTakeFirst();
  return row && siteOf(row);
}

/** The same inside one organization; sites of others are treated as missing. */
export async function findOwnSite(queries: QueryRunner, organisationId: string, name: string): Promise<SiteRow | undefined> {
  const own = selectSites(queries).where('sites.organisation_id', '=', organisationId);
  const row = await own.where(isNamed(name)).executeTakeFirst();
  return row && siteOf(row);
}

/** Returns the sites of an organization by identifier, starting after `after`. */
export async function listOwnSites(
  queries: QueryRunner,
  organisationId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<SiteRow[]> {
  let own = selectSites(queries).where('sites.organisation_id', '=', organisationId);
  if (after !== undefined) own = own.where('sites.slug', '>', after);
  return (await own.orderBy('sites.slug').limit(limit).execute()).map(siteOf);
}

/** Returns whether a site has an identifier now. */
export async function isSlugInUse(queries: QueryRunner, slug: string): Promise<boolean> {
  return (await queries.selectFrom('sites').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined;
}

/** Returns the number of sites of an organization. */
export async function countOwnSites(queries: QueryRunner, organisationId: string): Promise<number> {
  const row = await queries
    .selectFrom('sites')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/**
 * Adds a site.
 * @returns `false` if the identifier is taken
 */
export async function insertSite(
  queries: QueryRunner,
  site: { id: string; organisationId: string; slug: string; name: string; createdAt: Date },
): Promise<boolean> {
  const added = await queries
    .insertInto('sites')
    .values({
      id: site.id,
      organisation_id: site.organisationId,
      slug: site.slug,
      name: site.name,
      live_deployment_id: null,
      created_at: site.createdAt,
      updated_at: site.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** The live deployment of a site, and its last deployment. */
export interface SiteState {
  siteId: string;
  live: { id: string; publishedAt: Date; pages: number; bytes: number } | null;
  last: {
    id: string;
    status: DeploymentStatus;
    endReason: EndReason | null;
    summary: string;
    createdAt: Date;
    endedAt: Date | null;
  } | null;
}

interface Row {
  siteId: string;
  liveId: string | null;
  publishedAt: Date;
  pages: number;
  bytes: number;
  lastId: string | null;
  status: DeploymentStatus;
  endReason: EndReason | null;
  summary: string;
  createdAt: Date;
  endedAt: Date | null;
}

/** Returns the states of these sites. */
export async function readSiteStates(queries: QueryRunner, siteIds: readonly string[]): Promise<Map<string, SiteState>> {
  if (siteIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    SELECT
      sites.id AS "siteId",
      live.id AS "liveId", coalesce(live.ended_at, live.updated_at) AS "publishedAt",
      live.page_count AS pages, live.build_bytes AS bytes,
      last.id AS "lastId", last.status, last.end_reason AS "endReason", last.summary,
      last.created_at AS "createdAt", last.ended_at AS "endedAt"
    FROM sites
    LEFT JOIN deployments live ON live.id = sites.live_deployment_id
    LEFT JOIN LATERAL (
      SELECT * FROM deployments WHERE site_id = sites.id AND preview_id IS NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1
    ) last ON true
    WHERE sites.id IN (${sql.join(siteIds)})`.execute(queries);
  return new Map(rows.map((row) => [row.siteId, stateOf(row)]));
}

function stateOf({ siteId, liveId, publishedAt, pages, bytes, lastId, ...last }: Row): SiteState {
  return {
    siteId,
    live: liveId === null ? null : { id: liveId, publishedAt, pages, bytes },
    last: lastId === null ? null : { id: lastId, ...last },
  };
}
