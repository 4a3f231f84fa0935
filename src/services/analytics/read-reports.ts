import type { Actor } from '../../core/access/may.ts';
import type { Dimension } from '../../core/analytics/count-figures.ts';
import { ceilDay } from '../../core/analytics/days.ts';
import { type FigureScope, VIEW_FILTERS, type ViewFilterName, viewFiltersOf } from '../../core/analytics/reports.ts';
import { DocentError } from '../../core/errors.ts';
import type { FigureQuery, FigureRow } from '../../ports/analytics-store.ts';
import type { Deps } from '../deps.ts';
import { findActorSite, findPermittedSite } from '../sites/find-site.ts';
import { pagesByHref } from '../sites/site-pages.ts';
import { summarizeFeedback } from './feedback.ts';

type ReportDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock'>;

/** The site, time range and filter of a report. Without a time range: everything that is stored. */
export interface ReportQuery extends Partial<Omit<FigureScope, 'siteId'>> {
  projectId: string;
}

/** Values of `VIEW_FILTERS`; those of reports that do not take them are ignored. */
export type ViewFilter = { [Name in ViewFilterName]?: string | undefined };

interface ReportPage {
  limit: number;
  offset: number;
}

/** How a report is computed from figures. */
export interface ReportKind extends Pick<FigureQuery, 'by' | 'order'> {
  dimension: Dimension;
}

/** Returns the scope of a report, after checking that the actor may see it. @throws DocentError `site_not_found` */
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
  query: ReportQuery & ReportPage & ViewFilter & Pick<FigureQuery, 'keys' | 'paths'>,
): Promise<{ rows: FigureRow[]; hasMore: boolean }> {
  const scope = await reportScope(deps, actor, query);
  const { limit, offset, keys, paths } = query;
  const filtered = filteredFigures(dimension, query);
  const found = await deps.analytics.store.figures({ ...scope, keys, paths, ...filtered, by, order, limit: limit + 1, offset });
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/**
 * The figures of a dimension that filters leave: views of a source, for example, are counted in the dimension of sources.
 * @throws DocentError `invalid_request` for filters of two dimensions
 */
function filteredFigures(dimension: Dimension, query: ViewFilter): Pick<FigureQuery, 'dimension' | 'keys' | 'details'> {
  const asked = viewFiltersOf(dimension).filter((name) => query[name] !== undefined);
  const [first] = asked;
  if (first === undefined) return { dimension };
  const other = asked.find((name) => VIEW_FILTERS[name].dimension !== VIEW_FILTERS[first].dimension);
  if (other !== undefined)
    throw new DocentError('invalid_request', `Views cannot be filtered by "${first}" and "${other}" together; remove one.`);
  const lists = asked.map((name) => [VIEW_FILTERS[name].values, [query[name] as string]]);
  return { dimension: VIEW_FILTERS[first].dimension, ...Object.fromEntries(lists) };
}

/** Returns the sum of a dimension; undefined if nothing was counted. @throws DocentError `site_not_found` */
export async function readTotal(
  deps: ReportDeps,
  actor: Actor,
  dimension: Dimension,
  query: ReportQuery & ViewFilter,
): Promise<FigureRow | undefined> {
  const { rows } = await readReport(deps, actor, { dimension, by: 'all', order: 'events' }, { ...query, limit: 1, offset: 0 });
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
  const since = (minutes: number) => ({ ...asked, from: new Date(at.getTime() - minutes * MINUTE_MS) });
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
 * Returns the pages of a site, most viewed first, each with its views, time, exits, feedback and last change.
 * @throws DocentError `site_not_found`
 */
export async function readPages(deps: PagesDeps, actor: Actor, query: ReportQuery & ViewFilter & ReportPage) {
  // What machines other than AI fetch is no view.
  const order = filteredFigures('view', query).dimension === 'machine' ? 'events' : 'readings';
  const { rows, hasMore } = await readReport(deps, actor, { dimension: 'view', by: 'path', order }, query);
  if (rows.length === 0) return { pages: [], hasMore };
  const paths = rows.map(({ path }) => path);
  const { projectId, from, to, version, language } = query;
  const ofThese = { projectId, from, to, version, language, paths, offset: 0, limit: paths.length };
  const [times, exits, feedback, live] = await Promise.all([
    readReport(deps, actor, { dimension: 'time', by: 'path', order: 'events' }, ofThese),
    readReport(deps, actor, { dimension: 'exit', by: 'path', order: 'readings' }, ofThese),
    summarizeFeedback(deps, actor, { ...ofThese, about: 'page' }),
    findActorSite(deps, actor, query.projectId).then(({ slug }) => deps.liveSites.find(slug)),
  ]);
  const timeOf = new Map(times.rows.map(({ path, amount, events }) => [path, Math.round(amount / events)]));
  const exitsOf = new Map(exits.rows.map(({ path, human }) => [path, human]));
  const ratingsOf = new Map(feedback.pages.map((rated) => [rated.path, rated]));
  const built = live && pagesByHref(live.build);
  const pages = rows.map(({ path, human, ai, events, humanVisitors }) => {
    const page = built?.get(path);
    return {
      ...{ path, title: page?.title ?? null, views: human, aiViews: ai, requests: events, visitors: humanVisitors },
      ...{ averageMs: timeOf.get(path) ?? null, exits: exitsOf.get(path) ?? 0 },
      ...{ thumbsUp: ratingsOf.get(path)?.thumbsUp ?? 0, thumbsDown: ratingsOf.get(path)?.thumbsDown ?? 0 },
      lastUpdated: page?.lastUpdated ?? null,
    };
  });
  return { pages, hasMore };
}
