import { GROUP_ACTIVITIES } from '@docent/format/analytics/count-figures.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { FigureRow } from '../ports/analytics-store.ts';
import { allFilters, queryOf, reportPaging } from './analytics-schema.ts';
import { type ReportKind, readReport, readTotal } from './read-reports.ts';

/** A report of the API: what it counts, and the form of its rows. */
export interface Report extends ReportKind {
  /** Last part of the URL, and name of the list in the response. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  row: z.ZodObject;
  example: Record<string, string | number | Date>;
  show: (row: FigureRow) => Record<string, string | number | Date>;
  /** Of a report of pages: returns the counts of all of them together. */
  totalsOf?: typeof viewCounts;
}

const views = field.int('Views by readers.');
const visitors = field.int('Visitors, each counted once a day.');
const requests = field.int('Requests.');
const page = field.text('Path of the page.');
const read = (row: FigureRow) => ({ views: row.human, visitors: row.humanVisitors });

function report<Row extends Record<string, z.ZodType>>(
  kind: ReportKind,
  [name, operationId, summary, description]: readonly [string, string, string, string],
  row: Row,
  example: { [Name in keyof Row]: string | number | Date },
  show: (row: FigureRow) => { [Name in keyof Row]: string | number | Date },
): Report {
  return { ...kind, name, operationId, summary, description, row: z.object(row), example, show };
}

const trafficCounts = {
  human: field.int('Of readers.'),
  ai: field.int('By AI agents and AI crawlers.'),
  total: field.int('By both. Each visitor counts once.'),
};
const exampleCounts = { human: 940, ai: 310, total: 1250 };

const totalsSchema = field.resource(
  'TrafficTotals',
  'All pages together.',
  trafficCounts,
  exampleCounts,
);
const pageSchema = field.resource(
  'PageTraffic',
  'A page.',
  { path: field.text('Path of the page.'), ...trafficCounts },
  { path: '/guides/start', ...exampleCounts },
);

const viewCounts = (row: FigureRow | undefined) => {
  const { human = 0, ai = 0 } = row ?? {};
  return { human, ai, total: human + ai };
};
const visitorCounts = (row: FigureRow | undefined) => {
  const { humanVisitors: human = 0, aiVisitors: ai = 0, visitors: total = 0 } = row ?? {};
  return { human, ai, total };
};

/** A report that counts pages, with the counts of all of them. */
function pagesReport(
  order: ReportKind['order'],
  words: Parameters<typeof report>[1],
  countsOf: typeof viewCounts,
): Report {
  const kind = { dimension: 'view', by: 'path', order } as const;
  const example = { path: '/guides/start', ...exampleCounts };
  const show = (row: FigureRow) => ({ path: row.path, ...countsOf(row) });
  const { shape } = pageSchema;
  return { ...report(kind, words, shape, example, show), row: pageSchema, totalsOf: countsOf };
}

/**
 * Every report except `searches`. That, `views` and `visitors` have the hosted service's format.
 */
