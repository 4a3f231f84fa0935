import { createReadStream } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import {
  createFigureCounter,
  type DayFigure,
  type Dimension,
  type FigureOrder,
  type SummedFigure,
  type Sums,
  sumFigures,
} from '@docent/format/analytics/count-figures.ts';
import { isoDayOf } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { html, joinHtml } from '@docent/format/html.ts';
import type { KeptFeedback } from '@docent/server/bundle-server/analytics.ts';
import { formatTable, type Output } from '../kernel/output.ts';

export interface AnalyticsReportOptions {
  from?: string;
  to?: string;
  html?: string;
}

interface Table {
  title: string;
  columns: string[];
  rows: (string | number)[][];
}

const DAY_FILE = /^(?:events|feedback)-(\d{4}-\d\d-\d\d)\.ndjson$/;
const ROWS = 25;
/** Readers' comments are read one by one. */
const COMMENTS = 200;

/**
 * `docent analytics <folder>`: reports what `docent serve-bundle --analytics` recorded, with the definitions of the platform's
 * figures.
 * @throws DocentError `invalid_request` if the folder has no such files or a day is invalid
 */
export async function runAnalyticsReport(
  folder: string,
  options: AnalyticsReportOptions,
  output: Output,
): Promise<void> {
  const { figures, feedback, days, unreadable } = await readFigures(folder, options);
  if (unreadable > 0) output.note(`${unreadable} lines are not events and were skipped.`);
  const total = sumFigures(figures, { dimension: 'view', by: 'all', order: 'events' })[0];
  const totals = {
    views: total?.human ?? 0,
    visitors: total?.humanVisitors ?? 0,
    aiViews: total?.ai ?? 0,
    searches:
      sumFigures(figures, { dimension: 'search', by: 'all', order: 'events' })[0]?.events ?? 0,
  };
  const tables = [...tablesOf(figures), ...feedbackTables(feedback)];
  const period = `${days[0]} to ${days.at(-1)} (UTC)`;
  if (options.html !== undefined)
    await writeFile(resolve(options.html), page(period, totals, tables));
  const named = tables.map(({ title, columns, rows }) => [
    title,
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
  ]);
  output.result(
    options.html === undefined ? text(period, totals, tables) : `Wrote ${options.html}.`,
    {
      from: days[0],
      to: days.at(-1),
      totals,
      ...Object.fromEntries(named),
    },
  );
}

async function readFigures(folder: string, { from, to }: AnalyticsReportOptions) {
  for (const day of [from, to])
    if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day))
      throw new DocentError('invalid_request', `"${day}" is not a date; write it as 2026-11-22.`);
  // Also accepts the folder of the bundles, since the server was given that one.
  const inside = join(folder, 'analytics');
  const place = (await stat(inside).catch(() => undefined))?.isDirectory() ? inside : folder;
  const names: string[] = await readdir(place).catch(() => []);
  const fileDays = names
    .flatMap((name) => DAY_FILE.exec(name)?.[1] ?? [])
    .filter((day) => (from === undefined || day >= from) && (to === undefined || day < to));
  const days = [...new Set(fileDays)].sort();
  if (days.length === 0)
    throw new DocentError(
      'invalid_request',
      `There are no events-….ndjson or feedback-….ndjson files for these days in ${folder}; docent serve-bundle --analytics writes them into the folder "analytics" of its cache.`,
    );
  const figures: DayFigure[] = [];
  const feedback = new Map<string, KeptFeedback>();
  let unreadable = 0;
  const read = async <One>(
    file: string,
    parse: (line: string) => One | undefined,
    take: (record: One) => void,
  ) => {
    if (!names.includes(file)) return;
    for await (const line of createInterface({ input: createReadStream(join(place, file)) })) {
      const record = parse(line);
      if (record === undefined) unreadable += 1;
      else take(record);
    }
  };
  for (const day of days) {
    const counter = createFigureCounter({ dimensions: REPORTED, scopes: ['all', 'path'] });
    const events: AnalyticsEvent[] = [];
    await read(`events-${day}.ndjson`, readEvent, (event) => events.push(event));
    await read(`feedback-${day}.ndjson`, readFeedback, (record) => feedback.set(record.id, record));
    events.sort((a, b) =>
      a.visitor < b.visitor ? -1 : a.visitor > b.visitor ? 1 : a.at.getTime() - b.at.getTime(),
    );
    for (const event of events) counter.add(event);
    figures.push(...counter.take());
  }
  return { figures, feedback: [...feedback.values()], days, unreadable };
}

