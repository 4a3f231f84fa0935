import { Readable } from 'node:stream';
import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import type { FigureRow } from '../../../ports/analytics-store.ts';
import { asText, eventRows, reportRows } from '../../../services/analytics/export-analytics.ts';
import { type ReportKind, reportScope } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import { feedbackRows } from '../../../services/feedback/manage-feedback.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectParams } from '../projects/project-params.ts';
import { rangeOf } from './analytics-schema.ts';
import { feedbackFilters, feedbackQueryOf } from './feedback-schema.ts';
import { reports } from './report-kinds.ts';

interface Exported extends ReportKind {
  show: (row: FigureRow) => Record<string, string | number>;
}

const exported: Record<string, Exported> = {
  views: {
    dimension: 'view',
    by: 'path',
    order: 'readings',
    show: ({ path, human, ai }) => ({ path, human, ai, total: human + ai }),
  },
  visitors: {
    dimension: 'view',
    by: 'path',
    order: 'visitors',
    show: ({ path, humanVisitors: human, aiVisitors: ai, visitors: total }) => ({ path, human, ai, total }),
  },
  searches: {
    dimension: 'search',
    by: 'key',
    order: 'events',
    show: ({ key, events, opened, empty, refined, lastAt }) => ({
      searchQuery: key,
      hits: events,
      ctr: opened / events,
      noResults: empty,
      refined,
      lastSearchedAt: lastAt.toISOString(),
    }),
  },
  ...Object.fromEntries(reports.map((report) => [report.name, report])),
};
const names = ['events', 'feedback', ...Object.keys(exported)] as [string, ...string[]];
const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

const OF_FEEDBACK = ['source', 'status', 'helpful', 'about', 'previews'] as const;

/** @throws DocentError `invalid_request` for a filter that a report does not have, which would be ignored otherwise */
function requireOwnFilters(report: string, asked: Partial<Record<(typeof OF_FEEDBACK)[number], unknown>>): void {
  const foreign = report === 'feedback' ? undefined : OF_FEEDBACK.find((name) => asked[name] !== undefined);
  if (foreign === undefined) return;
  throw new DocentError('invalid_request', `"${foreign}" keeps feedback alone to something; remove it, or export "feedback".`);
}

/** `GET /v1/analytics/{projectId}/export` */
export function exportAnalyticsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/analytics/:projectId/export',
    schema: {
      tags: ['Analytics'],
      security: [{ adminKey: [] }],
      operationId: 'exportAnalytics',
      summary: 'Export analytics',
      description:
        'Streams all rows of a report, all feedback, or all events that are kept, as CSV or as one JSON object a line. Cells that a spreadsheet would take for a formula begin with an apostrophe. `source`, `status`, `helpful`, `about` and `previews` are for `feedback` alone.',
      produces: Object.values(TYPES),
      params: projectParams,
      querystring: z.object({
        report: z.enum(names).describe('What to export: `events`, `feedback`, or the name of a report as in its address.'),
        format: z.enum(['csv', 'ndjson']).default('csv').describe('Form of the rows.'),
        ...feedbackFilters,
      }),
      response: {
        200: z.any().meta({
          description: 'The rows, as `text/csv` or `application/x-ndjson`.',
          examples: ['path,human,ai,total\r\n/guides/start,940,310,1250\r\n'],
        }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'analytics.read'),
    handler: async (request, reply) => {
      const { report, format, ...asked } = request.query;
      requireOwnFilters(report, asked);
      const actor = actorOf(request);
      const query = { ...request.params, ...request.query, ...rangeOf(request.query) };
      // What cannot be read is refused before the first byte.
      await reportScope(deps, actor, query);
      const kind = exported[report];
      const rows = kind
        ? reportRows(deps, actor, kind, query)
        : report === 'feedback'
          ? feedbackRows(deps, actor, { ...request.params, ...feedbackQueryOf(asked) })
          : eventRows(deps, actor, query);
      const name = `${report}.${format}`;
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .serializer((payload) => payload as string)
        .send(Readable.from(asText(rows, format)));
    },
  });
}
