import { type VisitorFilterName, visitorFilterNames } from '@docent/format/analytics/reports.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { useSetSearch } from '../../ui/filters.tsx';
import type { TimePoint, TimeUnit } from '../../ui/time-chart.tsx';
import type { Line } from './lines.tsx';

export const PERIODS = {
  1: 'Last 24 hours',
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last 12 months',
} as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of a list. */
export const ROWS = 10;
/** Maximum rows per API response. */
const MAX_ROWS = 250;

/** Filters of figures besides the time range. */
export const FILTERS = ['path', 'version', 'language'] as const;
type Kept<Name extends string> = { [Each in Name]?: string };

/** Scope of a page's figures: a site, a number of days, and the filters in the URL. */
export interface Scope {
  org: string;
  projectId: string;
  days: number;
  unit: TimeUnit;
  asked: { dateFrom: string; dateTo?: string } & Kept<(typeof FILTERS)[number]>;
  /** What the visitors are filtered by. */
  kept: Kept<VisitorFilterName>;
}

/** Returns the scope from the URL of the page. */
export function useScope(): Scope & { domain: string; setSearch: (change: object) => void } {
  const { slug: org } = useOrganization();
  const { projectId, slug: domain } = useSite();
  const search = useSearch({ strict: false });
  const { days: requestedDays = '30', unit: wantedUnit } = search;
  const days = requestedDays in PERIODS ? Number(requestedDays) : 30;
  const kept = Object.fromEntries(
    visitorFilterNames.flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]]],
    ),
  );
  const units = unitsOf(days);
  const unit = units.find((candidate) => candidate === wantedUnit) ?? (units[0] as TimeUnit);
  const queryParams = {
    dateFrom: startOf(days).toISOString(),
    ...Object.fromEntries(
      FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
    ),
  };
  const setSearch = useSetSearch();
  return { org, projectId, domain, days, unit, asked: queryParams, kept, setSearch };
}

/** Returns the possible steps of a chart with this many days, the default one first. */
export function unitsOf(days: number): TimeUnit[] {
  if (days === 1) return ['hour'];
  if (days === 7) return ['day', 'hour'];
  return days === 365 ? ['week', 'day'] : ['day', 'week'];
}

/**
 * Returns the start of a period of this many days that ends now: at an hour, or at a day in UTC.
 */
function startOf(days: number): Date {
  const step = days === 1 ? HOUR_MS : DAY_MS;
  return new Date(Math.floor(Date.now() / step) * step - (days * DAY_MS - step));
}

/** The same for the previous period. */
export function scopeBefore(scope: Scope): Scope {
  const { dateFrom } = scope.asked;
  const before = new Date(Date.parse(dateFrom) - scope.days * DAY_MS).toISOString();
  return { ...scope, asked: { ...scope.asked, dateFrom: before, dateTo: dateFrom } };
}

function analyticsQuery<Data>(
  { projectId, asked, kept }: Scope,
  name: string,
  queryFn: () => Promise<Data>,
) {
  return queryOptions({
    queryKey: ['analytics', projectId, name, asked, kept],
    queryFn,
    placeholderData: keepPreviousData,
  });
}

/** The API validates the filters, as it does every URL that anyone can write. */
const init = ({ projectId, asked, kept }: Scope, limit: number, offset = 0) => ({
  path: { projectId },
  query: { ...asked, ...(kept as object), limit, offset },
});

export function pagesQuery(scope: Scope) {
  return infiniteQueryOptions({
    queryKey: ['analytics', scope.projectId, 'pages', scope.asked, scope.kept],
    queryFn: ({ pageParam: offset }) =>
      api.get('/v1/analytics/{projectId}/pages', init(scope, ROWS, offset)),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, _, offset) => (hasMore ? offset + ROWS : undefined),
    select: ({ pages }) => pages.flatMap((part) => part.pages),
    placeholderData: keepPreviousData,
  });
}

export function settingsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['analytics-settings', projectId],
    queryFn: () => api.get('/v1/project/{projectId}/analytics-settings', { path: { projectId } }),
  });
}

/** Who is reading now; refetched while it is shown. */
export function liveQuery({ projectId, asked: { dateFrom: _, ...query } }: Scope) {
  return queryOptions({
    queryKey: ['live', projectId, query],
    queryFn: () => api.get('/v1/analytics/{projectId}/live', { path: { projectId }, query }),
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  });
}

/** An hour or a day with views. */
interface Traffic {
  startsAt: string;
  /** Views by readers. */
  human: number;
  ai: number;
  /** Those of other machines included. */
  requests: number;
  visitors: number;
  aiVisitors: number;
}

