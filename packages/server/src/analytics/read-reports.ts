import type { Actor } from '@docent/format/access/may.ts';
import type { Dimension } from '@docent/format/analytics/count-figures.ts';
import { ceilDay } from '@docent/format/analytics/days.ts';
import {
  type FigureScope,
  type VisitorFilter,
  visitorFilterNames,
  visitorFiltersOf,
} from '@docent/format/analytics/reports.ts';
import type { Deps } from '../kernel/deps.ts';
import { findActorSite, findPermittedSite } from '../kernel/sites/find-site.ts';
import { pagesByHref } from '../kernel/sites/site-pages.ts';
import type { FigureQuery, FigureRow } from '../ports/analytics-store.ts';
import { summarizeFeedback } from './feedback.ts';

type ReportDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock'>;

/** The site, time range and filter of a report. Without a time range: everything that is stored. */
export interface ReportQuery extends Partial<Omit<FigureScope, 'siteId'>> {
  projectId: string;
}

interface ReportPage {
  limit: number;
  offset: number;
}

/** How a report is computed from figures. */
export interface ReportKind extends Pick<FigureQuery, 'by' | 'order'> {
  dimension: Dimension;
}

/**
 * Returns the scope of a report, after checking that the actor may see it. @throws DocentError
 * `site_not_found`
 */
export async function reportScope(deps: ReportDeps, actor: Actor, query: ReportQuery) {
  const site = await findPermittedSite(deps, actor, 'analytics.read', query.projectId);
  const { from = new Date(0), to, path, version, language } = query;
  const now = deps.clock.now();
  // Nothing is later than now, and whole days are faster to read.
  const end = to === undefined || to > now ? ceilDay(new Date(now.getTime() + 1)) : to;
  return { siteId: site.id, from: from < end ? from : end, to: end, path, version, language };
}

/**
 * Returns a page of a report.
 * @throws DocentError `site_not_found`
 */
export async function readReport(
  deps: ReportDeps,
  actor: Actor,
  { dimension, by, order }: ReportKind,
  query: ReportQuery & ReportPage & VisitorFilter & Pick<FigureQuery, 'keys' | 'paths'>,
): Promise<{ rows: FigureRow[]; hasMore: boolean }> {
  const scope = await reportScope(deps, actor, query);
  const { limit, offset, keys, paths } = query;
  const visitors = visitorsOf(query);
  const figures = { ...scope, dimension, keys, paths, visitors, by, order };
  const rows = await deps.analytics.store.figures({ ...figures, limit: limit + 1, offset });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

const visitorsOf = (query: VisitorFilter): VisitorFilter =>
  Object.fromEntries(visitorFilterNames.map((name) => [name, query[name]]));

/**
 * Returns the sum of a dimension; undefined if nothing was counted. @throws DocentError
 * `site_not_found`
 */
export async function readTotal(
  deps: ReportDeps,
  actor: Actor,
  dimension: Dimension,
  query: ReportQuery & VisitorFilter,
): Promise<FigureRow | undefined> {
  const { rows } = await readReport(
    deps,
    actor,
    { dimension, by: 'all', order: 'events' },
    { ...query, limit: 1, offset: 0 },
  );
  return rows[0];
}

const MINUTE_MS = 60_000;
/** A visitor with an event since then counts as present. */
const NOW_MINUTES = 5;
const RECENT_MINUTES = 30;

/**
 * Returns who is reading a site now, and what: counted from events of the last 30 minutes.
 * @throws DocentError `site_not_found`
 */
export async function readLive(
  deps: ReportDeps,
  actor: Actor,
  { limit, ...asked }: Omit<ReportQuery, 'from' | 'to'> & { limit: number },
) {
  const at = deps.clock.now();
  const since = (minutes: number) => ({
    ...asked,
    from: new Date(at.getTime() - minutes * MINUTE_MS),
  });
  const list = async (kind: ReportKind) =>
    (await readReport(deps, actor, kind, { ...since(RECENT_MINUTES), limit, offset: 0 })).rows;
  const [now, recent, pages, sources, machines] = await Promise.all([
    readTotal(deps, actor, 'view', since(NOW_MINUTES)),
    readTotal(deps, actor, 'view', since(RECENT_MINUTES)),
    list({ dimension: 'view', by: 'path', order: 'readings' }),
    list({ dimension: 'source', by: 'key', order: 'visitors' }),
    list({ dimension: 'machine', by: 'key-and-detail', order: 'events' }),
  ]);
  return { at, now, recent, pages, sources, machines };
}

type PagesDeps = ReportDeps & Pick<Deps, 'liveSites' | 'assistantSettings'>;

/**
 * Returns the pages of a site, most viewed first, each with its views, time, exits, feedback and
 * last change. Ratings are stored without the visit, so there are none for some visitors.
 * @throws DocentError `site_not_found`
 */
export async function readPages(
  deps: PagesDeps,
  actor: Actor,
  query: ReportQuery & VisitorFilter & ReportPage,
) {
  // What machines other than AI fetch is no view.
  const order = query.class === undefined && query.agent === undefined ? 'readings' : 'events';
  const { rows, hasMore } = await readReport(
    deps,
    actor,
    { dimension: 'view', by: 'path', order },
    query,
  );
  if (rows.length === 0) return { pages: [], hasMore };
  const paths = rows.map(({ path }) => path);
  const { projectId, from, to, version, language } = query;
  const ofThese = {
    projectId,
    from,
    to,
    version,
    language,
    paths,
    offset: 0,
    limit: paths.length,
    ...visitorsOf(query),
  };
  const hasRatings = visitorFiltersOf(query).length === 0;
  const [times, exits, feedback, live] = await Promise.all([
    readReport(deps, actor, { dimension: 'time', by: 'path', order: 'events' }, ofThese),
    readReport(deps, actor, { dimension: 'exit', by: 'path', order: 'readings' }, ofThese),
    summarizeFeedback(deps, actor, { ...ofThese, about: 'page' }),
    findActorSite(deps, actor, query.projectId)
      .then(({ slug }) => deps.liveSites.find(slug))
      .then((site) => site?.as('owner')),
  ]);
  const timeOf = new Map(
    times.rows.map(({ path, amount, events }) => [path, Math.round(amount / events)]),
  );
  const exitsOf = new Map(exits.rows.map(({ path, human }) => [path, human]));
  const ratingsOf = new Map(feedback.pages.map((rated) => [rated.path, rated]));
  const built = live && pagesByHref(live.build);
  const pages = rows.map(({ path, human, ai, events, humanVisitors }) => {
    const page = built?.get(path);
    return {
      ...{
        path,
        title: page?.title ?? null,
        views: human,
        aiViews: ai,
        requests: events,
        visitors: humanVisitors,
      },
      ...{ averageMs: timeOf.get(path) ?? null, exits: exitsOf.get(path) ?? 0 },
      thumbsUp: hasRatings ? (ratingsOf.get(path)?.thumbsUp ?? 0) : null,
      thumbsDown: hasRatings ? (ratingsOf.get(path)?.thumbsDown ?? 0) : null,
      lastUpdated: page?.lastUpdated ?? null,
    };
  });
  return { pages, hasMore };
}