function readEvent(line: string): AnalyticsEvent | undefined {
  const event = readDated<AnalyticsEvent>(line);
  return typeof event?.visitor === 'string' && typeof event.kind === 'string' ? event : undefined;
}

function readFeedback(line: string): KeptFeedback | undefined {
  const feedback = readDated<KeptFeedback>(line);
  return typeof feedback?.id === 'string' && typeof feedback.path === 'string'
    ? feedback
    : undefined;
}

/** Skips a line that a crash cut off. */
function readDated<One extends { at: Date }>(line: string): One | undefined {
  try {
    const record = JSON.parse(line) as One;
    const at = new Date(record.at);
    return Number.isNaN(at.getTime()) ? undefined : { ...record, at };
  } catch {
    return undefined;
  }
}

type Column = [name: string, value: (row: SummedFigure) => string | number];
const name = (title: string, absent = 'none'): Column => [title, (row) => row.name || absent];
const detail = (title: string): Column => [title, (row) => row.detail];
const count = (title: string, field: keyof Sums): Column => [title, (row) => row[field]];
const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

interface ReportTable {
  title: string;
  dimension: Dimension;
  /** What a row is about; the key of the dimension by default. */
  by?: 'day' | 'path';
  /** The rows with the most of it are first; the most events by default. */
  order?: FigureOrder;
  columns: Column[];
}

const visitors = count('Visitors', 'humanVisitors');
const views = [count('Views', 'human'), visitors, count('Views by AI', 'ai')];
const averageSeconds: Column = [
  'Seconds on average',
  (row) => Math.round(row.amount / row.events / 1000),
];
const opened: Column = ['Opened a result', (row) => percent(row.opened, row.events)];
const searches = [
  count('Searches', 'events'),
  opened,
  count('Without results', 'empty'),
  count('Refined', 'refined'),
];

const reports: ReportTable[] = [
  { title: 'Days', dimension: 'view', by: 'day', columns: [name('Day'), ...views] },
  {
    title: 'Pages',
    dimension: 'view',
    by: 'path',
    order: 'readings',
    columns: [name('Page'), ...views],
  },
  {
    title: 'Sources',
    dimension: 'source',
    order: 'humanVisitors',
    columns: [name('Source', 'direct or unknown'), count('Views', 'human'), visitors],
  },
  { title: 'Searches', dimension: 'search', columns: [name('Search'), ...searches] },
  {
    title: 'Missing pages',
    dimension: 'missing',
    columns: [name('Address'), detail('Source'), count('Views', 'events')],
  },
  {
    title: 'Machines',
    dimension: 'machine',
    columns: [name('Class'), detail('Agent'), count('Requests', 'events')],
  },
  {
    title: 'Devices',
    dimension: 'device',
    order: 'humanVisitors',
    columns: [name('Device'), detail('Browser'), visitors],
  },
  {
    title: 'Languages',
    dimension: 'language',
    order: 'humanVisitors',
    columns: [name('Language'), visitors],
  },
  {
    title: 'Time on page',
    dimension: 'time',
    by: 'path',
    columns: [name('Page'), averageSeconds, count('Measurements', 'events')],
  },
  {
    title: 'Exits',
    dimension: 'exit',
    by: 'path',
    order: 'human',
    columns: [name('Page'), count('Exits', 'human')],
  },
];
const REPORTED = [...new Set(reports.map(({ dimension }) => dimension))];

