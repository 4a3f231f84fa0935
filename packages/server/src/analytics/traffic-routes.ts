import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { foreignCursor } from '../kernel/list-pages.ts';
import * as field from '../kernel/operations/described.ts';
import { pageEnd, paging } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { FigureRow } from '../ports/analytics-store.ts';
import { allFilters, queryOf, reportFilters, reportPaging } from './analytics-schema.ts';
import { readLive, readPages, readReport, readTotal } from './read-reports.ts';

const exampleSearch = {
  searchQuery: 'rotate key',
  hits: 42,
  ctr: 0.81,
  topClickedPage: '/guides/keys',
  lastSearchedAt: '2026-11-21T10:42:00.000Z',
  noResults: 0,
  refined: 3,
};

const search = field.resource(
  'SearchFigures',
  'Searches with the same query.',
  {
    searchQuery: field.text('The search query, in lower case.'),
    hits: field.int('Number of searches.'),
    ctr: z.number().min(0).max(1).describe('Share of these searches in which a result was opened.'),
    topClickedPage: field.text.orNull('The most opened result; `null` if none was opened.'),
    lastSearchedAt: field.time('When the last search was.'),
    noResults: field.int('Number of these searches without results.'),
    refined: field.int('Number of these searches followed by another search within 30 seconds.'),
  },
  exampleSearch,
);

/** Pages opened from the searches of one response, most opened first. */
const MAX_CLICKED_PAGES = 5000;

/** `GET /v1/analytics/{projectId}/searches` */
export function searchesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/searches',
    operationId: 'listSearches',
    summary: 'Count searches',
    description:
      'Counts the search queries of readers on the pages of a site, most frequent first.',
    permission: 'analytics.read',
    query: z.object({ ...allFilters, ...paging(100, 50) }),
    answer: z
      .object({
        searches: field.list(search, 'The searches, the most frequent first.'),
        totalSearches: field.int('All searches of the period.'),
        ...pageEnd,
      })
      .meta({
        examples: [
          { searches: [exampleSearch], totalSearches: 42, nextCursor: null, hasMore: false },
        ],
      }),
    run: async (call) => {
      const { actor } = call;
      const query = queryOf(call);
      const offset = query.cursor === undefined ? 0 : readOffset(query.cursor);
      const [total, { rows, hasMore }] = await Promise.all([
        readTotal(deps, actor, 'search', query),
        readReport(
          deps,
          actor,
          { dimension: 'search', by: 'key', order: 'events' },
          { ...query, offset },
        ),
      ]);
      const keys = rows.filter(({ opened }) => opened > 0).map(({ key }) => key);
      const clicks = { dimension: 'click', by: 'key-and-detail', order: 'events' } as const;
      const opened = await readReport(deps, actor, clicks, {
        ...query,
        keys,
        limit: MAX_CLICKED_PAGES,
        offset: 0,
      });
      const searches = rows.map(
        (row): z.infer<typeof search> => ({
          searchQuery: row.key,
          hits: row.events,
          ctr: row.events === 0 ? 0 : row.opened / row.events,
          topClickedPage: opened.rows.find(({ key }) => key === row.key)?.detail ?? null,
          lastSearchedAt: row.lastAt,
          noResults: row.empty,
          refined: row.refined,
        }),
      );
      const nextCursor = hasMore
        ? Buffer.from(`${offset + query.limit}`).toString('base64url')
        : null;
      return { searches, totalSearches: total?.events ?? 0, nextCursor, hasMore };
    },
  });
}

function readOffset(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw foreignCursor();
}

const liveCounts = {
  readers: field.int('Distinct readers.'),
  views: field.int('Views by readers.'),
  aiViews: field.int('Views by AI agents and AI crawlers.'),
};
const liveSpan = field.resource('LiveCounts', 'Readers and machines.', liveCounts, {
  readers: 4,
  views: 9,
  aiViews: 2,
});
const readerCounts = { readers: liveCounts.readers, views: liveCounts.views };
const liveCountsOf = (row: FigureRow | undefined) => ({
  readers: row?.humanVisitors ?? 0,
  views: row?.human ?? 0,
  aiViews: row?.ai ?? 0,
});

