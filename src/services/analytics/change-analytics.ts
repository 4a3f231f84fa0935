import { type Actor, requirePermission } from '../../core/access/may.ts';
import type { AnalyticsSettings } from '../../core/analytics/analytics-settings.ts';
import { updateAnalyticsSettings } from '../../db/analytics-settings.ts';
import { deleteFeedback } from '../../db/feedback.ts';
import type { Deps } from '../deps.ts';
import { findActorSite } from '../sites/find-actor-site.ts';

type SettingsDeps = Pick<Deps, 'database' | 'analytics' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readAnalyticsSettings(deps: SettingsDeps, actor: Actor, site: string): Promise<AnalyticsSettings> {
  requirePermission(actor, 'projects.read');
  const { id } = await findActorSite(deps, actor, site);
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
  requirePermission(actor, 'projects.write');
  const { id } = await findActorSite(deps, actor, site);
  await updateAnalyticsSettings(deps.database.queries, id, changes);
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
  requirePermission(actor, 'projects.write');
  const { id } = await findActorSite(deps, actor, projectId);
  await deps.analytics.flush();
  const deletedEvents = await deps.analytics.store.delete(id, days);
  return { deletedEvents, deletedFeedback: await deleteFeedback(deps.database.queries, { siteId: id, ...days }) };
}
