import { z } from 'zod';
import type { FigureRow } from '../../../ports/analytics-store.ts';
import { readReport, readTotal } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { queryOf } from './analytics-schema.ts';
import { reportPaging, viewFilters } from './report-schema.ts';

const counts = {
  human: z.int().describe('Of readers.'),
  ai: z.int().describe('By AI agents and AI crawlers.'),
  total: z.int().describe('By both. Each visitor counts once.'),
};
const example = { human: 940, ai: 310, total: 1250 };

const totalsSchema = z.object(counts).meta({ id: 'TrafficTotals', description: 'All pages together.', examples: [example] });
const pageSchema = z.object({ path: z.string().describe('Path of the page.'), ...counts }).meta({
  id: 'PageTraffic',
  description: 'A page.',
  examples: [{ path: '/guides/start', ...example }],
});

const viewCounts = (row: FigureRow | undefined) => {
  const { human = 0, ai = 0 } = row ?? {};
  return { human, ai, total: human + ai };
};
const visitorCounts = (row: FigureRow | undefined) => {
  const { humanVisitors: human = 0, aiVisitors: ai = 0, visitors: total = 0 } = row ?? {};
  return { human, ai, total };
};

const what = {
  views: {
    operationId: 'listViews',
    summary: 'Count page views',
    description: 'Counts page views by readers and by AI, most viewed page first.',
    order: 'readings',
    countsOf: viewCounts,
  },
  visitors: {
    operationId: 'listVisitors',
    summary: 'Count visitors',
    description:
      'Counts the distinct visitors of each day and adds up the days, because visitors are not recognized on another day. Most visited page first.',
    order: 'visitors',
    countsOf: visitorCounts,
  },
} as const;

/** `GET /v1/analytics/{projectId}/views` and `…/visitors` */
export function trafficRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  for (const name of ['views', 'visitors'] as const) {
    const { operationId, summary, description, order, countsOf } = what[name];
    operation({
      route: `GET /v1/analytics/:projectId/${name}`,
      operationId,
      summary,
      description,
      permission: 'analytics.read',
      params: projectParams,
      query: z.object({ ...viewFilters, ...reportPaging }),
      answer: z
        .object({
          totals: totalsSchema,
          [name]: z.array(pageSchema).describe('The pages.'),
          hasMore: z.boolean().describe('Whether there are more pages.'),
        })
        .meta({ examples: [{ totals: example, [name]: [{ path: '/guides/start', ...example }], hasMore: false }] }),
      run: async (call) => {
        const query = queryOf(call);
        const [total, { rows, hasMore }] = await Promise.all([
          readTotal(deps, call.actor, 'view', query),
          readReport(deps, call.actor, { dimension: 'view', by: 'path', order }, query),
        ]);
        return {
          totals: countsOf(total),
          [name]: rows.map((one) => ({ path: one.path, ...countsOf(one) })),
          hasMore,
        };
      },
    });
  }
}
