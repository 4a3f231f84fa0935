import { z } from 'zod';
import { readPages } from '../../../services/analytics/read-pages.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { queryOf } from './analytics-schema.ts';
import { reportPaging, viewFilters } from './report-schema.ts';

const example = {
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
const page = z
  .object({
    path: z.string().describe('Path of the page.'),
    title: z.string().nullable().describe('Title of the page; `null` if the page no longer exists.'),
    views: z.int().describe('Views by readers.'),
    aiViews: z.int().describe('Views by AI.'),
    requests: z.int().describe('Views by readers, AI and other machines.'),
    visitors: z.int().describe('Visitors, each counted once a day.'),
    averageMs: z.int().nullable().describe('Average time for which it was visible, in milliseconds; `null` if not measured.'),
    exits: z.int().describe('Visits that ended here.'),
    thumbsUp: z.int().describe('Readers who found it helpful.'),
    thumbsDown: z.int().describe('Readers who did not.'),
    lastUpdated: z.string().nullable().describe('Day of the last change; `null` if unknown.'),
  })
  .meta({ id: 'PageAtGlance', description: 'A page.', examples: [example] });

/** `GET /v1/analytics/{projectId}/pages` */
export function pagesRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/pages',
    operationId: 'listPagesAtGlance',
    summary: 'Show pages at a glance',
    description:
      'Returns the pages of a site with views, time on page, exits, feedback and last change, the most viewed first. View filters apply to views only; time, exits and feedback include all readers.',
    permission: 'analytics.read',
    params: projectParams,
    query: z.object({ ...viewFilters, ...reportPaging }),
    answer: z
      .object({ pages: z.array(page).describe('The pages.'), hasMore: z.boolean().describe('Whether there are more pages.') })
      .meta({ examples: [{ pages: [example], hasMore: false }] }),
    run: (call) => readPages(deps, call.actor, queryOf(call)),
  });
}
