import { type ExpressionBuilder, sql } from 'kysely';
import { defaultSiteSecurity, type SiteSecurity } from '../../core/access/site-security.ts';
import { defaultSiteSettings, type SiteSettings } from '../../core/access/site-settings.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { Tables } from '../tables.ts';

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
