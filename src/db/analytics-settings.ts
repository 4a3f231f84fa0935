import type { AnalyticsSettings } from '../core/analytics/analytics-settings.ts';
import type { QueryRunner } from '../ports/database.ts';

/** The settings that a site has stored; the others have their defaults. */
export async function findAnalyticsSettings(queries: QueryRunner, siteId: string): Promise<Partial<AnalyticsSettings>> {
  const row = await queries.selectFrom('sites').select('analytics_settings').where('id', '=', siteId).executeTakeFirst();
  return row?.analytics_settings ?? {};
}
