import { sql } from 'kysely';
import type { SiteSettings } from '../../core/access/site-settings.ts';
import type { QueryRunner } from '../../ports/database.ts';

/** Locks a site until the transaction ends. @returns whether it exists */
export async function lockSite(queries: QueryRunner, siteId: string): Promise<boolean> {
  const row = await queries.selectFrom('sites').select('id').where('id', '=', siteId).forUpdate().executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores an owner's changes.
 * @param changes `name`: `null` to use the name in docs.json from the next publish on
 */
export async function updateSite(
  queries: QueryRunner,
  siteId: string,
  changes: {
    name?: string | null | undefined;
    slug?: string | undefined;
    settings?: Partial<SiteSettings> | undefined;
    now: Date;
  },
): Promise<void> {
  const { name, slug, settings, now } = changes;
  await queries
    .updateTable('sites')
    .set({
      updated_at: now,
      ...(name !== undefined && { has_chosen_name: name !== null }),
      ...(typeof name === 'string' && { name }),
      ...(slug !== undefined && { slug }),
      ...(settings !== undefined && { settings: sql`settings || ${JSON.stringify(settings)}::jsonb` }),
    })
    .where('id', '=', siteId)
    .execute();
}

/** What a site stores outside the database. */
export interface SiteRemains {
  keyIds: string[];
  sourceKeys: string[];
  bundleKeys: string[];
}

/** Deletes a site with everything that belongs to it. */
export async function deleteSiteRows(queries: QueryRunner, siteId: string): Promise<SiteRemains> {
  const keys = await queries.selectFrom('api_keys').select('id').where('site_id', '=', siteId).execute();
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
