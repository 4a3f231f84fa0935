import { type SqlBool, sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

export const SITE_STATES = ['empty', 'live', 'publishing', 'failing'] as const;
export type SiteStateName = (typeof SITE_STATES)[number];

export const SITE_ORDERS = ['identifier', 'name', 'deployed', 'state'] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** The position of a site in an order. */
export interface SitePlace {
  key: string;
  slug: string;
}

/** Spellings of a word of which one occurs in the name, the identifier or a hostname of a site. */
export type SiteWord = readonly string[];

export interface SiteListQuery {
  /** Only these; empty: all. */
  siteIds: readonly string[];
  /** The words of the sites. */
  words: readonly SiteWord[];
  state?: SiteStateName | undefined;
  order: SiteOrder;
  after?: SitePlace | undefined;
  limit: number;
}

/**
 * The state of a site in a query that joins its last deployment as `last`: the one place that
 * decides.
 */
export const siteStateName = sql<SiteStateName>`CASE
  WHEN last.status IN ('queued', 'in_progress') THEN 'publishing'
  WHEN last.status = 'failure' AND last.end_reason IS NULL THEN 'failing'
  WHEN sites.live_deployment_id IS NULL THEN 'empty'
  ELSE 'live' END`;

/** The last deployment of a site that is not of a preview. */
export const lastDeploymentJoin = sql`LEFT JOIN LATERAL (
  SELECT * FROM deployments WHERE site_id = sites.id AND preview_id IS NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1
) last ON true`;

/**
 * Text that sorts newest first; sites without a deployment by when they were created, after all
 * others.
 */
const newestFirst = sql`CASE WHEN last.id IS NULL THEN '1' ELSE '0' END ||
  lpad((10000000000000 - floor(extract(epoch FROM coalesce(last.created_at, sites.created_at)) * 1000))::bigint::text, 14, '0')`;

/** The text that each order compares, byte by byte, and by identifier where it is equal. */
const KEYS = {
  identifier: sql`sites.slug`,
  name: sql`lower(sites.name)`,
  deployed: newestFirst,
  // What needs attention comes first.
  state: sql`CASE ${siteStateName} WHEN 'failing' THEN '0' WHEN 'publishing' THEN '1' WHEN 'live' THEN '2' ELSE '3' END || ${newestFirst}`,
} satisfies Record<SiteOrder, unknown>;

/** Returns the ids of sites of an organization in an order, with their places in it. */
export async function listSiteIds(
  queries: QueryRunner,
  organizationId: string,
  { siteIds, words, state, order, after, limit }: SiteListQuery,
): Promise<(SitePlace & { id: string })[]> {
  const conditions = [
    sql<SqlBool>`sites.organization_id = ${organizationId}`,
    ...words.map(hasWord),
  ];
  if (siteIds.length > 0) conditions.push(sql`sites.id IN (${sql.join(siteIds)})`);
  if (state !== undefined) conditions.push(sql`${siteStateName} = ${state}`);
  const key = sql`(${KEYS[order]}) COLLATE "C"`;
  if (after) conditions.push(sql`(${key}, sites.slug COLLATE "C") > (${after.key}, ${after.slug})`);
  const { rows } = await sql<SitePlace & { id: string }>`
    SELECT sites.id, sites.slug, ${key} AS key
    FROM sites ${lastDeploymentJoin}
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${key}, sites.slug COLLATE "C" LIMIT ${limit}`.execute(queries);
  return rows;
}

function hasWord(spellings: SiteWord) {
  const patterns = spellings.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return sql<SqlBool>`(sites.name ILIKE ANY(${patterns}) OR sites.slug ILIKE ANY(${patterns}) OR EXISTS (
    SELECT FROM site_hostnames WHERE site_hostnames.site_id = sites.id AND hostname ILIKE ANY(${patterns})))`;
}

/** Returns, for each site of an organization, the text that a search for sites reads. */
export async function listSiteTexts(
  queries: QueryRunner,
  organizationId: string,
): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    SELECT concat_ws(' ', name, slug, (SELECT string_agg(hostname, ' ') FROM site_hostnames WHERE site_id = sites.id)) AS text
    FROM sites WHERE organization_id = ${organizationId}`.execute(queries);
  return rows.map(({ text }) => text);
}