/** All hours or days of a period with views. */
export function trafficQuery(scope: Scope, by: 'hour' | 'day') {
  return analyticsQuery(scope, `traffic-by-${by}`, async () => {
    const traffic: Traffic[] = [];
    for (let offset = 0; ; offset += MAX_ROWS) {
      const answer =
        by === 'hour'
          ? await api.get(
              '/v1/analytics/{projectId}/traffic-by-hour',
              init(scope, MAX_ROWS, offset),
            )
          : await api.get(
              '/v1/analytics/{projectId}/traffic-by-day',
              init(scope, MAX_ROWS, offset),
            );
      traffic.push(
        ...('traffic-by-hour' in answer ? answer['traffic-by-hour'] : answer['traffic-by-day']),
      );
      if (!answer.hasMore) return traffic;
    }
  });
}

/**
 * Views over time, beside those of the previous period if they are known; includes steps without
 * any.
 */
export function timePoints(
  scope: Scope,
  now: readonly Traffic[],
  before: readonly Traffic[] | undefined,
): TimePoint[] {
  const isMachine = isOfMachines(scope);
  const pointsOf = (traffic: readonly Traffic[]) =>
    isMachine
      ? traffic.map(({ startsAt, requests }) => ({ startsAt, human: 0, ai: requests }))
      : traffic;
  const points = fill(scope, pointsOf(now));
  if (before === undefined) return points;
  const earlier = fill(scopeBefore(scope), pointsOf(before));
  return points.map((point, index) => ({
    ...point,
    before: (earlier[index]?.human ?? 0) + (earlier[index]?.ai ?? 0),
  }));
}

/** One point per step of a period. */
export function fill(
  { unit, days, asked }: Scope,
  steps: readonly Pick<Traffic, 'startsAt' | 'human' | 'ai'>[],
): TimePoint[] {
  const length = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[unit];
  const whole = unit === 'hour' ? HOUR_MS : DAY_MS;
  const start = Math.floor(Date.parse(asked.dateFrom) / whole) * whole;
  const points = Array.from({ length: Math.ceil((days * DAY_MS) / length) }, (_, index) => ({
    at: new Date(start + index * length).toISOString(),
    human: 0,
    ai: 0,
  }));
  for (const { startsAt, human, ai } of steps) {
    const point = points[Math.floor((Date.parse(startsAt) - start) / length)];
    if (point) Object.assign(point, { human: point.human + human, ai: point.ai + ai });
  }
  return points;
}

const CLASSES: Record<string, string> = {
  'ai.agent': 'AI agent',
  'ai.training': 'AI crawler for training',
  'ai.search': 'AI crawler for search',
  search: 'Search crawler',
  monitor: 'Monitor',
  other: 'Other automation',
};
const DIRECT = 'Direct or unknown';
const OTHER_BROWSER = 'Other browser';
const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' };

/** How a kind of machine reads as a line. */
export const machineLine = ({
  class: kind,
  agent,
  requests,
}: {
  class: string;
  agent: string;
  requests: number;
}): Line => ({
  name: `${kind} ${agent}`,
  title: agent || CLASSES[kind],
  detail: agent ? CLASSES[kind] : undefined,
  value: requests,
  filter: { class: kind, agent },
});

/** How a source of visitors reads as a line. */
export const sourceLine = (source: string, value: number): Line => ({
  name: source,
  title: source || DIRECT,
  value,
  filter: { referrer: source },
});

const GROUP_COUNTS = [
  ['view', 'view', 'views'],
  ['search', 'search', 'searches'],
  ['question', 'question', 'questions'],
] as const;