/** `GET /v1/analytics/{projectId}/live` */
export function liveRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  const { dateFrom: _, dateTo: __, ...filters } = reportFilters;
  operation({
    route: 'GET /v1/analytics/:projectId/live',
    operationId: 'getLiveAnalytics',
    summary: 'Get current readers',
    description:
      'Counts the readers of the last 5 and the last 30 minutes, with the pages, sources and machines of the last 30. Events of the last second may be missing.',
    permission: 'analytics.read',
    query: z.object({
      ...filters,
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .default(10)
        .describe('Maximum number of rows of each list.'),
    }),
    answer: z
      .object({
        at: field.time('Time of the snapshot.'),
        last5Minutes: liveSpan,
        last30Minutes: liveSpan,
        pages: field.list(
          z.object({
            path: field.text('Path of the page.'),
            ...readerCounts,
            aiViews: liveCounts.aiViews,
          }),
          'Pages of the last 30 minutes, the most viewed first.',
        ),
        sources: field.list(
          z.object({
            source: field.text('Host; empty if there was none.'),
            ...readerCounts,
          }),
          'Sources of the last 30 minutes, the one with the most readers first.',
        ),
        machines: field.list(
          z.object({
            class: field.text('Class of the machine.'),
            agent: field.text('Name of a known agent; empty for others.'),
            requests: field.int('Requests.'),
          }),
          'Machines of the last 30 minutes, the one with the most requests first.',
        ),
      })
      .meta({
        examples: [
          {
            at: '2026-11-21T10:42:00.000Z',
            last5Minutes: { readers: 4, views: 9, aiViews: 2 },
            last30Minutes: { readers: 17, views: 61, aiViews: 8 },
            pages: [{ path: '/guides/start', readers: 6, views: 11, aiViews: 1 }],
            sources: [{ source: 'example.com', readers: 3, views: 3 }],
            machines: [{ class: 'ai.agent', agent: 'Claude-User', requests: 5 }],
          },
        ],
      }),
    run: async ({ actor, params, query }) => {
      const { at, now, recent, pages, sources, machines } = await readLive(deps, actor, {
        ...params,
        ...query,
      });
      return {
        at,
        last5Minutes: liveCountsOf(now),
        last30Minutes: liveCountsOf(recent),
        pages: pages.map((row) => ({ path: row.path, ...liveCountsOf(row) })),
        sources: sources.map((row) => ({
          source: row.key,
          readers: row.humanVisitors,
          views: row.human,
        })),
        machines: machines.map((row) => ({
          class: row.key,
          agent: row.detail,
          requests: row.events,
        })),
      };
    },
  });
}

const examplePage = {
  ...{
    path: '/guides/start',
    title: 'Start',
    views: 940,
    aiViews: 310,
    requests: 1290,
    visitors: 402,
    averageMs: 48200,
    exits: 88,
  },
  ...{ thumbsUp: 21, thumbsDown: 4, lastUpdated: '2026-11-02' },
};
const pageAtGlance = field.resource(
  'PageAtGlance',
  'A page.',
  {
    path: field.text('Path of the page.'),
    title: field.text.orNull('Title of the page; `null` if the page no longer exists.'),
    views: field.int('Views by readers.'),
    aiViews: field.int('Views by AI.'),
    requests: field.int('Views by readers, AI and other machines.'),
    visitors: field.int('Visitors, each counted once a day.'),
    averageMs: field.int.orNull(
      'Average time for which it was visible, in milliseconds; `null` if not measured.',
    ),
    exits: field.int('Visits that ended here.'),
    thumbsUp: field.int.orNull(
      'Readers who found it helpful; `null` with a filter of visitors, because ratings are stored without the visit.',
    ),
    thumbsDown: field.int.orNull('Readers who did not; `null` in the same case.'),
    lastUpdated: field.text.orNull('Day of the last change; `null` if unknown.'),
  },
  examplePage,
);

/** `GET /v1/analytics/{projectId}/pages` */
export function pagesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/pages',
    operationId: 'listPagesAtGlance',
    summary: 'Show pages at a glance',
    description:
      'Returns the pages of a site with views, time on page, exits, feedback and last change, the most viewed first. Filters of visitors, such as `referrer`, reach back as far as single events are stored (`eventDays`).',
    permission: 'analytics.read',
    query: z.object({ ...allFilters, ...reportPaging }),
    answer: z
      .object({
        pages: field.list(pageAtGlance, 'The pages.'),
        hasMore: field.flag('Whether there are more pages.'),
      })
      .meta({ examples: [{ pages: [examplePage], hasMore: false }] }),
    run: (call) => readPages(deps, call.actor, queryOf(call)),
  });
}
