import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation } from '../../api/queries.ts';
import { bytes, count } from '../../ui/format.ts';
import { Card, ErrorState, Page } from '../../ui/page.tsx';
import { Badge, Progress } from '../../ui/values.tsx';

/** The organization's usage and its limits. */
export function UsagePage() {
  const { slug: org, plan } = useOrganisation();
  const { data, error, refetch } = useQuery({
    queryKey: [org, 'usage'],
    queryFn: () => bodyOf(api.GET('/v1/organisation/usage')),
  });
  return (
    <Page
      title="Usage"
      about={
        <>
          Plan <Badge tone="accent">{plan}</Badge>
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-4 md:grid-cols-2">
          <Meter title="Sites" amount={data?.sites} show={count} />
          <Meter title="Storage" amount={data?.storedBytes} show={bytes}>
            <dl className="mt-4 grid grid-cols-[1fr_auto] gap-y-1 text-s">
              {(['builds', 'sources', 'bundles'] as const).map((name) => (
                <div key={name} className="contents">
                  <dt className="text-muted">{{ builds: 'Builds', sources: 'Sources', bundles: 'Export bundles' }[name]}</dt>
                  <dd className="text-right tabular-nums">{data ? bytes(data.storedBytes[name]) : <Blank />}</dd>
                </div>
              ))}
            </dl>
            <p className="mt-3 text-s text-muted">
              {data ? bytes(data.storedBytes.spare) : <Blank />} of the builds are earlier ones, which are deleted first when
              space is needed.
            </p>
          </Meter>
        </div>
      )}
    </Page>
  );
}

interface MeterProps {
  title: string;
  /** `undefined` while it is being loaded. */
  amount: { used: number; limit: number } | undefined;
  show: (value: number) => string;
  children?: React.ReactNode;
}

/** Stands where a number will be. */
function Blank() {
  return <span className="skeleton animate-pulse inline-block h-3 w-14" />;
}

function Meter({ title, amount, show, children }: MeterProps) {
  return (
    <Card className="p-4">
      <h2 className="text-s font-medium text-muted">{title}</h2>
      <p className="mt-1 mb-3 text-title font-semibold tabular-nums">
        {amount ? show(amount.used) : <Blank />}{' '}
        {amount && <span className="text-sm font-normal text-muted">of {show(amount.limit)}</span>}
      </p>
      <Progress label={title} percent={amount ? (amount.used / amount.limit) * 100 : 0} />
      {children}
    </Card>
  );
}
