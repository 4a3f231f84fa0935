import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ViewFilterName, viewFilterNames } from '../../../core/analytics/reports.ts';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation, useSite } from '../../api/queries.ts';
import { useSetSearch } from '../../ui/filters.tsx';
import type { Line } from './lines.tsx';
import type { TimePoint, TimeUnit } from './time-chart.tsx';

export const PERIODS = {
  1: 'Last 24 hours',
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last 12 months',
} as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS = 10;
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
  /** Only views can be filtered by it. */
  kept: Kept<ViewFilterName>;
}

/** Returns the scope from the URL of the page. */
export function useScope(): Scope & { domain: string; setSearch: (change: object) => void } {
  const { slug: org } = useOrganisation();
  const { projectId, slug: domain } = useSite();
  const search = useSearch({ strict: false });
  const { days: wanted = '30', unit: wantedUnit } = search;
  const days = wanted in PERIODS ? Number(wanted) : 30;
  const only = viewFilterNames.find((name) => search[name] !== undefined);
  // Filters of another list are left out, because the API has no views of both together.
  const together = viewFilterNames.filter((name) => only !== undefined && listOf(name) === listOf(only));
  const kept = Object.fromEntries(together.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
  const units = unitsOf(days, only !== undefined);
  const unit = units.find((one) => one === wantedUnit) ?? (units[0] as TimeUnit);
  const asked = {
    dateFrom: startOf(days).toISOString(),
    ...Object.fromEntries(FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))),
  };
  const setSearch = useSetSearch();
  return { org, projectId, domain, days, unit, asked, kept, setSearch };
}

/**
 * Returns the possible steps of a chart with this many days, the default one first. Views of one source are not counted by the
 * hour.
 */
export function unitsOf(days: number, isKept: boolean): TimeUnit[] {
  if (days === 1) return isKept ? ['day'] : ['hour'];
  if (days === 7) return isKept ? ['day'] : ['day', 'hour'];
  return days === 365 ? ['week', 'day'] : ['day', 'week'];
}

/** Returns the start of a period of this many days that ends now: at an hour, or at a day in UTC. */
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

function analyticsQuery<Data>({ projectId, asked, kept }: Scope, name: string, queryFn: () => Promise<Data>) {
  return queryOptions({
    queryKey: ['analytics', projectId, name, asked, kept],
    queryFn,
    placeholderData: keepPreviousData,
  });
}

const init = ({ projectId, asked }: Scope, limit: number, offset = 0) => ({
  params: { path: { projectId }, query: { ...asked, limit, offset } },
});
/** The API validates the filters of views, as it does every URL that anyone can write. */
const viewInit = (scope: Scope, limit: number, offset = 0) =>
  init({ ...scope, asked: { ...scope.asked, ...scope.kept } }, limit, offset);

export function pagesQuery(scope: Scope) {
  return infiniteQueryOptions({
    queryKey: ['analytics', scope.projectId, 'pages', scope.asked, scope.kept],
    queryFn: ({ pageParam: offset }) => bodyOf(api.GET('/v1/analytics/{projectId}/pages', viewInit(scope, 25, offset))),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, _, offset) => (hasMore ? offset + 25 : undefined),
    select: ({ pages }) => pages.flatMap((part) => part.pages),
    placeholderData: keepPreviousData,
  });
}

/** Who is reading now; refetched while it is shown. */
export function liveQuery({ projectId, asked: { dateFrom: _, ...query } }: Scope) {
  return queryOptions({
    queryKey: ['live', projectId, query],
    queryFn: () => bodyOf(api.GET('/v1/analytics/{projectId}/live', { params: { path: { projectId }, query } })),
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
          ? await bodyOf(api.GET('/v1/analytics/{projectId}/traffic-by-hour', init(scope, MAX_ROWS, offset)))
          : await bodyOf(api.GET('/v1/analytics/{projectId}/traffic-by-day', viewInit(scope, MAX_ROWS, offset)));
      traffic.push(...('traffic-by-hour' in answer ? answer['traffic-by-hour'] : answer['traffic-by-day']));
      if (!answer.hasMore) return traffic;
    }
  });
}

/** Views over time, beside those of the previous period; includes steps without any. */
export function timePoints(scope: Scope, now: readonly Traffic[], before: readonly Traffic[]): TimePoint[] {
  const isMachine = listOfKept(scope) === 'machines';
  const shown = (traffic: readonly Traffic[]) =>
    isMachine ? traffic.map(({ startsAt, requests }) => ({ startsAt, human: 0, ai: requests })) : traffic;
  const earlier = fill(scopeBefore(scope), shown(before));
  return fill(scope, shown(now)).map((point, index) => ({
    ...point,
    before: (earlier[index]?.human ?? 0) + (earlier[index]?.ai ?? 0),
  }));
}

