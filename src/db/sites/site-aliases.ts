import type { QueryRunner } from '../../ports/database.ts';

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
export async function insertAlias(queries: QueryRunner, alias: { slug: string; siteId: string; createdAt: Date }): Promise<void> {
  await queries
    .insertInto('site_aliases')
    .values({ slug: alias.slug, site_id: alias.siteId, created_at: alias.createdAt })
    .execute();
}

export async function deleteAliases(queries: QueryRunner, slugs: readonly string[]): Promise<void> {
  if (slugs.length > 0) await queries.deleteFrom('site_aliases').where('slug', 'in', slugs).execute();
}

/** Returns the organization and the site of a former identifier. */
export async function findAliasHolder(
  queries: QueryRunner,
  slug: string,
): Promise<{ siteId: string; organisationId: string } | undefined> {
  return queries
    .selectFrom('site_aliases')
    .innerJoin('sites', 'sites.id', 'site_aliases.site_id')
    .select(['sites.id as siteId', 'sites.organisation_id as organisationId'])
    .where('site_aliases.slug', '=', slug)
    .executeTakeFirst();
}
