import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/** Returns every hostname of every site, to route requests by `Host`. */
export async function listHostnames(
  queries: QueryRunner,
): Promise<{ hostname: string; slug: string }[]> {
  return queries
    .selectFrom('site_hostnames')
    .innerJoin('sites', 'sites.id', 'site_hostnames.site_id')
    .select(['site_hostnames.hostname as hostname', 'sites.slug as slug'])
    .execute();
}

/**
 * Returns the address of every site whose owners set one, with the current and the former
 * identifiers of the site.
 */
export async function listPublicUrls(
  queries: QueryRunner,
): Promise<{ publicUrl: string; slugs: string[] }[]> {
  const publicUrl = sql<string>`sites.settings->>'publicUrl'`;
  return queries
    .selectFrom('sites')
    .select([
      publicUrl.as('publicUrl'),
      sql<
        string[]
      >`sites.slug || array(select slug from site_aliases where site_aliases.site_id = sites.id)`.as(
        'slugs',
      ),
    ])
    .where(publicUrl, 'is not', null)
    .execute();
}
