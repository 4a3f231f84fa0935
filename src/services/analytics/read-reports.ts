import { type Actor, requirePermission } from '../../core/access/may.ts';
import { ceilDay } from '../../core/analytics/days.ts';
import type { Dimension } from '../../core/analytics/reports.ts';
import type { FigureQuery, FigureRow } from '../../ports/analytics-store.ts';
import type { Deps } from '../deps.ts';
import { findActorSite } from '../sites/find-actor-site.ts';

type ReportDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock'>;

/** Which site, time and part of it a report is about. Without a time: everything that is kept. */
export interface ReportQuery {
  projectId: string;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  path?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

export interface ReportPage {
  limit: number;
  offset: number;
}

/** How a report is made of figures. */
export interface ReportKind extends Pick<FigureQuery, 'by' | 'order'> {
  dimension: Dimension;
}

/** The scope of a report, after it is decided that the actor may see it. @throws DocentError `site_not_found` */
export async function reportScope(deps: ReportDeps, actor: Actor, query: ReportQuery) {
  requirePermission(actor, 'analytics.read');
  const site = await findActorSite(deps, actor, query.projectId);
  const { from = new Date(0), to, path, version, language } = query;
  const now = deps.clock.now();
  // Nothing comes after this moment, and whole days are read faster.
  const end = to === undefined || to > now ? ceilDay(new Date(now.getTime() + 1)) : to;
  return { siteId: site.id, from, to: end, path, version, language };
}

/**
 * A page of a report.
 * @throws DocentError `site_not_found`
 */
export async function readReport(
  deps: ReportDeps,
  actor: Actor,
  { dimension, by, order }: ReportKind,
  query: ReportQuery & ReportPage & { keys?: readonly string[] | undefined },
): Promise<{ rows: FigureRow[]; hasMore: boolean }> {
  const scope = await reportScope(deps, actor, query);
  const { limit, offset, keys } = query;
  const found = await deps.analytics.store.figures({ ...scope, dimension, by, order, keys, limit: limit + 1, offset });
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** The sum of a dimension; undefined where nothing was counted. @throws DocentError `site_not_found` */
export async function readTotal(
  deps: ReportDeps,
  actor: Actor,
  dimension: Dimension,
  query: ReportQuery,
): Promise<FigureRow | undefined> {
  const { rows } = await readReport(deps, actor, { dimension, by: 'all', order: 'events' }, { ...query, limit: 1, offset: 0 });
  return rows[0];
}
