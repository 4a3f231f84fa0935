import { z } from 'zod';
import type { FigureRow } from '../../../ports/analytics-store.ts';
import { readLive } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { isoTime } from '../fields.ts';
import { projectParams } from '../projects/project-schema.ts';
import { reportFilters } from './report-schema.ts';

const counts = {
  readers: z.int().describe('Distinct readers.'),
  views: z.int().describe('Views by readers.'),
  aiViews: z.int().describe('Views by AI agents and AI crawlers.'),
};
const span = z
  .object(counts)
  .meta({ id: 'LiveCounts', description: 'Readers and machines.', examples: [{ readers: 4, views: 9, aiViews: 2 }] });
const read = { readers: counts.readers, views: counts.views };
const countsOf = (row: FigureRow | undefined) => ({
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
    params: projectParams,
    query: z.object({
      ...filters,
      limit: z.coerce.number().int().min(1).max(100).default(10).describe('Maximum number of rows of each list.'),
    }),
    answer: z
      .object({
        at: isoTime.describe('Time of the snapshot.'),
        last5Minutes: span,
        last30Minutes: span,
        pages: z
          .array(z.object({ path: z.string().describe('Path of the page.'), ...read, aiViews: counts.aiViews }))
          .describe('Pages of the last 30 minutes, the most viewed first.'),
        sources: z
          .array(z.object({ source: z.string().describe('Host; empty if there was none.'), ...read }))
          .describe('Sources of the last 30 minutes, the one with the most readers first.'),
        machines: z
          .array(
            z.object({
              class: z.string().describe('Class of the machine.'),
              agent: z.string().describe('Name of a known agent; empty for others.'),
              requests: z.int().describe('Requests.'),
            }),
          )
          .describe('Machines of the last 30 minutes, the one with the most requests first.'),
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
      const { at, now, recent, pages, sources, machines } = await readLive(deps, actor, { ...params, ...query });
      return {
        at,
        last5Minutes: countsOf(now),
        last30Minutes: countsOf(recent),
        pages: pages.map((row) => ({ path: row.path, ...countsOf(row) })),
        sources: sources.map((row) => ({ source: row.key, readers: row.humanVisitors, views: row.human })),
        machines: machines.map((row) => ({ class: row.key, agent: row.detail, requests: row.events })),
      };
    },
  });
}
