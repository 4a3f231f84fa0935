import { sql } from 'kysely';
import type { SiteSecurity } from '../../core/access/site-settings.ts';
import type { AnalyticsSettings } from '../../core/analytics/analytics-settings.ts';
import type { AssistantSettings } from '../../core/assistant/assistant-settings.ts';
import type { QueryRunner } from '../../ports/database.ts';

/** The groups of settings of a site, by their columns. */
interface SettingsGroups {
  assistant_settings: AssistantSettings;
  analytics_settings: AnalyticsSettings;
  security: SiteSecurity;
}

/** Returns the settings that a site has stored; the others have their defaults. */
export async function findSiteSettings<Group extends keyof SettingsGroups>(
  queries: QueryRunner,
  siteId: string,
  group: Group,
): Promise<Partial<SettingsGroups[Group]>> {
  const row = await queries
    .selectFrom('sites')
    .select(sql<Partial<SettingsGroups[Group]>>`${sql.ref(group)}`.as('settings'))
    .where('id', '=', siteId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

/** Merges changes into the stored settings in one statement, so that concurrent changes are not lost. @returns all stored ones */
export async function updateSiteSettings<Group extends keyof SettingsGroups>(
  queries: QueryRunner,
  siteId: string,
  group: Group,
  changes: Partial<SettingsGroups[Group]>,
): Promise<Partial<SettingsGroups[Group]>> {
  const { settings } = await queries
    .updateTable('sites')
    .set({ [group]: sql`${sql.ref(group)} || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', siteId)
    .returning(sql<Partial<SettingsGroups[Group]>>`${sql.ref(group)}`.as('settings'))
    .executeTakeFirstOrThrow();
  return settings as Partial<SettingsGroups[Group]>;
}
