import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { refresh, type Site, useOrganisation, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { count, duration, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, ErrorState, Notice, Page, Skeleton } from '../../ui/page.tsx';
import { Badge, RelativeTime, Status } from '../../ui/values.tsx';
import { DeploymentMenu, isRunning, lengthOf, promoteWord, stateOf, useDeploymentActions } from './deployment-actions.tsx';

const POLL_MS = 1000;

/** A deployment: its stages and log while it runs; afterwards its report and changes. */
export function DeploymentPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite();
  const { projectId } = site;
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['deployments', projectId, 'one', id],
    queryFn: () => {
      const path = { projectId, deploymentId: id };
      return bodyOf(api.GET('/v1/projects/{projectId}/deployments/{deploymentId}', { params: { path } }));
    },
    refetchInterval: ({ state }) => state.data !== undefined && isRunning(state.data) && POLL_MS,
  });
  const { promote, isPromoting, cancel } = useDeploymentActions(site);
  const isBuilding = data !== undefined && isRunning(data);
  useEffect(() => {
    // Its end changes the site too.
    if (isBuilding) return () => void refresh();
  }, [isBuilding]);
  if (error && !isBuilding) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Page title="Deployment">
        <Skeleton lines={8} />
      </Page>
    );
  }
  const facts = [
    ['Started', <RelativeTime key="at" at={data.createdAt} />],
    ['Duration', lengthOf(data)],
    ['Pages', count(data.pages)],
    ['Findings', `${plural(data.errors, 'error')}, ${plural(data.warnings, 'warning')}`],
    ['Identifier', <CopyText key="id" value={data.id} label="Copy identifier" />],
  ] as const;
  return (
    <Page
      title="Deployment"
      about={
        <span aria-live="polite">
          <Status state={stateOf(data)} />
          {data.preview !== null && ` · preview ${data.preview}`}
          {data.promotedFrom !== null && ` · from preview ${data.promotedFrom}`}
        </span>
      }
      action={
        <span className="flex items-center gap-2">
          {may('editor') && data.canPromote && (
            <Button variant="primary" icon="rotate-ccw" isBusy={isPromoting} onClick={() => promote(data)}>
              {promoteWord(data)}
            </Button>
          )}
          {may('editor') && isRunning(data) && (
            <Button icon="ban" isBusy={cancel.isPending} onClick={() => cancel.mutate(id)}>
              Cancel
            </Button>
          )}
          <DeploymentMenu
            deployment={data}
            site={site}
            onDeleted={() => navigate({ to: '/$org/$domain/deployments', params: { org, domain: site.slug } })}
          />
        </span>
      }
    >
      <div className="flex flex-col gap-6">
        {data.status === 'failure' && <Notice tone={data.endReason === null ? 'danger' : 'neutral'}>{data.summary}</Notice>}
        <dl className="flex flex-wrap gap-x-10 gap-y-3 text-s">
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt className="text-muted">{title}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {data.stages.length > 0 && (
          <Card title="Stages">
            <Stages stages={data.stages} />
          </Card>
        )}
        {data.findings.length > 0 && <Findings findings={data.findings} />}
        {data.changes && <Changes changes={data.changes} site={site} />}
        {data.log.length > 0 && (
          <Card title="Log">
            <BuildLog lines={data.log} isLive={isRunning(data)} />
          </Card>
        )}
      </div>
    </Page>
  );
}

const STATES = { running: ['Running', 'active'], done: ['Done', 'success'], failed: ['Failed', 'danger'] } as const;

