import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { refresh, useOrganization, useSite } from '../../api/queries.ts';
import { Button, useMainAction } from '../../ui/button.tsx';
import { CodeBlock, ShownOnce } from '../../ui/copy.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure, useAction } from '../../ui/overlays/notify.ts';
import { Card, EmptyState, Loaded, Notice, Page } from '../../ui/page.tsx';
import { RelativeTime, type State, Status } from '../../ui/values.tsx';
import { PausedNotice } from '../deployments/paused-notice.tsx';
import { GitSourceForm } from './git-source-form.tsx';
import { PullRequests } from './pull-requests-card.tsx';

type Source = Schema<'GitSource'>;

const SOURCE = '/v1/projects/{projectId}/git-source';
const POLL_MS = 5000;

/** The repository that a site is published from. */
export function GitPage() {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['git-source', projectId],
    queryFn: () => bodyOf(api.GET(SOURCE, { params: { path: { projectId } } })),
    refetchInterval: POLL_MS,
  });
  const source = query.data?.source ?? undefined;
  const open = () => setOpen(true);
  const mayConnect = may('admin') && query.data?.source === null;
  const connect = useMainAction(
    mayConnect ? { title: 'Connect repository', icon: 'git-branch', run: open } : undefined,
  );
  return (
    <Page title="Git" about="Publish what is pushed to a repository">
      <Loaded query={query}>
        {() =>
          source ? (
            <>
              <SourceCard source={source} projectId={projectId} onChange={open} />
              {source.previews !== 'none' && <PullRequests />}
            </>
          ) : (
            <EmptyState icon="git-branch" title="No repository is connected" action={connect}>
              Connect the site with a branch of a repository: each push is published, with its
              commit, dates and edit links.
              {!may('admin') && ' Admins can connect it.'}
            </EmptyState>
          )
        }
      </Loaded>
      <Dialog
        title={source ? 'Change repository' : 'Connect repository'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <GitSourceForm
          projectId={projectId}
          {...(source && { source })}
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </Page>
  );
}

function SourceCard({
  source,
  projectId,
  onChange,
}: {
  source: Source;
  projectId: string;
  onChange: () => void;
}) {
  const { slug: org, may } = useOrganization();
  const { slug: domain, name } = useSite();
  const {
    url,
    branch,
    folder,
    automatic,
    credentials,
    seenSha,
    checkedAt,
    lastError,
    createdBy,
    webhook,
    paused,
  } = source;
  const params = { path: { projectId } };
  const [secret, setSecret] = useState<string>();
  const deploy = useAction({
    run: () => bodyOf(api.POST('/v1/project/update/{projectId}', { params })),
    done: () => notify('The branch is being deployed'),
    failed: 'The branch could not be deployed',
  });
  const check = useAction({
    run: () => bodyOf(api.POST(`${SOURCE}/check`, { params })),
    done: (checked) =>
      checked.lastError === null
        ? notify('The repository can be read')
        : notifyFailure('The repository cannot be read', new Error(checked.lastError)),
    failed: 'The repository could not be checked',
  });
  const trust = useAction({
    run: () => api.PATCH(SOURCE, { params, body: { trustHostKey: true } }),
    failed: 'The key of the host could not be accepted',
  });
  const disconnect = () =>
    confirmAction({
      title: 'Disconnect the repository',
      text: `What is live of ${name} stays. The credentials are deleted.`,
      action: 'Disconnect',
      run: async () => {
        await api.DELETE(SOURCE, { params });
        await refresh();
      },
      done: 'The repository is disconnected',
      failed: 'The repository could not be disconnected',
    });
  const rotate = useAction({
    run: () => bodyOf(api.POST(`${SOURCE}/webhook-secret`, { params })),
    done: (created) => setSecret(created.secret),
    failed: 'The secret could not be created',
  });
  const state: State =
    lastError !== null
      ? ['Cannot be read', 'danger']
      : checkedAt === null
        ? ['Not read yet', 'warning']
        : ['Connected', 'success'];
  const isNewKey = lastError?.includes('another key') === true;
  return (
    <Card title={url} about={`Branch ${branch}${folder ? `, folder ${folder}` : ''}`} isPadded>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-s">
            <Status state={state} />
          </span>
          <span className="flex flex-1 flex-wrap justify-end gap-1">
            {may('editor') && paused === null && (
              <Button size="sm" isBusy={deploy.isPending} onClick={() => deploy.mutate()}>
                Deploy now
              </Button>
            )}
            {may('admin') && (
              <>
                <Button size="sm" isBusy={check.isPending} onClick={() => check.mutate()}>
                  Check now
                </Button>
                <Button size="sm" onClick={onChange}>
                  Change
                </Button>
                <Button size="sm" onClick={disconnect}>
                  Disconnect
                </Button>
              </>
            )}
          </span>
        </div>
        {paused !== null && (
          <PausedNotice>
            {paused.by && `${actorName(paused.by)} rolled back `}
            {paused.by && <RelativeTime at={paused.at} />}
            {paused.by && '. '}
            {paused.waitingSha !== null && `Commit ${paused.waitingSha.slice(0, 7)} waits.`}
          </PausedNotice>
        )}
        {lastError !== null && (
          <Notice tone="warning">
            {lastError}
            {isNewKey && may('admin') && (
              <div className="mt-2">
                <Button size="sm" isBusy={trust.isPending} onClick={() => trust.mutate()}>
                  Accept the new key
                </Button>
              </div>
            )}
          </Notice>
        )}
        <p className="text-s text-muted">
          {automatic && paused === null
            ? 'Each push is published'
            : 'Pushes are not published by themselves'}{' '}
          · looked at {checkedAt === null ? 'never' : <RelativeTime at={checkedAt} />}
          {seenSha !== null && (
            <>
              {' '}
              · last commit <code className="font-mono text-xs">{seenSha.slice(0, 7)}</code>
            </>
          )}
          {createdBy && ` · connected by ${actorName(createdBy)}`}
        </p>
        {credentials.publicKey !== null && (
          <div>
            <p className="mb-2 text-s text-muted">
              Add this deploy key to the repository, with access to read:
            </p>
            <CodeBlock label="Copy deploy key" code={credentials.publicKey} />
          </div>
        )}
        {may('admin') && (
          <div>
            <p className="mb-2 text-s text-muted">
              With a webhook of the repository, a push is published at once. Set this address there,
              and the secret.{' '}
              {webhook.receivedAt !== null && (
                <>
                  Last delivery <RelativeTime at={webhook.receivedAt} />.
                </>
              )}
            </p>
            <CodeBlock label="Copy address of the webhook" code={webhook.url} />
            <div className="mt-2">
              <Button size="sm" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
                {webhook.hasSecret ? 'Replace webhook secret' : 'Create webhook secret'}
              </Button>
            </div>
            <Dialog
              title="Copy the secret now"
              isOpen={secret !== undefined}
              onClose={() => setSecret(undefined)}
            >
              <ShownOnce
                about="It is shown only once. Set it as the secret of the webhook, as the token of GitLab, or as the password of Azure Repos."
                label="Secret"
                value={secret ?? ''}
                onClose={() => setSecret(undefined)}
              />
            </Dialog>
          </div>
        )}
        <p className="text-s">
          <Link to="/$org/$domain/deployments" params={{ org, domain }} className="underline">
            Deployments of this site
          </Link>
        </p>
      </div>
    </Card>
  );
}
