import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import type { Bar } from '../../ui/bar-list.tsx';
import { useSetSearch } from '../../ui/filters.tsx';

export const PERIODS = { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days' } as const;
const DAY_MS = 86_400_000;
const ROWS = 10;

/** What the figures of a page are about: a site, a number of whole days in UTC, and what the address keeps them to. */
export interface Scope {
  org: string;
  projectId: string;
  days: number;
  asked: { dateFrom: string; path?: string; language?: string };
}

/** The scope that the address of the page says. */
export function useScope(): Scope & { domain: string; setSearch: (change: object) => void } {
  const { slug: org } = useOrganisation();
  const { projectId, slug: domain } = useSite() as Site;
  const { days: wanted = '30', path, language } = useSearch({ strict: false });
  const days = wanted in PERIODS ? Number(wanted) : 30;
  const dateFrom = dayBefore(days - 1);
  const asked = { dateFrom, ...(path !== undefined && { path }), ...(language !== undefined && { language }) };
  const setSearch = useSetSearch();
  return { org, projectId, domain, days, asked, setSearch };
}

/** The day in UTC that was `days` days ago, as `2026-11-21`. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

function analyticsQuery<Data>({ org, projectId, asked }: Scope, name: string, queryFn: () => Promise<Data>) {
  return queryOptions({ queryKey: [org, 'analytics', projectId, name, asked], queryFn, placeholderData: keepPreviousData });
}

const init = ({ projectId, asked }: Scope, limit: number) => ({ params: { path: { projectId }, query: { ...asked, limit } } });

export function viewsQuery(scope: Scope) {
  return analyticsQuery(scope, 'views', () => bodyOf(api.GET('/v1/analytics/{projectId}/views', init(scope, ROWS))));
}

export function visitorsQuery(scope: Scope) {
  return analyticsQuery(scope, 'visitors', () => bodyOf(api.GET('/v1/analytics/{projectId}/visitors', init(scope, 1))));
}

/** Views by day; days without any are there too. */
export function daysQuery(scope: Scope) {
  return analyticsQuery(scope, 'days', async () => {
    const answer = await bodyOf(api.GET('/v1/analytics/{projectId}/traffic-by-day', init(scope, scope.days + 1)));
    const found = new Map(answer['traffic-by-day'].map((one) => [one.startsAt.slice(0, 10), one]));
    return Array.from({ length: scope.days }, (_, index) => {
      const day = dayBefore(scope.days - 1 - index);
      const { human = 0, ai = 0 } = found.get(day) ?? {};
      return { day, human, ai };
    });
  });
}

const CLASSES: Record<string, string> = {
  'ai.agent': 'AI agent',
  'ai.training': 'AI crawler for training',
  'ai.search': 'AI crawler for search',
  search: 'Search crawler',
  monitor: 'Monitor',
  other: 'Other automation',
};
const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' };

/** The reports that the page shows as lists: how their lines are read. */
const reports = {
  referrers: async (scope: Scope): Promise<Bar[]> =>
    (await bodyOf(api.GET('/v1/analytics/{projectId}/referrers', init(scope, ROWS)))).referrers.map(({ source, visitors }) => ({
      name: source,
      title: source || 'Direct, or not known',
      value: visitors,
    })),
  machines: async (scope: Scope): Promise<Bar[]> =>
    (await bodyOf(api.GET('/v1/analytics/{projectId}/machines', init(scope, ROWS)))).machines.map((row) => ({
      name: `${row.class} ${row.agent}`,
      title: row.agent || CLASSES[row.class],
      detail: row.agent ? CLASSES[row.class] : undefined,
      value: row.requests,
    })),
  devices: async (scope: Scope): Promise<Bar[]> =>
    (await bodyOf(api.GET('/v1/analytics/{projectId}/devices', init(scope, ROWS)))).devices.map(
      ({ device, browser, visitors }) => ({
        name: `${device} ${browser}`,
        title: DEVICES[device] ?? device,
        detail: browser || 'Other browser',
        value: visitors,
      }),
    ),
  languages: async (scope: Scope): Promise<Bar[]> =>
    (await bodyOf(api.GET('/v1/analytics/{projectId}/languages', init(scope, ROWS)))).languages.map(({ language, visitors }) => ({
      name: language,
      title: languageName(language),
      value: visitors,
    })),
  'missing-pages': async (scope: Scope): Promise<Bar[]> =>
    (await bodyOf(api.GET('/v1/analytics/{projectId}/missing-pages', init(scope, ROWS))))['missing-pages'].map(
      ({ path, source, views }) => ({
        name: `${path} ${source}`,
        title: path,
        detail: source === 'internal' ? 'from a page of this site' : source && `from ${source}`,
        value: views,
      }),
    ),
};
export type ReportName = keyof typeof reports;

export function reportQuery(scope: Scope, name: ReportName) {
  return analyticsQuery(scope, name, () => reports[name](scope));
}

/** `German` for `de`; what is no code of a language stays as it is. */
function languageName(code: string): string {
  if (code === '') return 'Pages without a language';
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Whether anything is counted on a site, and for how long it is kept. */
export function settingsQuery(org: string, projectId: string) {
  return queryOptions({
    queryKey: [org, 'analytics-settings', projectId],
    queryFn: () => bodyOf(api.GET('/v1/project/{projectId}/analytics-settings', { params: { path: { projectId } } })),
  });
}