/** The steps of a build. */
function Stages({ stages }: { stages: readonly Schema<'BuildStage'>[] }) {
  return (
    <ol className="divide-y divide-line text-s">
      {stages.map(({ name, status, startedAt, endedAt }) => (
        <li key={name + startedAt} className="flex items-center gap-4 px-4 py-2.5">
          <span className="flex-1">{name}</span>
          <span className="text-muted tabular-nums">
            {endedAt !== null && duration(Date.parse(endedAt) - Date.parse(startedAt))}
          </span>
          <span className="w-24">
            <Status state={STATES[status]} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The log of a build; scrolls to the end while it grows. */
function BuildLog({ lines, isLive }: { lines: readonly Schema<'BuildLogLine'>[]; isLive: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box grows with the lines
  useEffect(() => {
    if (isLive && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, isLive]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} tabIndex={0} aria-label="Log" className="max-h-96 overflow-auto bg-sunken p-4 font-mono text-xs leading-5">
      {lines.map(({ time, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
        <div key={index} className="flex gap-4">
          <time dateTime={time} className="shrink-0 text-muted">
            {time.slice(11, 19)}
          </time>
          <span className="break-words whitespace-pre-wrap">{text}</span>
        </div>
      ))}
    </section>
  );
}

/** The findings of a build by kind, each with its location and remedy. */
function Findings({ findings }: { findings: readonly Schema<'Findings'>[] }) {
  return (
    <Card title="Report" about="Findings in the source, and how to fix them">
      <div className="divide-y divide-line">
        {findings.map(({ kind, severity, count: total, items }) => (
          <Foldable
            key={kind}
            isOpen={findings.length <= 3 && items.length <= 10}
            amount={plural(total, 'place')}
            title={
              <>
                <Badge tone={severity === 'error' ? 'danger' : severity === 'warning' ? 'warning' : 'neutral'}>{severity}</Badge>
                <code className="flex-1 font-mono text-xs">{kind}</code>
              </>
            }
          >
            <ul className="flex flex-col gap-4 px-4 pt-1 pb-4 pl-11 text-s">
              {items.map((item, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change
                <li key={index}>
                  <code className="font-mono text-xs text-muted">{placeOf(item)}</code>
                  <p>{item.message}</p>
                  <p className="text-muted">{item.remedy}</p>
                  {item.places && item.places.length > 0 && (
                    <p className="text-xs text-muted">
                      also in {item.places.slice(0, 5).map(placeOf).join(', ')}
                      {item.places.length > 5 && ` and ${plural(item.places.length - 5, 'more place')}`}
                    </p>
                  )}
                </li>
              ))}
              {total > items.length && <li className="text-muted">The others are not shown.</li>}
            </ul>
          </Foldable>
        ))}
      </div>
    </Card>
  );
}

function placeOf({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const CHANGES = [
  ['added', 'Added', 'text-success'],
  ['changed', 'Changed', 'text-warning'],
  ['removed', 'Removed', 'text-danger'],
] as const;

/** The pages that a deployment changed, compared to what was live before. */
function Changes({ changes, site }: { changes: Schema<'PageChanges'>; site: Site }) {
  const isSame = CHANGES.every(([name]) => changes[name].count === 0);
  return (
    <Card
      title="Pages"
      about={changes.comparedWith === null ? 'The first deployment of the site' : 'Compared with the previous live deployment'}
    >
      {isSame && <p className="px-4 py-3 text-s text-muted">No pages changed.</p>}
      <div className="divide-y divide-line">
        {CHANGES.filter(([name]) => changes[name].count > 0).map(([name, title, color]) => (
          <Foldable
            key={name}
            amount={count(changes[name].count)}
            title={<span className={`flex-1 font-medium ${color}`}>{title}</span>}
          >
            <ul className="columns-1 gap-8 px-4 pb-4 pl-11 font-mono text-xs leading-6 md:columns-2">
              {changes[name].pages.map((path) => (
                <li key={path} className="truncate">
                  {name === 'removed' ? (
                    path
                  ) : (
                    <a href={site.url + path} target="_blank" rel="noreferrer" className="hover:underline">
                      {path}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </Foldable>
        ))}
      </div>
    </Card>
  );
}

function Foldable(props: { title: ReactNode; amount: string; isOpen?: boolean; children: ReactNode }) {
  const { title, amount, isOpen = false, children } = props;
  return (
    <details open={isOpen} className="group">
      <summary className="flex cursor-pointer items-center gap-3 px-4 py-3 text-s hover:bg-sunken">
        <Icon name="chevron-right" size={14} className="text-muted transition-transform group-open:rotate-90" />
        {title}
        <span className="text-muted tabular-nums">{amount}</span>
      </summary>
      {children}
    </details>
  );
}
