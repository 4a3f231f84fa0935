import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Schema } from '../../api/client.ts';
import { refresh, type Site, useOrganization, useSite } from '../../api/queries.ts';
import { AnchorButton, Button, LinkButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { cx } from '../../ui/cx.ts';
import { Foldable } from '../../ui/foldable.tsx';
import { count, duration, plural } from '../../ui/format.ts';
import { Card, ErrorState, Notice, Page, Section, Skeleton } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Status } from '../../ui/values.tsx';
import {
  DeploymentMenu,
  isRunning,
  promoteWord,
  stateOf,
  useDeploymentActions,
} from './deployment-actions.tsx';
import { DeploymentBadges, DeploymentFacts } from './deployment-facts.tsx';
import { Findings } from './findings.tsx';
import { QuestionsCard } from './questions-card.tsx';
import { useDeployment } from './use-deployment.ts';

type Deployment = Schema<'Deployment'>;
type AudienceCounts = NonNullable<NonNullable<Deployment['report']>['audiences']>;

/**
 * A deployment: where it can be seen, what it changes, what is wrong with it, and how it was built.
 */
export function DeploymentPage() {
  const site = useSite();
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useDeployment(id);
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
  const failure = data.status === 'failure' ? data.summary : undefined;
  const isExplained = data.findings.length > 0;
  return (
    <Page
      title={deploymentTitle(data)}
      about={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span aria-live="polite" className="text-text">
            <Status state={stateOf(data)} />
          </span>
          <DeploymentBadges deployment={data} />
          <DeploymentFacts deployment={data} hasLink />
        </span>
      }
      action={<Actions deployment={data} site={site} />}
    >
      <div className="flex flex-col gap-6">
        <Address deployment={data} site={site} />
        {failure !== undefined && !isExplained && (
          <Notice tone={data.endReason === null ? 'danger' : 'neutral'}>{failure}</Notice>
        )}
        {data.changes && <Changes changes={data.changes} deployment={data} site={site} />}
        {data.report?.audiences && <AudiencesCard audiences={data.report.audiences} />}
        {data.report?.questions && <QuestionsCard report={data.report.questions} />}
        {isExplained && <Findings deployment={data} failure={failure} />}
        <Build deployment={data} />
      </div>
    </Page>
  );
}

/** How many pages the readers of each group see. */
function AudiencesCard({ audiences }: { audiences: AudienceCounts }) {
  const rows = [{ name: '', pageCount: audiences.pageCount }, ...audiences.groups];
  const columns: Column<AudienceCounts['groups'][number]>[] = [
    { title: 'Group', cell: ({ name }) => name || 'Readers without a group' },
    { title: 'Pages', isNumber: true, cell: ({ pageCount }) => count(pageCount) },
  ];
  return (
    <Section title="Pages by group">
      <Table label="Pages by group" columns={columns} rows={rows} keyOf={({ name }) => name} />
    </Section>
  );
}

/** First what one wants to do now: see it, make it live, or publish it again. */
function Actions({ deployment, site }: { deployment: Deployment; site: Site }) {
  const { slug: org, may } = useOrganization();
  const navigate = useNavigate();
  const { promote, isPromoting, cancel, rebuild } = useDeploymentActions(site);
  const { id, isLive, isShown, previewUrl, canPromote, status } = deployment;
  const address = isLive ? site.url : isShown ? previewUrl : null;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {address !== null && (
        <AnchorButton
          variant="primary"
          icon="external-link"
          href={address}
          target="_blank"
          rel="noreferrer"
        >
          {isLive ? 'Visit' : 'Open preview'}
        </AnchorButton>
      )}
      {may('editor') && status === 'failure' && (
        <Button
          variant="primary"
          icon="refresh-cw"
          isBusy={rebuild.isPending}
          onClick={() => rebuild.mutate(id)}
        >
          Publish again
        </Button>
      )}
      {canPromote && site.live !== null && (
        <LinkButton
          icon="arrow-left-right"
          to="/$org/$domain/deployments/$id/compare"
          params={{ org, domain: site.slug, id }}
        >
          Compare with live
        </LinkButton>
      )}
      {may('editor') && canPromote && (
        <Button icon="rotate-ccw" isBusy={isPromoting} onClick={() => promote(deployment)}>
          {promoteWord(deployment)}
        </Button>
      )}
      {may('editor') && isRunning(deployment) && (
        <Button icon="ban" isBusy={cancel.isPending} onClick={() => cancel.mutate(id)}>
          Cancel
        </Button>
      )}
      <DeploymentMenu
        deployment={deployment}
        site={site}
        onDeleted={() =>
          navigate({ to: '/$org/$domain/deployments', params: { org, domain: site.slug } })
        }
      />
    </span>
  );
}

