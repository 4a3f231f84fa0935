import type { Actor } from '@docent/format/access/may.ts';
import { visitorFilterNames } from '@docent/format/analytics/reports.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { ExportRow } from '../kernel/exported-rows.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { ROW_FORMATS, rowsAnswer, sendRows } from '../kernel/operations/exported-rows.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { FigureRow } from '../ports/analytics-store.ts';
import { allFilters, outcome, queryOf } from './analytics-schema.ts';
import { eventRows, pageRows, reportRows, subjectRows } from './export-analytics.ts';
import { feedbackRows } from './feedback.ts';
import { feedbackFilters } from './feedback-routes.ts';
import { conversationRows } from './read-analytics.ts';
import { type ReportKind, reportScope } from './read-reports.ts';
import { reports } from './report-kinds.ts';

type Query = Parameters<typeof feedbackRows>[2] &
  Parameters<typeof conversationRows>[2] &
  Parameters<typeof pageRows>[2];

const OF_FEEDBACK = ['source', 'status', 'helpful', 'about', 'previews'] as const;
const FILTERS = [...OF_FEEDBACK, ...visitorFilterNames, 'outcome'] as const;
type Filter = (typeof FILTERS)[number];

interface Export {
  filters?: readonly Filter[];
  rows(deps: Deps, actor: Actor, query: Query): AsyncIterable<ExportRow>;
}

function ofReport(kind: ReportKind, show: (row: FigureRow) => ExportRow): Export {
  return {
    filters: visitorFilterNames,
    rows: (deps, actor, query) => reportRows(deps, actor, { ...kind, show }, query),
  };
}

const exported: Record<string, Export> = {
  events: { rows: eventRows },
  feedback: { filters: OF_FEEDBACK, rows: feedbackRows },
  conversations: { filters: ['outcome'], rows: conversationRows },
  pages: { filters: visitorFilterNames, rows: pageRows },
  'assistant/subjects': { rows: subjectRows },
  searches: ofReport(
    { dimension: 'search', by: 'key', order: 'events' },
    ({ key, events, opened, empty, refined, lastAt }) => ({
      searchQuery: key,
      hits: events,
      ctr: opened / events,
      noResults: empty,
      refined,
      lastSearchedAt: lastAt,
    }),
  ),
  ...Object.fromEntries(reports.map((report) => [report.name, ofReport(report, report.show)])),
};

/**
 * @throws DocentError `invalid_request` for a filter that a report does not support, which would
 *   otherwise be ignored
 */
function requireOwnFilters(report: string, query: Partial<Record<Filter, unknown>>): void {
  const supportedFilters = exported[report]?.filters ?? [];
  const foreign = FILTERS.find(
    (name) => query[name] !== undefined && !supportedFilters.includes(name),
  );
  if (foreign === undefined) return;
  throw new DocentError(
    'invalid_request',
    `The export of "${report}" has no filter "${foreign}"; remove it.`,
  );
}

/** `GET /v1/analytics/{projectId}/export` */
export function exportAnalyticsRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/export',
    operationId: 'exportAnalytics',
    summary: 'Export analytics',
    description:
      'Streams all rows of a report, all pages at a glance, all feedback, all questions with their answers or by subject, or all stored events, as CSV or as one JSON object per line. Cells that a spreadsheet would interpret as a formula begin with an apostrophe. `source`, `status`, `helpful`, `about` and `previews` apply only to `feedback`, `outcome` only to `conversations`; filters of visitors only to reports.',
    permission: 'analytics.read',
    query: z.object({
      report: field.choice(
        Object.keys(exported),
        'What to export: `events`, `feedback`, `conversations`, or the name of a report as in its address, for example `pages` or `assistant/subjects`.',
      ),
      format: ROW_FORMATS,
      ...allFilters,
      ...feedbackFilters,
      outcome: outcome.optional().describe('Only questions with this outcome.'),
    }),
    answer: rowsAnswer('path,human,ai,total\r\n/guides/start,940,310,1250\r\n'),
    run: async (call) => {
      const { actor, reply } = call;
      const { report, format, ...asked } = call.query;
      requireOwnFilters(report, asked);
      const query = queryOf(call);
      // An invalid request is refused before the first byte.
      await reportScope(deps, actor, query);
      const { rows } = exported[report] as Export;
      return sendRows(reply, {
        name: report.replace('/', '-'),
        format,
        rows: rows(deps, actor, query),
      });
    },
  });
}
