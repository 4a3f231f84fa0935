import { z } from 'zod';
import { readReport, readTotal } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import { foreignCursor } from '../../../services/list-pages.ts';
import type { App } from '../../app-types.ts';
import { pageEnd, paging } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { isoTime } from '../fields.ts';
import { projectParams } from '../projects/project-schema.ts';
import { queryOf } from './analytics-schema.ts';
import { reportFilters } from './report-schema.ts';

const exampleSearch = {
  searchQuery: 'rotate key',
  hits: 42,
  ctr: 0.81,
  topClickedPage: '/guides/keys',
  lastSearchedAt: '2026-11-21T10:42:00.000Z',
  noResults: 0,
  refined: 3,
};

const search = z
  .object({
    searchQuery: z.string().describe('The search query, in lower case.'),
    hits: z.int().describe('Number of searches.'),
    ctr: z.number().min(0).max(1).describe('Share of these searches in which a result was opened.'),
    topClickedPage: z.string().nullable().describe('The most opened result; `null` if none was opened.'),
    lastSearchedAt: isoTime.describe('When the last search was.'),
    noResults: z.int().describe('Number of these searches without results.'),
    refined: z.int().describe('Number of these searches followed by another search within 30 seconds.'),
  })
  .meta({
    id: 'SearchFigures',
    description: 'Searches with the same query.',
    examples: [exampleSearch],
  });

/** Pages opened from the searches of one response, most opened first. */
const MAX_CLICKED_PAGES = 5000;

/** `GET /v1/analytics/{projectId}/searches` */
export function searchesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/searches',
    operationId: 'listSearches',
    summary: 'Count searches',
    description: 'Counts the search queries of readers on the pages of a site, most frequent first.',
    permission: 'analytics.read',
    params: projectParams,
    query: z.object({ ...reportFilters, ...paging(100, 50) }),
    answer: z
      .object({
        searches: z.array(search).describe('The searches, the most frequent first.'),
        totalSearches: z.int().describe('All searches of the period.'),
        ...pageEnd,
      })
      .meta({ examples: [{ searches: [exampleSearch], totalSearches: 42, nextCursor: null, hasMore: false }] }),
    run: async (call) => {
      const { actor } = call;
      const query = queryOf(call);
      const offset = query.cursor === undefined ? 0 : readOffset(query.cursor);
      const [total, { rows, hasMore }] = await Promise.all([
        readTotal(deps, actor, 'search', query),
        readReport(deps, actor, { dimension: 'search', by: 'key', order: 'events' }, { ...query, offset }),
      ]);
      const keys = rows.filter(({ opened }) => opened > 0).map(({ key }) => key);
      const clicks = { dimension: 'click', by: 'key-and-detail', order: 'events' } as const;
      const opened = await readReport(deps, actor, clicks, { ...query, keys, limit: MAX_CLICKED_PAGES, offset: 0 });
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
      const nextCursor = hasMore ? Buffer.from(`${offset + query.limit}`).toString('base64url') : null;
      return { searches, totalSearches: total?.events ?? 0, nextCursor, hasMore };
    },
  });
}

function readOffset(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw foreignCursor();
}
