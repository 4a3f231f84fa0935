import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client.ts';
import { usageQuery, useOrganization } from '../../api/queries.ts';
import { bytes, calendarDay, count } from '../../ui/format.ts';
import { Card, ErrorState, Page, Section } from '../../ui/page.tsx';
import { Badge, Progress, RelativeTime } from '../../ui/values.tsx';

type LimitName = Schema<'LimitUsage'>['name'];

const PLANS = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' } as const;

const LIMITS: Record<LimitName, [title: string, about: string]> = {
  publishes: ['Publishes', 'Uploads and rebuilds of all sites together, also of previews'],
  questions: ['Requests to the assistant', 'Questions of readers and programs, on all sites'],
  searches: ['Searches and pages by API', 'Requests with a key, and of tools through MCP'],
  exports: ['Exports', 'Started exports of all sites'],
  keys: ['New keys', 'Keys that were created'],
  invitations: ['Invitations', 'Invitations that were sent, also again'],
};

/** The organization's usage and its limits. */
export function UsagePage() {
  const { slug: org, plan } = useOrganization();
  const { data, error, refetch } = useQuery(usageQuery(org));
  return (
    <Page
      title="Usage"
      about={
        <>
          Plan <Badge tone="accent">{PLANS[plan]}</Badge>
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="flex flex-col gap-8">
          <div className="grid gap-4 sm:grid-cols-3">
            <Figure title="Members" value={data && count(data.members.used)}>
              <Link
                to="/$org/settings/members"
                params={{ org }}
                className="text-accent-text hover:underline"
              >
                All members
              </Link>
            </Figure>
            <Figure title="Views this month" value={data && count(data.month.views)}>
              By readers, without machines, since{' '}
              {data ? calendarDay(new Date(data.month.from)) : <Blank />}
            </Figure>
            <Figure title="Questions this month" value={data && count(data.month.questions)}>
              To the assistants of all sites
            </Figure>
          </div>
          <Section title="Kept">
            <div className="grid gap-4 md:grid-cols-2">
              <Meter title="Sites" amount={data?.sites} show={count} />
              <Meter title="Storage" amount={data?.storedBytes} show={bytes}>
                <dl className="mt-4 grid grid-cols-[1fr_auto] gap-y-1 text-s">
                  {(['builds', 'sources', 'bundles'] as const).map((name) => (
                    <div key={name} className="contents">
                      <dt className="text-muted">
                        {{ builds: 'Builds', sources: 'Sources', bundles: 'Export bundles' }[name]}
                      </dt>
                      <dd className="text-right tabular-nums">
                        {data ? bytes(data.storedBytes[name]) : <Blank />}
                      </dd>
                    </div>
                  ))}
                </dl>
                {data?.storedBytes.spare !== 0 && (
                  <p className="mt-3 text-s text-muted">
                    {data ? bytes(data.storedBytes.spare) : <Blank />} of the builds are earlier
                    ones, which are deleted first when space is needed.
                  </p>
                )}
              </Meter>
            </div>
          </Section>
          <Section title="Per hour or day">
            <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
              {Object.entries(LIMITS).map(([name, [title, about]]) => (
                <HourMeter
                  key={name}
                  title={title}
                  about={about}
                  state={data?.limits.find((limit) => limit.name === name)}
                />
              ))}
            </div>
            <p className="mt-4 text-s text-muted">
              The operator of this server decides the limits. All sites of the organization share
              them.
            </p>
          </Section>
        </div>
      )}
    </Page>
  );
}

function Figure({
  title,
  value,
  children,
}: {
  title: string;
  value: string | undefined;
  children: ReactNode;
}) {
  return (
    <Card className="p-4">
      <h2 className="text-s font-medium text-muted">{title}</h2>
      <p className="mt-1 text-title font-semibold tabular-nums">{value ?? <Blank />}</p>
      <p className="mt-1 text-s text-muted">{children}</p>
    </Card>
  );
}

function HourMeter({
  title,
  about,
  state,
}: {
  title: string;
  about: string;
  state: Schema<'LimitUsage'> | undefined;
}) {
  return (
    <Meter title={title} amount={state} show={count}>
      <p className="mt-3 text-s text-muted">
        {about}. {state?.resetsAt && <ResetTime at={state.resetsAt} />}
      </p>
    </Meter>
  );
}

function ResetTime({ at }: { at: string }) {
  return (
    <>
      Starts anew <RelativeTime at={at} />.
    </>
  );
}

interface MeterProps {
  title: string;
  /** `undefined` while it is being loaded. */
  amount: { used: number; limit: number } | undefined;
  show: (value: number) => string;
  children?: ReactNode;
}

/** Stands where a number will be. */
function Blank() {
  return <span className="skeleton animate-pulse inline-block h-3 w-14" />;
}

function Meter({ title, amount, show, children }: MeterProps) {
  return (
    <Card className="p-4">
      <h3 className="text-s font-medium text-muted">{title}</h3>
      <p className="mt-1 mb-3 text-title font-semibold tabular-nums">
        {amount ? show(amount.used) : <Blank />}{' '}
        {amount && <span className="text-sm font-normal text-muted">of {show(amount.limit)}</span>}
      </p>
      <Progress label={title} percent={amount ? (amount.used / amount.limit) * 100 : 0} />
      {children}
    </Card>
  );
}
