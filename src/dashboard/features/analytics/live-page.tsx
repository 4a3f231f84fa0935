import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { count } from '../../ui/format.ts';
import { Card, ErrorState, Page } from '../../ui/page.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';
import { liveQuery, machineLine, useScope } from './analytics-query.ts';
import { Lines } from './lines.tsx';

/** Who is reading a site now. A click on a line opens its analytics. */
export function LivePage() {
  const { setSearch: _, domain, ...scope } = useScope();
  const { data, error, refetch } = useQuery(liveQuery(scope));
  const navigate = useNavigate();
  const open = (search: object) => void navigate({ to: '/$org/$domain/analytics', params: { org: scope.org, domain }, search });
  const figures: [title: string, value: number | undefined, about: string][] = [
    ['Readers now', data?.last5Minutes.readers, 'in the last 5 minutes'],
    ['Readers', data?.last30Minutes.readers, 'in the last 30 minutes'],
    ['Views', data?.last30Minutes.views, 'in the last 30 minutes'],
    ['AI views', data?.last30Minutes.aiViews, 'in the last 30 minutes'],
  ];
  return (
    <Page
      title="Live view"
      about={
        <>
          Who is on the site now, and what they read in the last 30 minutes.{' '}
          {data && !error && (
            <>
              <Status tone="success">Live</Status>, as of <RelativeTime at={data.at} />
            </>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="flex flex-col gap-6">
          <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-4">
            {figures.map(([title, value, about]) => (
              <div key={title + about} className="bg-surface p-4">
                <dt className="text-s text-muted">{title}</dt>
                <dd className="mt-1">
                  {value === undefined ? (
                    <span className="skeleton animate-pulse block h-7 w-16" />
                  ) : (
                    <span className="text-title font-semibold tabular-nums">{count(value)}</span>
                  )}
                  <span className="block text-xs text-muted">{about}</span>
                </dd>
              </div>
            ))}
          </dl>
          <div className="grid items-start gap-6 md:grid-cols-2">
            <Card title="Pages" about="Last 30 minutes">
              <Lines
                label="Pages"
                head={['Page', 'Readers']}
                isCode
                rows={data?.pages.map(({ path, readers, aiViews }) => ({
                  ...{ name: path, value: readers, filter: { path, days: '1' } },
                  detail: aiViews > 0 ? `${count(aiViews)} by AI` : undefined,
                }))}
                onFilter={open}
              />
            </Card>
            <Card title="Sources" about="Last 30 minutes">
              <Lines
                label="Sources"
                head={['Host', 'Readers']}
                rows={data?.sources.map(({ source, readers }) => ({
                  ...{ name: source, value: readers, filter: { referrer: source, days: '1' } },
                  title: source || 'Direct or unknown',
                }))}
                onFilter={open}
              />
            </Card>
            <Card title="Machines" about="Last 30 minutes">
              <Lines
                label="Machines"
                head={['Agent', 'Requests']}
                rows={data?.machines.map((row) => ({
                  ...machineLine(row),
                  ...{ name: `${row.class} ${row.agent}`, value: row.requests },
                  filter: { ...machineLine(row).filter, days: '1' },
                }))}
                onFilter={open}
              />
            </Card>
          </div>
        </div>
      )}
    </Page>
  );
}
