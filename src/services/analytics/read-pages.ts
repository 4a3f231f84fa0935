import type { Actor } from '../../core/access/may.ts';
import type { Deps } from '../deps.ts';
import { summarizeFeedback } from '../feedback/manage-feedback.ts';
import { findActorSite } from '../sites/find-actor-site.ts';
import { pagesByHref } from '../sites/pages-by-href.ts';
import { filteredFigures, type ReportPage, type ReportQuery, readReport, type ViewFilter } from './read-reports.ts';

type PagesDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock' | 'liveSites' | 'assistantSettings'>;

/** The summary of a page. */
export interface PageAtGlance {
  path: string;
  /** Null if the live site no longer has the page. */
  title: string | null;
  views: number;
  aiViews: number;
  /** By readers, AI and other machines. */
  requests: number;
  visitors: number;
  /** Null without a measurement. */
  averageMs: number | null;
  exits: number;
  thumbsUp: number;
  thumbsDown: number;
  /** Day of the last change, if known. */
  lastUpdated: string | null;
}

/**
 * Returns the pages of a site, most viewed first, each with its views, time, exits, feedback and last change.
 * @throws DocentError `site_not_found`
 */
export async function readPages(
  deps: PagesDeps,
  actor: Actor,
  query: ReportQuery & ViewFilter & ReportPage,
): Promise<{ pages: PageAtGlance[]; hasMore: boolean }> {
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
  const pages = rows.map(({ path, human, ai, events, humanVisitors }): PageAtGlance => {
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
