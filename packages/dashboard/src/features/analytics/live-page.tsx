import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { count } from '../../ui/format.ts';
import { Card, ErrorState, Page } from '../../ui/page.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';
import { liveQuery, machineLine, sourceLine, useScope } from './analytics-query.ts';
import { Figures, Lines, Unit } from './lines.tsx';

/** Who is reading a site now. A click on a line opens its analytics. */
export function LivePage() {
  const { setSearch: _, domain, ...scope } = useScope();
  const { data, error, refetch } = useQuery(liveQuery(scope));
  const navigate = useNavigate();
  const open = (search: object) =>
    void navigate({ to: '/$org/$domain/analytics', params: { org: scope.org, domain }, search });
  const { last5Minutes, last30Minutes } = data ?? {};
  const figures = [
    { title: 'Readers now', value: last5Minutes?.readers, about: 'in the last 5 minutes' },
    { title: 'Readers', value: last30Minutes?.readers, about: 'in the last 30 minutes' },
    { title: 'Views', value: last30Minutes?.views, about: 'in the last 30 minutes' },
    { title: 'AI views', value: last30Minutes?.aiViews, about: 'in the last 30 minutes' },
  ].map(({ value, ...figure }) => ({
    ...figure,
    value: value === undefined ? undefined : count(value),
  }));
  const lists: (Pick<Parameters<typeof Lines>[0], 'head' | 'rows' | 'isCode'> & {
    title: string;
  })[] = [
    {
      title: 'Pages',
      head: ['Page', 'Readers'],
      isCode: true,
      rows: data?.pages.map(({ path, readers, aiViews }) => ({
        name: path,
        value: readers,
        filter: { path },
        detail: aiViews > 0 ? `${count(aiViews)} by AI` : undefined,
      })),
    },
    {
      title: 'Sources',
      head: ['Host', 'Readers'],
      rows: data?.sources.map(({ source, readers }) => sourceLine(source, readers)),
    },
    { title: 'Machines', head: ['Agent', 'Requests'], rows: data?.machines.map(machineLine) },
  ];
  return (
    <Page
      title="Live view"
      about={
        <>
          Who is on the site now, and what they read in the last 30 minutes.{' '}
          {data && !error && (
            <>
              <Status state={['Live', 'success']} />, as of <RelativeTime at={data.at} />
            </>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="flex flex-col gap-6">
          <Figures figures={figures} className="grid-cols-2 md:grid-cols-4" />
          <div className="grid items-start gap-6 md:grid-cols-2">
            {lists.map(({ title, ...list }) => (
              <Card
                key={title}
                title={title}
                about="Last 30 minutes"
                action={<Unit>{list.head[1]}</Unit>}
              >
                <Lines
                  label={title}
                  onFilter={(filter) => open({ ...filter, days: '1' })}
                  {...list}
                />
              </Card>
            ))}
          </div>
        </div>
      )}
    </Page>
  );
}
