import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefCallback, useCallback, useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { siteQuery, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filters.tsx';
import { calendarDay, count, duration } from '../../ui/format.ts';
import { useAction } from '../../ui/overlays/notify.ts';
import {
  Card,
  EmptyState,
  ErrorState,
  Loaded,
  Notice,
  Page,
  Section,
  Skeleton,
} from '../../ui/page.tsx';
import { type Column, List } from '../../ui/table.tsx';
import { TimeChart, type TimeUnit } from '../../ui/time-chart.tsx';
import {
  isOfMachines,
  isOfSome,
  pagesQuery,
  type ReportName,
  ROWS,
  reportQuery,
  type Scope,
  scopeBefore,
  settingsQuery,
  timePoints,
  trafficQuery,
  unitsOf,
  useScope,
} from './analytics-query.ts';
import { ExportMenu, Filters } from './filters.tsx';
import { Figures, Lines, type OnFilter, Unit } from './lines.tsx';

const UNITS: Record<TimeUnit, string> = { hour: 'By hour', day: 'By day', week: 'By week' };

/** What people and machines read on a site. A click on any line filters the page by it. */
export function AnalyticsPage() {
  const { setSearch, domain, ...scope } = useScope();
  const days = useQuery(trafficQuery(scope, 'day'));
  const isFiltered = isOfSome(scope) || Object.keys(scope.asked).length > 1;
  const mayBeEmpty = !isFiltered && days.data?.every(({ human, ai }) => human + ai === 0) === true;
  const missing = useQuery({ ...reportQuery(scope, 'missing-pages'), enabled: mayBeEmpty });
  const groups = useQuery(reportQuery(scope, 'groups'));
  // Where nobody signs in, there are none.
  const lists = LISTS.filter(({ name }) => name !== 'groups' || (groups.data?.length ?? 0) > 0);
  const isEmpty = mayBeEmpty && missing.data?.length === 0;
  const units = unitsOf(scope.days);
  return (
    <Page
      title="Analytics"
      about="Views and searches by readers and AI, counted here without cookies. Times are in UTC."
      action={<ExportMenu scope={scope} />}
    >
      <Filters scope={scope} setSearch={setSearch}>
        {units.length > 1 && (
          <FilterSelect
            name="unit"
            label="Steps of the chart"
            value={scope.unit}
            options={Object.fromEntries(units.map((unit) => [unit, UNITS[unit]]))}
          />
        )}
      </Filters>
      {days.error ? (
        <ErrorState error={days.error} onRetry={days.refetch} />
      ) : (
        <div className="flex flex-col gap-4">
          <Reach scope={scope} />
          {isEmpty ? (
            <NothingCounted />
          ) : (
            <>
              <div className="grid gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
                <Totals scope={scope} />
                <Steps scope={scope} isReady={!mayBeEmpty || missing.isSuccess} />
              </div>
              <div className="grid items-start gap-4 md:grid-cols-2">
                <TopPages scope={scope} onFilter={setSearch} />
                {lists.map((list) => (
                  <Report key={list.name} scope={scope} onFilter={setSearch} {...list} />
                ))}
              </div>
              <Pages scope={scope} domain={domain} onFilter={setSearch} />
            </>
          )}
        </div>
      )}
    </Page>
  );
}

const LISTS: Pick<ReportProps, 'name' | 'title' | 'head' | 'isCode'>[] = [
  { name: 'referrers', title: 'Sources', head: ['Host', 'Visitors'] },
  { name: 'machines', title: 'Machines', head: ['Agent', 'Requests'] },
  { name: 'devices', title: 'Devices', head: ['Device and browser', 'Visitors'] },
  { name: 'campaigns', title: 'Campaigns', head: ['Campaign', 'Visitors'] },
  { name: 'missing-pages', title: 'Missing pages', head: ['Address (404)', 'Views'], isCode: true },
  { name: 'groups', title: 'Groups of readers', head: ['Group', 'Visitors'] },
  { name: 'languages', title: 'Languages', head: ['Language of the pages', 'Visitors'] },
  { name: 'versions', title: 'Versions', head: ['Version of the pages', 'Visitors'] },
];

/**
 * How many days single events are stored, which is how far filters of visitors reach; `undefined`
 * while it is loaded.
 */
function useReach(): number | undefined {
  const { projectId } = useSite();
  return useQuery(settingsQuery(projectId)).data?.eventDays;
}

/**
 * The period before, if it is stored: the figures of some visitors reach back only as far as single
 * events.
 */
function useScopeBefore(scope: Scope): Scope | undefined {
  const reach = useReach();
  const isStored = !isOfSome(scope) || (reach !== undefined && 2 * scope.days <= reach);
  return isStored ? scopeBefore(scope) : undefined;
}

/** Says that a filter does not reach back to the start of the period. */
function Reach({ scope }: { scope: Scope }) {
  const reach = useReach();
  if (!isOfSome(scope) || reach === undefined || scope.days <= reach) return null;
  return (
    <Notice>
      With this filter, figures begin {reach} days ago: who did what is stored for that long. A
      longer period can be set with <code className="font-mono text-xs">eventDays</code> in the
      analytics settings.
    </Notice>
  );
}

/** Human readers compared to AI, each with its change since the previous period. */
function Totals({ scope }: { scope: Scope }) {
  const former = useScopeBefore(scope);
  const { data: now } = useQuery(trafficQuery(scope, 'day'));
  const { data: before } = useQuery({
    ...trafficQuery(former ?? scope, 'day'),
    enabled: former !== undefined,
  });
  const all: [
    title: string,
    name: 'human' | 'visitors' | 'ai' | 'aiVisitors' | 'requests',
    about: string,
  ][] = [
    ['Views', 'human', 'by readers'],
    ['Visitors', 'visitors', 'counted once a day'],
    ['AI views', 'ai', 'by agents and crawlers'],
    ['AI clients', 'aiVisitors', 'counted once a day'],
  ];
  if (isOfMachines(scope)) all.splice(0, 3, ['Requests', 'requests', 'by the chosen machine']);
  const figures = all.map(([title, name, about]) => {
    const [value, earlier] = [now, former && before].map((days) =>
      days?.reduce((sum, day) => sum + day[name], 0),
    );
    return {
      title,
      value: value === undefined ? undefined : count(value),
      change:
        value !== undefined && earlier !== undefined && earlier > 0
          ? changeOf(value, earlier)
          : undefined,
      about,
    };
  });
  return <Figures figures={figures} className="grid-cols-2" />;
}

/** Formats `+12%`. */
function changeOf(value: number, before: number): string {
  const percent = Math.round(((value - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${count(Math.abs(percent))}%`;
}

/** @param isReady whether there is something to draw, or nothing else to show */
function Steps({ scope, isReady }: { scope: Scope; isReady: boolean }) {
  const by = scope.unit === 'hour' ? 'hour' : 'day';
  const former = useScopeBefore(scope);
  const now = useQuery(trafficQuery(scope, by));
  const before = useQuery({ ...trafficQuery(former ?? scope, by), enabled: former !== undefined });
  const { error, refetch } = now.error ? now : before;
  const label = `${isOfMachines(scope) ? 'Requests' : 'Views'} ${UNITS[scope.unit].toLowerCase()}`;
  return (
    <Card isPadded>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : isReady && now.data && (former === undefined || before.data) ? (
        <TimeChart
          label={label}
          unit={scope.unit}
          points={timePoints(scope, now.data, former && before.data)}
          height={148}
          {...(isOfMachines(scope) && { keys: ['Readers', 'Machine'] })}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  );
}

type PageRow = Schema<'PageAtGlance'>;

/** The most viewed pages, in one line each. */
function TopPages({ scope, onFilter }: { scope: Scope; onFilter: OnFilter }) {
  const query = useInfiniteQuery(pagesQuery(scope));
  const ofMachines = isOfMachines(scope);
  const lineOf = ({ path, views, aiViews, requests }: PageRow) => ({
    name: path,
    value: ofMachines ? requests : views,
    filter: { path },
    detail: !ofMachines && aiViews > 0 ? `${count(aiViews)} by AI` : undefined,
  });
  return (
    <Card title="Pages" action={<Unit>{ofMachines ? 'Requests' : 'Views'}</Unit>}>
      <Loaded query={query} placeholder={<Skeleton lines={4} />} isPadded>
        {(rows) => (
          <Lines
            label="Pages"
            head={['Page', ofMachines ? 'Requests' : 'Views']}
            rows={rows.slice(0, ROWS).map(lineOf)}
            isCode
            onFilter={onFilter}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** All that is known of each page; a click on one filters everything by it. */
function Pages({ scope, domain, onFilter }: { scope: Scope; domain: string; onFilter: OnFilter }) {
  const query = useInfiniteQuery(pagesQuery(scope));
  const columns: Column<PageRow>[] = [
    {
      title: 'Page',
      cell: ({ path, title }) => (
        <span className="line-clamp-1 break-all" title={path}>
          <span className="font-mono text-xs">{path}</span>
          {title !== null && (
            <span className="ml-2 font-normal text-muted max-sm:hidden">{title}</span>
          )}
        </span>
      ),
    },
    ...(isOfMachines(scope)
      ? [{ title: 'Requests', isNumber: true, cell: ({ requests }: PageRow) => count(requests) }]
      : [
          { title: 'Views', isNumber: true, cell: ({ views }: PageRow) => count(views) },
          { title: 'AI', isNumber: true, cell: ({ aiViews }: PageRow) => count(aiViews) },
        ]),
    {
      title: 'Time',
      isNumber: true,
      isMinor: true,
      cell: ({ averageMs }) => (averageMs === null ? '–' : duration(averageMs)),
    },
    { title: 'Exits', isNumber: true, isMinor: true, cell: ({ exits }) => count(exits) },
    {
      title: 'Feedback',
      isNumber: true,
      isMinor: true,
      cell: ({ path, thumbsUp, thumbsDown }) => {
        if (thumbsUp === null || thumbsDown === null)
          return (
            <span title="Ratings are stored without the visit, so they cannot be filtered by it.">
              –
            </span>
          );
        const all = thumbsUp + thumbsDown;
        if (all === 0) return '–';
        return (
          <Link
            to="/$org/$domain/feedback"
            params={{ org: scope.org, domain }}
            search={{ path, days: String(scope.days) }}
            className="hover:underline"
            aria-label={`${count(thumbsUp)} of ${count(all)} found it helpful`}
          >
            {`${Math.round((thumbsUp / all) * 100)}% of ${count(all)}`}
          </Link>
        );
      },
    },
    {
      title: 'Changed',
      isNarrow: true,
      isMinor: true,
      cell: ({ lastUpdated }) =>
        lastUpdated === null ? '–' : calendarDay(new Date(`${lastUpdated}T12:00:00`)),
    },
  ];
  return (
    <Section title="Pages in detail">
      <List
        label="Pages in detail"
        query={query}
        empty={<p className="text-s text-muted">No data in this period.</p>}
        keyOf={({ path }) => path}
        onOpen={({ path }) => onFilter({ path })}
        columns={columns}
      />
      {isOfSome(scope) && (
        <p className="mt-2 text-s text-muted">
          Feedback is “–”: ratings are stored without the visit, so they cannot be filtered by it.
        </p>
      )}
    </Section>
  );
}

interface ReportProps {
  scope: Scope;
  name: ReportName;
  title: string;
  head: [string, string];
  isCode?: boolean;
  onFilter: OnFilter;
}

function Report({ scope, name, title, onFilter, ...list }: ReportProps) {
  const [ref, isSeen] = useSeen();
  const query = useQuery({ ...reportQuery(scope, name), enabled: isSeen });
  return (
    <div ref={ref}>
      <Card title={title} action={<Unit>{list.head[1]}</Unit>}>
        {isSeen ? (
          <Loaded query={query} placeholder={<Skeleton lines={4} />} isPadded>
            {(rows) => <Lines label={title} rows={rows} onFilter={onFilter} {...list} />}
          </Loaded>
        ) : (
          <div className="h-33" />
        )}
      </Card>
    </div>
  );
}

/** Distance in pixels at which content is about to be seen. */
const NEAR = 200;

/**
 * Whether an element has been in view, or close to it; a long page requests the lower sections only
 * then.
 * @returns the ref of the element, and whether it has been seen
 */
function useSeen(): [ref: RefCallback<Element>, isSeen: boolean] {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: `${NEAR}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen];
}

/** Slug of the site that the first start publishes: the documentation of Docent. */
const DOCUMENTATION = 'docent';

/**
 * Explains what is counted and why there is no data yet; if analytics are off for the site, offers
 * to turn them on.
 */
function NothingCounted() {
  const { may } = useOrganization();
  const { projectId } = useSite();
  const { data } = useQuery(settingsQuery(projectId));
  const turnOn = useAction({
    run: () =>
      api.patch('/v1/project/{projectId}/analytics-settings', {
        path: { projectId },
        body: { enabled: true },
      }),
    done: 'Analytics are on',
    failed: 'Analytics stay off',
  });
  if (data?.enabled === false)
    return (
      <EmptyState
        icon="chart-column"
        title="Analytics are off for this site"
        action={
          may('editor') && (
            <Button variant="primary" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
              Turn on analytics
            </Button>
          )
        }
      >
        <WhatIsStored />
      </EmptyState>
    );
  return (
    <EmptyState icon="chart-column" title="No data in this period">
      <p>Data appears a few seconds after a page view.</p>
      <WhatIsStored />
      <p>
        If the operator set <code className="font-mono text-xs">DOCENT_ANALYTICS=off</code>,
        analytics are off for all sites.
      </p>
    </EmptyState>
  );
}

function WhatIsStored() {
  const { slug: org } = useOrganization();
  const { data: documentation } = useQuery(siteQuery(org, DOCUMENTATION));
  const title = 'Privacy of readers';
  return (
    <p>
      For what is stored, see{' '}
      {documentation ? (
        <a
          href={`/sites/${DOCUMENTATION}/guides/privacy`}
          target="_blank"
          rel="noreferrer"
          className="text-accent-text underline"
        >
          {title}
        </a>
      ) : (
        `“${title}”`
      )}{' '}
      in the documentation.
    </p>
  );
}
