import { sql } from 'kysely';
import type { AnalyticsSettings } from '../core/analytics/analytics-settings.ts';
import type { QueryRunner } from '../ports/database.ts';

/** Returns the settings that a site has stored; the others have their defaults. */
export async function findAnalyticsSettings(queries: QueryRunner, siteId: string): Promise<Partial<AnalyticsSettings>> {
  const row = await queries.selectFrom('sites').select('analytics_settings').where('id', '=', siteId).executeTakeFirst();
  return row?.analytics_settings ?? {};
}

/** Merges changes into the stored settings in one statement, so that concurrent changes are not lost. */
export async function updateAnalyticsSettings(
  queries: QueryRunner,
  siteId: string,
  changes: Partial<AnalyticsSettings>,
): Promise<void> {
  await queries
    .updateTable('sites')
    .set({ analytics_settings: sql`analytics_settings || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', siteId)
    .execute();
}