export const reports: readonly Report[] = [
  pagesReport(
    'readings',
    [
      'views',
      'listViews',
      'Count page views',
      'Counts page views by readers and by AI, most viewed page first.',
    ],
    viewCounts,
  ),
  pagesReport(
    'visitors',
    [
      'visitors',
      'listVisitors',
      'Count visitors',
      'Counts the distinct visitors of each day and adds up the days, because visitors are not recognized on another day. Most visited page first.',
    ],
    visitorCounts,
  ),
  report(
    { dimension: 'source', by: 'key', order: 'visitors' },
    [
      'referrers',
      'listReferrers',
      'Count sources',
      'Counts the hosts from which readers came, the one with the most visitors first.',
    ],
    {
      source: field.text('Host without `www.`; empty where there was none.'),
      views,
      visitors,
    },
    { source: 'example.com', views: 120, visitors: 97 },
    (row) => ({ source: row.key, ...read(row) }),
  ),
  report(
    { dimension: 'campaign', by: 'key', order: 'visitors' },
    [
      'campaigns',
      'listCampaigns',
      'Count campaigns',
      'Counts the values of `utm_source`, `utm_medium`, `utm_campaign` and `ref` in addresses.',
    ],
    {
      source: field.text('`utm_source`.'),
      medium: field.text('`utm_medium`.'),
      campaign: field.text('`utm_campaign`.'),
      ref: field.text('`ref`.'),
      views,
      visitors,
    },
    { source: 'newsletter', medium: 'email', campaign: 'autumn', ref: '', views: 30, visitors: 28 },
    (row) => {
      const [source = '', medium = '', campaign = '', ref = ''] = JSON.parse(row.key) as string[];
      return { source, medium, campaign, ref, ...read(row) };
    },
  ),
  report(
    { dimension: 'device', by: 'key-and-detail', order: 'visitors' },
    ['devices', 'listDevices', 'Count devices', 'Counts readers by kind of device and browser.'],
    {
      device: field.text('`desktop`, `mobile` or `tablet`.'),
      browser: field.text('Name of the browser; empty for others.'),
      views,
      visitors,
    },
    { device: 'desktop', browser: 'Firefox', views: 410, visitors: 201 },
    (row) => ({ device: row.key, browser: row.detail, ...read(row) }),
  ),
  report(
    { dimension: 'language', by: 'key', order: 'visitors' },
    [
      'languages',
      'listLanguages',
      'Count languages',
      'Counts readers by the language of the pages they read.',
    ],
    {
      language: field.text('Language of the pages; empty for pages without one.'),
      views,
      visitors,
    },
    { language: 'en', views: 900, visitors: 402 },
    (row) => ({ language: row.key, ...read(row) }),
  ),
  report(
    { dimension: 'version', by: 'key', order: 'visitors' },
    [
      'versions',
      'listVersions',
      'Count versions',
      'Counts readers by the version of the pages they read.',
    ],
    {
      version: field.text('Version of the pages; empty for pages without one.'),
      views,
      visitors,
    },
    { version: 'v2', views: 700, visitors: 311 },
    (row) => ({ version: row.key, ...read(row) }),
  ),
  report(
    { dimension: 'group', by: 'key-and-detail', order: 'visitors' },
    [
      'groups',
      'listReaderGroups',
      'Count groups of readers',
      'Counts what readers who signed in did, by their groups: those by which pages of the site are restricted. A reader with several groups counts in each.',
    ],
    {
      group: field.text('Name of the group.'),
      activity: field.choice(
        GROUP_ACTIVITIES,
        'Views of pages, searches, or questions to the assistant.',
      ),
      count: field.int('How often.'),
      visitors,
    },
    { group: 'staff', activity: 'view', count: 410, visitors: 37 },
    (row) => ({
      group: row.key,
      activity: row.detail,
      count: row.human,
      visitors: row.humanVisitors,
    }),
  ),
  report(
    { dimension: 'machine', by: 'key-and-detail', order: 'events' },
    ['machines', 'listMachines', 'Count machines', 'Counts requests of machines, by class.'],
    {
      class: field.choice(
        ['ai.agent', 'ai.training', 'ai.search', 'search', 'monitor', 'other'],
        'AI agents that fetch for a person, AI crawlers for training and for search, search crawlers, monitors, other automation.',
      ),
      agent: field.text('Name of a known agent; empty for others.'),
      requests,
    },
    { class: 'ai.agent', agent: 'Claude-User', requests: 210 },
    (row) => ({ class: row.key, agent: row.detail, requests: row.events }),
  ),
  report(
    { dimension: 'surface', by: 'key-and-detail', order: 'events' },
    [
      'machine-surfaces',
      'listMachineSurfaces',
      'Count requests of machines',
      'Counts requests of machines, by kind of address.',
    ],
    {
      surface: field.text('`page`, `markdown`, `llms`, `skills`, `mcp`, `search` or `page-api`.'),
      class: field.text('Class of the machine.'),
      requests,
    },
    { surface: 'markdown', class: 'ai.agent', requests: 180 },
    (row) => ({ surface: row.key, class: row.detail, requests: row.events }),
  ),
  report(
    { dimension: 'missing', by: 'key-and-detail', order: 'events' },
    [
      'missing-pages',
      'listMissingPages',
      'Count missing pages',
      'Counts the addresses without a page that readers opened.',
    ],
    {
      path: field.text('The requested path.'),
      source: field.text('Host that the reader came from; `internal`: this site; empty: none.'),
      views,
    },
    { path: '/guides/gone', source: 'internal', views: 4 },
    (row) => ({ path: row.key, source: row.detail, views: row.events }),
  ),
  report(
    { dimension: 'exit', by: 'path', order: 'readings' },
    [
      'exits',
      'listExits',
      'Count exits',
      'Counts the pages with which visits ended: no other page was read in the next 30 minutes.',
    ],
    { path: page, exits: field.int('Visits that ended here.') },
    { path: '/guides/start', exits: 88 },
    (row) => ({ path: row.path, exits: row.human }),
  ),
  report(
    { dimension: 'outbound', by: 'key', order: 'events' },
    [
      'outbound-links',
      'listOutboundLinks',
      'Count outbound links',
      'Counts the links to other sites that readers followed.',
    ],
    { address: field.text('Host and path.'), clicks: field.int('Clicks.') },
    { address: 'github.com/acme/acme', clicks: 31 },
    (row) => ({ address: row.key, clicks: row.events }),
  ),
  report(
    { dimension: 'action', by: 'key-and-detail', order: 'events' },
    [
      'actions',
      'listActions',
      'Count actions',
      'Counts actions of readers on pages: code copied, tabs chosen, assistant opened, questions asked.',
    ],
    {
      action: field.text(
        '`copy-code`, `tab`, `language`, `version`, `assistant`, `question`, `page-menu` or `playground`.',
      ),
      detail: field.text('Detail of the action, for example the title of the tab.'),
      count: field.int('How often.'),
    },
    { action: 'tab', detail: 'Python', count: 52 },
    (row) => ({ action: row.key, detail: row.detail, count: row.events }),
  ),
  report(
    { dimension: 'time', by: 'path', order: 'events' },
    [
      'time-on-page',
      'listTimeOnPage',
      'Measure time on page',
      'Returns how long pages were visible, the page with the most measurements first.',
    ],
    {
      path: page,
      averageMs: field.int('Average in milliseconds.'),
      count: field.int('Number of measurements.'),
    },
    { path: '/guides/start', averageMs: 48200, count: 310 },
    (row) => ({
      path: row.path,
      averageMs: Math.round(row.amount / row.events),
      count: row.events,
    }),
  ),
  ...(['day', 'hour'] as const).map((by) =>
    report(
      { dimension: by === 'day' ? 'view' : 'hour', by, order: 'events' },
      [
        `traffic-by-${by}`,
        by === 'day' ? 'listTrafficByDay' : 'listTrafficByHour',
        `Count views by ${by}`,
        `Counts views and visitors by ${by} in UTC, oldest first. A ${by} without any is omitted.`,
      ],
      {
        startsAt: field.time(`Start of the ${by}.`),
        human: field.int('Views by readers.'),
        ai: field.int('Views by AI.'),
        requests: field.int('Views by readers, AI and other machines.'),
        visitors: field.int('Distinct readers.'),
        aiVisitors: field.int('Distinct AI clients.'),
      },
      {
        startsAt: '2026-11-21T00:00:00.000Z',
        human: 310,
        ai: 84,
        requests: 420,
        visitors: 140,
        aiVisitors: 12,
      },
      ({ startsAt, human, ai, events, humanVisitors, aiVisitors }) => ({
        startsAt: startsAt as Date,
        human,
        ai,
        requests: events,
        visitors: humanVisitors,
        aiVisitors,
      }),
    ),
  ),
];

/** `GET /v1/analytics/{projectId}/{report}` for every report of `report-kinds.ts`. */
export function reportRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  for (const report of reports) {
    const { name, operationId, summary, description, row, example, show, totalsOf } = report;
    const things = totalsOf ? 'pages' : 'rows';
    const answer = z
      .object({
        ...(totalsOf && { totals: totalsSchema }),
        [name]: field.list(row, `The ${things}.`),
        hasMore: field.flag(`Whether there are more ${things}.`),
      })
      .meta({
        examples: [
          { ...(totalsOf && { totals: exampleCounts }), [name]: [example], hasMore: false },
        ],
      });
    operation({
      route: `GET /v1/analytics/:projectId/${name}`,
      operationId,
      summary,
      description,
      permission: 'analytics.read',
      query: z.object({ ...allFilters, ...reportPaging }),
      answer,
      run: async (call) => {
        const query = queryOf(call);
        const [total, { rows, hasMore }] = await Promise.all([
          totalsOf && readTotal(deps, call.actor, 'view', query),
          readReport(deps, call.actor, report, query),
        ]);
        return { totals: totalsOf?.(total), [name]: rows.map(show), hasMore };
      },
    });
  }
}
