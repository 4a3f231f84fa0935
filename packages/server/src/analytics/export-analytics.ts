import type { Actor } from '@docent/format/access/may.ts';
import type { VisitorFilter } from '@docent/format/analytics/reports.ts';
import type { Deps } from '../kernel/deps.ts';
import type { ExportRow } from '../kernel/exported-rows.ts';
import type { FigureRow } from '../ports/analytics-store.ts';
import { readQuestionSubjects } from './read-analytics.ts';
import {
  type ReportKind,
  type ReportQuery,
  readPages,
  readReport,
  reportScope,
} from './read-reports.ts';

type ExportDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock'>;

const PAGE = 1000;

/** Yields all rows of a report, a page at a time. @throws DocentError `site_not_found` */
export async function* reportRows(
  deps: ExportDeps,
  actor: Actor,
  report: ReportKind & { show: (row: FigureRow) => ExportRow },
  query: ReportQuery,
): AsyncGenerator<ExportRow> {
  for (let offset = 0; ; offset += PAGE) {
    const { rows, hasMore } = await readReport(deps, actor, report, {
      ...query,
      limit: PAGE,
      offset,
    });
    for (const row of rows) yield report.show(row);
    if (!hasMore) return;
  }
}

/** Yields all pages at a glance. @throws DocentError `site_not_found` */
export async function* pageRows(
  deps: Parameters<typeof readPages>[0],
  actor: Actor,
  query: ReportQuery & VisitorFilter,
): AsyncGenerator<ExportRow> {
  for (let offset = 0; ; offset += PAGE) {
    const { pages, hasMore } = await readPages(deps, actor, { ...query, limit: PAGE, offset });
    yield* pages;
    if (!hasMore) return;
  }
}

/** Yields all subjects of questions. @throws DocentError `site_not_found` */
export async function* subjectRows(
  deps: Parameters<typeof readQuestionSubjects>[0],
  actor: Actor,
  query: ReportQuery,
): AsyncGenerator<ExportRow> {
  const { subjects } = await readQuestionSubjects(deps, actor, {
    ...query,
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
  });
  for (const { name, lastAskedAt, examples, ...counted } of subjects)
    yield { subject: name, ...counted, lastAskedAt, examples: examples.join('\n') };
}

/**
 * Yields all stored events, oldest first. Visitors are numbers valid for one day. @throws
 * DocentError `site_not_found`
 */
export async function* eventRows(
  deps: ExportDeps,
  actor: Actor,
  query: ReportQuery,
): AsyncGenerator<ExportRow> {
  const scope = await reportScope(deps, actor, query);
  let after: { at: Date; id: number } | undefined;
  for (;;) {
    const events = await deps.analytics.store.events(scope, { after, limit: PAGE });
    for (const { at, siteId: _, id: __, ...event } of events) yield { at, ...event };
    const last = events.at(-1);
    if (!last || events.length < PAGE) return;
    after = { at: last.at, id: last.id };
  }
}
