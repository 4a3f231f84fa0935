import { useQuery } from '@tanstack/react-query';
import { type Bar, BarList } from '../../ui/bar-list.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { count } from '../../ui/format.ts';
import { Card, ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { daysQuery, type ReportName, reportQuery, type Scope, useScope, viewsQuery, visitorsQuery } from './analytics-query.ts';
import { ExportMenu } from './export-menu.tsx';
import { Filters } from './filters.tsx';
import { NothingCounted } from './nothing-counted.tsx';

/** What readers and machines read on a site. */
export function AnalyticsPage() {
  const { setSearch, domain, ...scope } = useScope();
  const views = useQuery(viewsQuery(scope));
  const isFiltered = scope.asked.path !== undefined || scope.asked.language !== undefined;
  const isEmpty = views.data?.totals.total === 0 && !isFiltered;
  return (
    <Page
      title="Analytics"
      about="What readers and AI read, counted without cookies; days are in UTC"
      action={!isEmpty && <ExportMenu scope={scope} />}
    >
      <Filters scope={scope} setSearch={setSearch} />
      {views.error ? (
        <ErrorState error={views.error} onRetry={views.refetch} />
      ) : (
        <div className="flex flex-col gap-6">
          {isEmpty && <NothingCounted />}
          <Totals scope={scope} />
          {!isEmpty && <Days scope={scope} />}
          <div className="grid items-start gap-6 md:grid-cols-2">
            <Card title="Pages">
              <Lines
                label="Pages"
                head={['Page', 'Views']}
                isCode
                rows={views.data?.views.map(({ path, human }) => ({ name: path, value: human }))}
                onOpen={({ name }) => setSearch({ path: name })}
              />
            </Card>
            <Report scope={scope} name="referrers" title="Sources" head={['Host', 'Visitors']} />
            <Report scope={scope} name="machines" title="Machines" head={['Agent', 'Requests']} />
            <Report scope={scope} name="devices" title="Devices" head={['Device and browser', 'Visitors']} />
            <Report
              scope={scope}
              name="languages"
              title="Languages"
              head={['Language of the pages', 'Visitors']}
              onOpen={({ name }) => name !== '' && setSearch({ language: name })}
            />
            <Report scope={scope} name="missing-pages" title="Missing pages" head={['Address (404)', 'Views']} isCode />
          </div>
        </div>
      )}
    </Page>
  );
}

/** Readers beside AI. */
function Totals({ scope }: { scope: Scope }) {
  const { data: views } = useQuery(viewsQuery(scope));
  const { data: visitors } = useQuery(visitorsQuery(scope));
  const figures: [title: string, value: number | undefined, about: string][] = [
    ['Views', views?.totals.human, 'by readers'],
    ['Visitors', visitors?.totals.human, 'each once a day'],
    ['AI views', views?.totals.ai, 'by agents and crawlers'],
    ['AI clients', visitors?.totals.ai, 'each once a day'],
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-4">
      {figures.map(([title, value, about]) => (
        <div key={title} className="bg-surface p-4">
          <dt className="text-s text-muted">{title}</dt>
          <dd className="mt-1">
            {value === undefined ? (
              <span className="skeleton block h-7 w-16" />
            ) : (
              <span className="text-title font-semibold tabular-nums">{count(value)}</span>
            )}
            <span className="block text-xs text-muted">{about}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Days({ scope }: { scope: Scope }) {
  const { data, error, refetch } = useQuery(daysQuery(scope));
  return (
    <Card title="Views by day" isPadded>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <DayChart label="Views by day" days={data} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  );
}

interface ReportProps {
  scope: Scope;
  name: ReportName;
  title: string;
  head: [string, string];
  isCode?: boolean;
  onOpen?: (line: Bar) => void;
}

function Report({ scope, name, title, ...list }: ReportProps) {
  const { data, error, refetch } = useQuery(reportQuery(scope, name));
  return (
    <Card title={title}>
      {error ? (
        <div className="p-4">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      ) : (
        <Lines label={title} rows={data} {...list} />
      )}
    </Card>
  );
}

function Lines({ rows, ...list }: Omit<Parameters<typeof BarList>[0], 'rows'> & { rows: readonly Bar[] | undefined }) {
  if (!rows)
    return (
      <div className="p-4">
        <Skeleton lines={4} />
      </div>
    );
  if (rows.length === 0) return <p className="p-4 text-s text-muted">Nothing in this period.</p>;
  return (
    <div className="pb-2">
      <BarList rows={rows} {...list} />
    </div>
  );
}