/** Where readers see it, and the size of what they see. */
function Address({ deployment, site }: { deployment: Deployment; site: Site }) {
  const { id, isLive, previewUrl, pages, status } = deployment;
  const address = isLive ? site.url : previewUrl;
  const facts = [
    address !== null &&
      (['Address', <CopyText key="address" value={address} label="Copy address" />] as const),
    status === 'success' && (['Pages', count(pages)] as const),
    ['Identifier', <CopyText key="id" value={id} label="Copy identifier" />] as const,
  ].filter((fact) => fact !== false);
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 text-s">
      {facts.map(([title, value]) => (
        <div key={title} className="min-w-0">
          <dt className="text-muted">{title}</dt>
          <dd className="break-all tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The stages as one thin line, and the log behind it. */
function Build({ deployment }: { deployment: Deployment }) {
  const { stages, log } = deployment;
  if (stages.length === 0 && log.length === 0) return null;
  const isLive = isRunning(deployment);
  const current = stages.findLast(({ status }) => status !== 'done');
  return (
    <Card>
      <div className="px-4 pt-4 pb-3">
        <ol aria-label="Stages" className="flex h-1.5 gap-0.5">
          {stages.map((stage) => (
            <li
              key={stage.name + stage.startedAt}
              title={stageText(stage)}
              style={{ flexGrow: Math.max(lengthOfStage(stage), 1) }}
              className={cx(
                'min-w-1 rounded-full',
                stage.status === 'failed'
                  ? 'bg-danger'
                  : stage.status === 'running'
                    ? 'animate-pulse bg-accent-text'
                    : 'bg-success',
              )}
            >
              <span className="sr-only">{stageText(stage)}</span>
            </li>
          ))}
        </ol>
        <p className="mt-2 text-s text-muted">
          {isLive
            ? (current?.name ?? 'Waiting for a free place')
            : longStages(stages).map(stageText).join(' · ')}
        </p>
      </div>
      {log.length > 0 && (
        <div className="border-t border-line">
          <Foldable title={<span className="flex-1">Log</span>} amount={plural(log.length, 'line')}>
            <BuildLog lines={log} isLive={isLive} />
          </Foldable>
        </div>
      )}
    </Card>
  );
}

const lengthOfStage = ({ startedAt, endedAt }: Schema<'BuildStage'>) =>
  (endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt);

/** The stages that took most of the time, and one that failed. */
function longStages(stages: readonly Schema<'BuildStage'>[]): Schema<'BuildStage'>[] {
  const total = stages.reduce((sum, stage) => sum + lengthOfStage(stage), 0);
  return stages.filter(
    (stage) => stage.status === 'failed' || lengthOfStage(stage) >= 0.05 * total,
  );
}

function stageText(stage: Schema<'BuildStage'>): string {
  const { name, status } = stage;
  return status === 'running'
    ? name
    : `${name} ${status === 'failed' ? 'failed after ' : ''}${duration(lengthOfStage(stage))}`;
}

/** The log of a build; scrolls to the end while it grows. */
function BuildLog({
  lines,
  isLive,
}: {
  lines: readonly Schema<'BuildLogLine'>[];
  isLive: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box grows with the lines
  useEffect(() => {
    if (isLive && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, isLive]);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Log"
      className="max-h-96 overflow-auto bg-sunken p-4 font-mono text-xs leading-5"
    >
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

const CHANGES = [
  ['added', 'Added', 'text-success'],
  ['changed', 'Changed', 'text-warning'],
  ['removed', 'Removed', 'text-danger'],
] as const;

/** More pages than fit on a screen are folded. */
const MAX_OPEN = 12;

/**
 * The pages that a deployment changed, compared with what was live before; each links to its
 * difference.
 */
function Changes({
  changes,
  deployment,
  site,
}: {
  changes: Schema<'PageChanges'>;
  deployment: Deployment;
  site: Site;
}) {
  const { slug: org } = useOrganization();
  const params = { org, domain: site.slug, id: deployment.id };
  const isSame = CHANGES.every(([name]) => changes[name].count === 0);
  const isFirst = changes.comparedWith === null;
  const isStored = deployment.canPromote || deployment.isLive;
  return (
    <Card
      title="Pages"
      about={
        isFirst
          ? 'The first deployment of the site'
          : 'Compared with what was live when it was built'
      }
      action={
        !isFirst &&
        !isSame &&
        isStored && (
          <LinkButton
            size="sm"
            to="/$org/$domain/deployments/$id/compare"
            params={params}
            search={{ base: changes.comparedWith ?? '' }}
          >
            Show differences
          </LinkButton>
        )
      }
    >
      {isSame && <p className="px-4 py-3 text-s text-muted">No page changed.</p>}
      <div className="divide-y divide-line">
        {CHANGES.filter(([name]) => changes[name].count > 0).map(([name, title, color]) => (
          <Foldable
            key={name}
            isOpen={!isFirst && changes[name].count <= MAX_OPEN}
            amount={count(changes[name].count)}
            title={<span className={cx('flex-1 font-medium', color)}>{title}</span>}
          >
            <ul className="columns-1 gap-8 px-4 pb-4 pl-11 font-mono text-xs leading-6 md:columns-2">
              {changes[name].pages.map((path) => (
                <li key={path} className="truncate">
                  {isFirst || !isStored ? (
                    path
                  ) : (
                    <Link
                      to="/$org/$domain/deployments/$id/compare"
                      params={params}
                      search={{ base: changes.comparedWith ?? '', path }}
                      className="hover:underline"
                    >
                      {path}
                    </Link>
                  )}
                </li>
              ))}
              {changes[name].count > changes[name].pages.length && (
                <li className="text-muted">
                  and {count(changes[name].count - changes[name].pages.length)} more
                </li>
              )}
            </ul>
          </Foldable>
        ))}
      </div>
    </Card>
  );
}
