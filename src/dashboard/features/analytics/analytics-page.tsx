import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefCallback, useCallback, useState } from 'react';
import { viewFilterNames } from '../../../core/analytics/reports.ts';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { sitesQuery, useOrganisation, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { FilterSelect } from '../../ui/filters.tsx';
import { calendarDay, count, duration } from '../../ui/format.ts';
import { useAction } from '../../ui/overlays/notify.ts';
import { Card, EmptyState, ErrorState, Loaded, Page, Section, Skeleton } from '../../ui/page.tsx';
import { type Column, List } from '../../ui/table.tsx';
import {
  listOfKept,
  pagesQuery,
  type ReportName,
  reportQuery,
  type Scope,
  scopeBefore,
  timePoints,
  trafficQuery,
  unitsOf,
  useScope,
} from './analytics-query.ts';
import { ExportMenu, Filters } from './filters.tsx';
import { Figures, Lines, type OnFilter } from './lines.tsx';
import { TimeChart, type TimeUnit } from './time-chart.tsx';

const UNITS: Record<TimeUnit, string> = { hour: 'By hour', day: 'By day', week: 'By week' };

/** What people and machines read on a site. A click on any line filters the page by it. */
export function AnalyticsPage() {
  const { setSearch, domain, ...scope } = useScope();
  const days = useQuery(trafficQuery(scope, 'day'));
  const list = listOfKept(scope);
  const isKept = list !== undefined;
  const isFiltered = isKept || Object.keys(scope.asked).length > 1;
  const mayBeEmpty = !isFiltered && days.data?.every(({ human, ai }) => human + ai === 0) === true;
  const missing = useQuery({ ...reportQuery(scope, 'missing-pages'), enabled: mayBeEmpty });
  const isEmpty = mayBeEmpty && missing.data?.length === 0;
  const units = unitsOf(scope.days, isKept);
  const filter = (change: object) =>
    setSearch({ ...(viewFilterNames.some((name) => name in change) && noViewFilter), ...change });
  return (
    <Page
      title="Analytics"
      about="Page views and searches by readers and AI, counted on your own server without cookies and without the addresses of readers. Times are in UTC."
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
        <div className="flex flex-col gap-6">
          <Totals scope={scope} />
          {isEmpty ? <NothingCounted /> : <Steps scope={scope} isReady={!mayBeEmpty || missing.isSuccess} />}
          {!isEmpty && list !== 'missing-pages' && <Pages scope={scope} domain={domain} onFilter={filter} />}
          {!isEmpty && (
            <div className="grid items-start gap-6 md:grid-cols-2">
              {LISTS.filter(({ name }) => list === undefined || name === list).map((one) => (
                <Report key={one.name} scope={scope} onFilter={filter} {...one} />
              ))}
            </div>
          )}
          {list !== undefined && (
            <p className="text-s text-muted">
              The other lists are hidden, because they cannot be combined with “{titleOf(list)}”. Remove the filter to see them.
              {list !== 'missing-pages' && ' Time, exits and feedback include all readers.'}
            </p>
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
  { name: 'languages', title: 'Languages', head: ['Language of the pages', 'Visitors'] },
  { name: 'versions', title: 'Versions', head: ['Version of the pages', 'Visitors'] },
  { name: 'missing-pages', title: 'Missing pages', head: ['Address (404)', 'Views'], isCode: true },
];
const titleOf = (list: ReportName) => LISTS.find(({ name }) => name === list)?.title;

const noViewFilter = Object.fromEntries(viewFilterNames.map((name) => [name, undefined]));

/** Human readers compared to AI, each with its change since the previous period. */
function Totals({ scope }: { scope: Scope }) {
  const { data: now } = useQuery(trafficQuery(scope, 'day'));
  const { data: before } = useQuery(trafficQuery(scopeBefore(scope), 'day'));
  const isOfMachines = listOfKept(scope) === 'machines';
  const all: [title: string, name: 'human' | 'visitors' | 'ai' | 'aiVisitors' | 'requests', about: string][] = [
    ['Views', 'human', 'by readers'],
    ['Visitors', 'visitors', 'each counted once a day'],
    ['AI views', 'ai', 'by agents and crawlers'],
    ['AI clients', 'aiVisitors', 'each counted once a day'],
  ];
  if (isOfMachines) all.splice(0, 3, ['Requests', 'requests', 'by the chosen machine']);
  const figures = all.map(([title, name, about]) => {
    const [value, former] = [now, before].map((days) => days?.reduce((sum, day) => sum + day[name], 0));
    const change = value !== undefined && former !== undefined && former > 0 ? `, ${changeOf(value, former)}` : '';
    return { title, value: value === undefined ? undefined : count(value), about: about + change };
  });
  return <Figures figures={figures} className={cx('grid-cols-2', !isOfMachines && 'md:grid-cols-4')} />;
}

/** Formats `+12% on the period before`. */
function changeOf(value: number, before: number): string {
  const percent = Math.round(((value - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${count(Math.abs(percent))}% on the period before`;
}

/** @param isReady whether there is something to draw, or nothing else to show */
function Steps({ scope, isReady }: { scope: Scope; isReady: boolean }) {
  const by = scope.unit === 'hour' ? 'hour' : 'day';
  const now = useQuery(trafficQuery(scope, by));
  const before = useQuery(trafficQuery(scopeBefore(scope), by));
  const { error, refetch } = now.error ? now : before;
  const isOfMachines = listOfKept(scope) === 'machines';
  const label = `${isOfMachines ? 'Requests' : 'Views'} ${UNITS[scope.unit].toLowerCase()}`;
  return (
    <Card title={label} isPadded>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : isReady && now.data && before.data ? (
        <TimeChart
          label={label}
          unit={scope.unit}
          points={timePoints(scope, now.data, before.data)}
          {...(isOfMachines && { keys: ['Readers', 'Machine'] })}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  );
}

type PageRow = Schema<'PageAtGlance'>;

/** A summary of the pages; a click on one filters everything by it. */
function Pages({ scope, domain, onFilter }: { scope: Scope; domain: string; onFilter: OnFilter }) {
  const query = useInfiniteQuery(pagesQuery(scope));
  const columns: Column<PageRow>[] = [
    {
      title: 'Page',
      cell: ({ path, title }) => (
        <span className="block min-w-0">
          <span className="block font-mono text-xs break-all">{path}</span>
          {title !== null && <span className="block font-normal break-words text-muted">{title}</span>}
        </span>
      ),
    },
    ...(listOfKept(scope) === 'machines'
      ? [{ title: 'Requests', isNumber: true, cell: ({ requests }: PageRow) => count(requests) }]
      : [
          { title: 'Views', isNumber: true, cell: ({ views }: PageRow) => count(views) },
          { title: 'AI', isNumber: true, cell: ({ aiViews }: PageRow) => count(aiViews) },
        ]),
    { title: 'Time', isNumber: true, isMinor: true, cell: ({ averageMs }) => (averageMs === null ? '–' : duration(averageMs)) },
    { title: 'Exits', isNumber: true, isMinor: true, cell: ({ exits }) => count(exits) },
    {
      title: 'Feedback',
      isNumber: true,
      isMinor: true,
      cell: ({ path, thumbsUp, thumbsDown }) =>
        thumbsUp + thumbsDown === 0 ? (
          '–'
        ) : (
          <Link
            to="/$org/$domain/feedback"
            params={{ org: scope.org, domain }}
            search={{ path, days: String(scope.days) }}
            className="hover:underline"
            aria-label={`${count(thumbsUp)} of ${count(thumbsUp + thumbsDown)} found it helpful`}
          >
            {`${Math.round((thumbsUp / (thumbsUp + thumbsDown)) * 100)}% of ${count(thumbsUp + thumbsDown)}`}
          </Link>
        ),
    },
    {
      title: 'Changed',
      isNarrow: true,
      isMinor: true,
      cell: ({ lastUpdated }) => (lastUpdated === null ? '–' : calendarDay(new Date(`${lastUpdated}T12:00:00`))),
    },
  ];
  return (
    <Section title="Pages">
      <List
        label="Pages"
        query={query}
        empty={<p className="text-s text-muted">No data in this period.</p>}
        keyOf={({ path }) => path}
        onOpen={({ path }) => onFilter({ path })}
        columns={columns}
      />
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
      <Card title={title}>
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
 * Whether an element has been in view, or close to it; a long page requests the lower sections only then.
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

/** Explains what is counted and why there is no data yet; if analytics are off for the site, offers to turn them on. */
function NothingCounted() {
  const { may } = useOrganisation();
  const { projectId } = useSite();
  const { data } = useQuery({
    queryKey: ['analytics-settings', projectId],
    queryFn: () => bodyOf(api.GET('/v1/project/{projectId}/analytics-settings', { params: { path: { projectId } } })),
  });
  const turnOn = useAction({
    run: () =>
      api.PATCH('/v1/project/{projectId}/analytics-settings', { params: { path: { projectId } }, body: { enabled: true } }),
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
        If the operator set <code className="font-mono text-xs">DOCENT_ANALYTICS=off</code>, analytics are off for all sites.
      </p>
    </EmptyState>
  );
}

function WhatIsStored() {
  const { slug: org } = useOrganisation();
  const { data: sites = [] } = useQuery(sitesQuery(org));
  const title = 'Privacy of readers';
  return (
    <p>
      For what is stored, see{' '}
      {sites.some(({ slug }) => slug === DOCUMENTATION) ? (
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