/** One point per step of a period. */
export function fill({ unit, days, asked }: Scope, steps: readonly Pick<Traffic, 'startsAt' | 'human' | 'ai'>[]): TimePoint[] {
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
export const machineLine = ({ class: kind, agent, requests }: { class: string; agent: string; requests: number }): Line => ({
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

/** The reports that the page shows as lists, and how to read their rows. */
const reports = {
  referrers: async (scope: Scope): Promise<Line[]> => {
    const { referrers } = await bodyOf(api.GET('/v1/analytics/{projectId}/referrers', viewInit(scope, ROWS)));
    return referrers.map(({ source, visitors }) => sourceLine(source, visitors));
  },
  machines: async (scope: Scope): Promise<Line[]> => {
    const { machines } = await bodyOf(api.GET('/v1/analytics/{projectId}/machines', viewInit(scope, ROWS)));
    return machines.map(machineLine);
  },
  devices: async (scope: Scope): Promise<Line[]> => {
    const { devices } = await bodyOf(api.GET('/v1/analytics/{projectId}/devices', viewInit(scope, ROWS)));
    return devices.map(({ device, browser, visitors }) => ({
      name: `${device} ${browser}`,
      title: DEVICES[device] ?? device,
      detail: browser || OTHER_BROWSER,
      value: visitors,
      filter: { device, browser },
    }));
  },
  languages: async (scope: Scope): Promise<Line[]> => {
    const { languages } = await bodyOf(api.GET('/v1/analytics/{projectId}/languages', init(scope, ROWS)));
    return languages.map(({ language, visitors }) => ({
      name: language,
      title: languageName(language),
      value: visitors,
      ...(language !== '' && { filter: { language } }),
    }));
  },
  versions: async (scope: Scope): Promise<Line[]> => {
    const { versions } = await bodyOf(api.GET('/v1/analytics/{projectId}/versions', init(scope, ROWS)));
    return versions.map(({ version, visitors }) => ({
      name: version,
      title: version || 'Pages without a version',
      value: visitors,
      ...(version !== '' && { filter: { version } }),
    }));
  },
  campaigns: async (scope: Scope): Promise<Line[]> => {
    const { campaigns } = await bodyOf(api.GET('/v1/analytics/{projectId}/campaigns', viewInit(scope, ROWS)));
    return campaigns.map(({ source, medium, campaign: name, ref, visitors }) => {
      const campaign = JSON.stringify([source, medium, name, ref]);
      const title = name || source || ref || medium;
      const detail = [name && source, medium].filter(Boolean).join(', ');
      return { name: campaign, title, detail, value: visitors, filter: { campaign } };
    });
  },
  'missing-pages': async (scope: Scope): Promise<Line[]> => {
    const answer = await bodyOf(api.GET('/v1/analytics/{projectId}/missing-pages', viewInit(scope, ROWS)));
    return answer['missing-pages'].map(({ path, source, views }) => ({
      name: `${path} ${source}`,
      title: path,
      detail: source === 'internal' ? 'from a page of this site' : source && `from ${source}`,
      value: views,
      filter: { missing: path },
    }));
  },
};
export type ReportName = keyof typeof reports;

/** Each filter of views with the list whose lines choose it, and how its value reads. */
const VIEW_LISTS: Record<ViewFilterName, { list: ReportName; word: string; titleOf?: (value: string) => string | undefined }> = {
  referrer: { list: 'referrers', word: 'source', titleOf: (host) => host || DIRECT },
  campaign: { list: 'campaigns', word: 'campaign', titleOf: campaignTitle },
  device: { list: 'devices', word: 'device', titleOf: (device) => DEVICES[device] },
  browser: { list: 'devices', word: 'browser', titleOf: (browser) => browser || OTHER_BROWSER },
  class: { list: 'machines', word: 'kind of machine', titleOf: (kind) => CLASSES[kind] },
  agent: { list: 'machines', word: 'machine', titleOf: (agent) => agent || 'Unknown' },
  missing: { list: 'missing-pages', word: 'missing page' },
};
const listOf = (name: ViewFilterName): ReportName => VIEW_LISTS[name].list;

/** The list that the views of a scope are filtered by. */
export function listOfKept({ kept }: Scope): ReportName | undefined {
  const name = viewFilterNames.find((one) => kept[one] !== undefined);
  return name && listOf(name);
}

/** What a filter is about, and how its value reads. */
export function filterWords(name: (typeof FILTERS)[number] | ViewFilterName, value: string): { word: string; title: string } {
  if (name === 'path') return { word: 'page', title: value };
  if (name === 'version' || name === 'language') return { word: name, title: value };
  const { word, titleOf } = VIEW_LISTS[name];
  return { word, title: titleOf?.(value) ?? value };
}

function campaignTitle(key: string): string {
  try {
    return (JSON.parse(key) as string[]).filter(Boolean).join(', ');
  } catch {
    return key;
  }
}

/** What the rows of a report are filtered by: all of the scope, as far as the report has it. */
export function reportFilters(scope: Scope, report: string): Record<string, string> {
  const takesKept = ['views', 'visitors', 'pages', 'traffic-by-day', listOfKept(scope)].includes(report);
  return { ...scope.asked, ...(takesKept && scope.kept) };
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
