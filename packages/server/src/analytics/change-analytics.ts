import type { Actor } from '@docent/format/access/may.ts';
import type { AnalyticsSettings } from '@docent/format/analytics/analytics-settings.ts';
import type { Deps } from '../kernel/deps.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import { deletePageFeedback } from './feedback-queries.ts';

type SettingsDeps = Pick<Deps, 'database' | 'analytics' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readAnalyticsSettings(
  deps: SettingsDeps,
  actor: Actor,
  site: string,
): Promise<AnalyticsSettings> {
  const { id } = await findPermittedSite(deps, actor, 'projects.read', site);
  deps.analytics.settings.invalidate(id);
  return deps.analytics.settings.of(id);
}

/** Changes the given settings and keeps the others. @throws DocentError `site_not_found` */
export async function changeAnalyticsSettings(
  deps: SettingsDeps,
  actor: Actor,
  site: string,
  changes: Partial<AnalyticsSettings>,
): Promise<AnalyticsSettings> {
  const { id } = await findPermittedSite(deps, actor, 'projects.write', site);
  await updateSiteSettings(deps.database.queries, id, 'analytics_settings', changes);
  return readAnalyticsSettings(deps, actor, site);
}

/**
 * Deletes events, figures and page feedback of a site for whole UTC days.
 * @returns the number of deleted events and feedback
 * @throws DocentError `site_not_found`
 */
export async function deleteAnalytics(
  deps: SettingsDeps,
  actor: Actor,
  { projectId, ...days }: { projectId: string; from?: Date | undefined; to?: Date | undefined },
): Promise<{ deletedEvents: number; deletedFeedback: number }> {
  const { id } = await findPermittedSite(deps, actor, 'projects.write', projectId);
  await deps.analytics.flush();
  const deletedEvents = await deps.analytics.store.delete(id, days);
  return {
    deletedEvents,
    deletedFeedback: await deletePageFeedback(deps.database.queries, { siteId: id, ...days }),
  };
}
