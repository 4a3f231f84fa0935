import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Schema } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { followEvents } from '../../api/events.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { count, plural } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card, ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';
import { DeploymentMenu, promoteWord } from './deployment-menu.tsx';
import { lengthOf } from './deployments-page.tsx';
import { deploymentQuery, isRunning, type Summary, useDeploymentActions, wordOf } from './deployments-query.ts';
import { Changes, Findings } from './report.tsx';
import { BuildLog, Stages } from './stages.tsx';

/** A deployment: its stages and log while it runs; afterwards its report and changes. */
export function DeploymentPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite() as Site;
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(deploymentQuery(org, site.projectId, id));
  const { promote, cancel } = useDeploymentActions(site);
  useFollowedDeployment(org, site.projectId, data);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Page title="Deployment">
        <Skeleton lines={8} />
      </Page>
    );
  }
  const [word, tone] = wordOf(data);
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
          <Status tone={tone}>{word}</Status>
        </span>
      }
      action={
        <span className="flex items-center gap-2">
          {may('editor') && data.canPromote && (
            <Button variant="primary" icon="rotate-ccw" isBusy={promote.isPending} onClick={() => promote.mutate({ id })}>
              {promoteWord(data, site)}
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

type Deployment = Schema<'Deployment'>;

/** Follows a deployment until it ends: stages and log as they arrive, then the report. */
function useFollowedDeployment(org: string, projectId: string, deployment: Deployment | undefined): void {
  const queries = useQueryClient();
  const id = deployment?.id;
  const running = deployment !== undefined && isRunning(deployment);
  useEffect(() => {
    if (!running || id === undefined) return;
    const { queryKey } = deploymentQuery(org, projectId, id);
    let log: Deployment['log'] = [];
    const change = (next: Partial<Deployment>) => queries.setQueryData(queryKey, (old) => old && { ...old, ...next });
    return followEvents(`/v1/projects/${projectId}/deployments/${id}/events`, (data, type) => {
      if (type === 'log') {
        log = [...log, JSON.parse(data) as Deployment['log'][number]];
        change({ log });
        return;
      }
      const progress = JSON.parse(data) as Summary & Pick<Deployment, 'stages'>;
      if (isRunning(progress)) change(progress);
      // The events do not contain the report.
      else
        void Promise.all([
          queries.invalidateQueries({ queryKey: [org, 'deployments', projectId] }),
          queries.invalidateQueries(sitesQuery(org)),
        ]);
    });
  }, [queries, org, projectId, id, running]);
}