function tablesOf(figures: readonly DayFigure[]): Table[] {
  return reports.flatMap(
    ({ title, dimension, by = 'key' as const, order = 'events' as const, columns }) => {
      const summedFigures = sumFigures(figures, { dimension, by, order });
      if (summedFigures.length === 0) return [];
      const rows = (by === 'day' ? summedFigures : summedFigures.slice(0, ROWS)).map((row) =>
        columns.map(([, value]) => value(row)),
      );
      return { title, columns: columns.map(([column]) => column), rows };
    },
  );
}

/** Lists readers' feedback by page, and their comments newest first. */
function feedbackTables(feedback: readonly KeptFeedback[]): Table[] {
  if (feedback.length === 0) return [];
  const byPage = [...Map.groupBy(feedback, ({ path }) => path)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const helpful = (all: readonly KeptFeedback[]) => all.filter((entry) => entry.helpful).length;
  const words = feedback
    .filter(({ comment, reason }) => comment || reason)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  const tables: Table[] = [
    {
      title: 'Feedback',
      columns: ['Page', 'Helpful', 'Not helpful'],
      rows: byPage
        .slice(0, ROWS)
        .map(([path, all]) => [path, helpful(all), all.length - helpful(all)]),
    },
    {
      title: 'Comments',
      columns: ['Day', 'Page', 'Helpful', 'Reason', 'Comment'],
      rows: words
        .slice(0, COMMENTS)
        .map(({ at, path, helpful: yes, reason = '', comment = '' }) => [
          isoDayOf(at),
          path,
          yes ? 'yes' : 'no',
          reason,
          comment,
        ]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

type Totals = Record<'views' | 'visitors' | 'aiViews' | 'searches', number>;
const counted = (number: number, noun: string, ending = 's') =>
  `${number} ${noun}${number === 1 ? '' : ending}`;
const totalsText = ({ views, visitors, aiViews, searches }: Totals) =>
  `${counted(views, 'view')} by ${counted(visitors, 'daily visitor')}, ${counted(aiViews, 'view')} by AI, ${counted(searches, 'search', 'es')}`;

function text(period: string, totals: Totals, tables: readonly Table[]): string {
  const sections = tables.map(({ title, columns, rows }) => {
    const lines = formatTable(
      [columns, ...rows].map((row) => row.map((cell) => printable(String(cell)))),
    ).split('\n');
    return `\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`;
  });
  return [period, totalsText(totals), ...sections].join('\n');
}

/** Text that readers typed must not control the terminal. */
function printable(cell: string): string {
  return cell.replace(/\p{Cc}/gu, '\u{fffd}').slice(0, 80);
}

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}td{overflow-wrap:anywhere}.number{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}@media(max-width:30rem){body{font-size:14px}th,td{padding-right:.375rem}}';

const classOf = (cell: string | number | undefined) =>
  /^\d+(?: %)?$/.test(String(cell)) ? 'number' : 'text';

function page(period: string, totals: Totals, tables: readonly Table[]): string {
  const sections = tables.map(({ title, columns, rows }) => {
    const lines = rows.map((row) => {
      const cells = row.map((cell) => html`<td class="${classOf(cell)}">${String(cell)}</td>`);
      return html`<tr>${joinHtml(cells)}</tr>`;
    });
    const head = joinHtml(
      columns.map(
        (column, index) =>
          html`<th scope="col" class="${classOf(rows[0]?.[index])}">${column}</th>`,
      ),
    );
    return html`<h2>${title}</h2><table><thead><tr>${head}</tr></thead><tbody>${joinHtml(lines)}</tbody></table>`;
  });
  const document = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Web analytics</title><style>${STYLE}</style></head><body><h1>Web analytics</h1><p>${period}: ${totalsText(totals)}.</p>${joinHtml(sections)}</body></html>`;
  return `<!doctype html>${document}\n`;
}