/** The reports that the page shows as lists, and how to read their rows. */
const reports = {
  referrers: async (scope: Scope): Promise<Line[]> => {
    const { referrers } = await api.get('/v1/analytics/{projectId}/referrers', init(scope, ROWS));
    return referrers.map(({ source, visitors }) => sourceLine(source, visitors));
  },
  machines: async (scope: Scope): Promise<Line[]> => {
    const { machines } = await api.get('/v1/analytics/{projectId}/machines', init(scope, ROWS));
    return machines.map(machineLine);
  },
  devices: async (scope: Scope): Promise<Line[]> => {
    const { devices } = await api.get('/v1/analytics/{projectId}/devices', init(scope, ROWS));
    return devices.map(({ device, browser, visitors }) => ({
      name: `${device} ${browser}`,
      title: DEVICES[device] ?? device,
      detail: browser || OTHER_BROWSER,
      value: visitors,
      filter: { device, browser },
    }));
  },
  languages: async (scope: Scope): Promise<Line[]> => {
    const { languages } = await api.get('/v1/analytics/{projectId}/languages', init(scope, ROWS));
    return languages.map(({ language, visitors }) => ({
      name: language,
      title: languageName(language),
      value: visitors,
      ...(language !== '' && { filter: { language } }),
    }));
  },
  versions: async (scope: Scope): Promise<Line[]> => {
    const { versions } = await api.get('/v1/analytics/{projectId}/versions', init(scope, ROWS));
    return versions.map(({ version, visitors }) => ({
      name: version,
      title: version || 'Pages without a version',
      value: visitors,
      ...(version !== '' && { filter: { version } }),
    }));
  },
  campaigns: async (scope: Scope): Promise<Line[]> => {
    const { campaigns } = await api.get('/v1/analytics/{projectId}/campaigns', init(scope, ROWS));
    return campaigns.map(({ source, medium, campaign: name, ref, visitors }) => {
      const campaign = JSON.stringify([source, medium, name, ref]);
      const title = name || source || ref || medium;
      const detail = [name && source, medium].filter(Boolean).join(', ');
      return { name: campaign, title, detail, value: visitors, filter: { campaign } };
    });
  },
  groups: async (scope: Scope): Promise<Line[]> => {
    const { groups } = await api.get('/v1/analytics/{projectId}/groups', init(scope, MAX_ROWS));
    return [...Map.groupBy(groups, ({ group }) => group)].slice(0, ROWS).map(([group, rows]) => {
      const counts = GROUP_COUNTS.flatMap(([activity, single, several]) => {
        const count = rows.find((row) => row.activity === activity)?.count ?? 0;
        return count === 0 ? [] : [`${count} ${count === 1 ? single : several}`];
      });
      const value = Math.max(...rows.map(({ visitors }) => visitors));
      return { name: group, detail: counts.join(', '), value, filter: { group } };
    });
  },
  'missing-pages': async (scope: Scope): Promise<Line[]> => {
    const answer = await api.get('/v1/analytics/{projectId}/missing-pages', init(scope, MAX_ROWS));
    const addresses = [...Map.groupBy(answer['missing-pages'], ({ path }) => path)].map(
      ([path, rows]) => ({
        name: path,
        detail: originOf(rows.map(({ source }) => source)),
        value: rows.reduce((sum, { views }) => sum + views, 0),
        filter: { missing: path },
      }),
    );
    return addresses.sort((a, b) => b.value - a.value).slice(0, ROWS);
  },
};
export type ReportName = keyof typeof reports;

/** Where readers of a missing page came from. */
function originOf(sources: readonly string[]): string | undefined {
  const named = sources.filter((source) => source !== '');
  if (named.length > 1) return `from ${named.length} sources`;
  return named[0] === 'internal' ? 'from a page of this site' : named[0] && `from ${named[0]}`;
}

/** What each filter of visitors is about, and how its value reads. */
const FILTER_WORDS: Record<
  VisitorFilterName,
  { word: string; titleOf?: (value: string) => string | undefined }
> = {
  referrer: { word: 'source', titleOf: (host) => host || DIRECT },
  campaign: { word: 'campaign', titleOf: campaignTitle },
  device: { word: 'device', titleOf: (device) => DEVICES[device] },
  browser: { word: 'browser', titleOf: (browser) => browser || OTHER_BROWSER },
  class: { word: 'kind of machine', titleOf: (kind) => CLASSES[kind] },
  agent: { word: 'machine', titleOf: (agent) => agent || 'Unknown' },
  missing: { word: 'missing page' },
  group: { word: 'group of readers' },
};

/** Whether figures are those of some visitors only. */
export const isOfSome = ({ kept }: Scope): boolean => Object.keys(kept).length > 0;

/** Whether the visitors are machines, all of whose requests count. */
export const isOfMachines = ({ kept }: Scope): boolean =>
  kept.class !== undefined || kept.agent !== undefined;

/** What a filter is about, and how its value reads. */
export function filterWords(
  name: (typeof FILTERS)[number] | VisitorFilterName,
  value: string,
): { word: string; title: string } {
  if (name === 'path') return { word: 'page', title: value };
  if (name === 'version' || name === 'language') return { word: name, title: value };
  const { word, titleOf } = FILTER_WORDS[name];
  return { word, title: titleOf?.(value) ?? value };
}

function campaignTitle(key: string): string {
  try {
    return (JSON.parse(key) as string[]).filter(Boolean).join(', ');
  } catch {
    return key;
  }
}

export function reportQuery(scope: Scope, name: ReportName) {
  return analyticsQuery(scope, name, () => reports[name](scope));
}

/** Returns `German` for `de`; an invalid language code is returned unchanged. */
function languageName(code: string): string {
  if (code === '') return 'Pages without a language';
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
