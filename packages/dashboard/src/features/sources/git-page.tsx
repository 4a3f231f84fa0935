import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { Button, useMainAction } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { useSetSearch } from '../../ui/filters.tsx';
import { confirmAction, Dialog, SecretDialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure, useAction } from '../../ui/overlays/notify.ts';
import { Card, EmptyState, Loaded, Notice, Page } from '../../ui/page.tsx';
import { RelativeTime, type State, Status } from '../../ui/values.tsx';
import { PausedNotice } from '../deployments/paused-notice.tsx';
import { GitSourceForm } from './git-source-form.tsx';
import { PullRequests } from './pull-requests-card.tsx';
import { SourceDeliveries } from './source-deliveries.tsx';

type Source = Schema<'GitSource'>;

const SOURCES = '/v1/projects/{projectId}/sources';
const SOURCE = `${SOURCES}/{sourceId}` as const;
const POLL_MS = 5000;

/** The repositories that a site is published from. */
export function GitPage() {
  const { projectId } = useSite();
  const { may } = useOrganization();
  // Present while a repository is being connected; the page of a new site passes its address.
  const { connect: url } = useSearch({ strict: false });
  const setSearch = useSetSearch();
  const [source, setSource] = useState<Source>();
  const query = useQuery({
    queryKey: ['git-sources', projectId],
    queryFn: () => api.get(SOURCES, { path: { projectId } }),
    refetchInterval: POLL_MS,
  });
  const close = () => {
    setSource(undefined);
    setSearch({ connect: undefined });
  };
  const sources = query.data?.items ?? [];
  const isConnected = sources.length > 0;
  const connect = useMainAction(
    may('admin') && query.data
      ? {
          title: isConnected ? 'Add repository' : 'Connect repository',
          icon: 'git-branch',
          run: () => setSearch({ connect: '' }),
        }
      : undefined,
  );
  return (
    <Page
      title="Git"
      about="Publish what is pushed to a repository"
      action={isConnected && connect}
    >
      <Loaded query={query}>
        {() =>
          isConnected ? (
            <>
              {sources.map((source) => (
                <SourceCard
                  key={source.id}
                  source={source}
                  isOnly={sources.length === 1}
                  onChange={() => setSource(source)}
                />
              ))}
              {sources.some(({ previews }) => previews !== 'none') && <PullRequests />}
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
      <Dialog title="Change repository" isOpen={source !== undefined} onClose={close}>
        <GitSourceForm
          key={source?.id}
          projectId={projectId}
          source={source}
          isFurther={source?.isBase === false}
          onDone={close}
        />
      </Dialog>
      <Dialog
        title={isConnected ? 'Add repository' : 'Connect repository'}
        isOpen={url !== undefined && may('admin') && query.isSuccess}
        onClose={close}
      >
        <GitSourceForm projectId={projectId} url={url} isFurther={isConnected} onDone={close} />
      </Dialog>
    </Page>
  );
}

function SourceCard({
  source,
  isOnly,
  onChange,
}: {
  source: Source;
  isOnly: boolean;
  onChange: () => void;
}) {
  const { slug: org, may } = useOrganization();
  const { slug: domain, name, projectId } = useSite();
  const {
    url,
    path,
    isBase,
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
  const params = { path: { projectId, sourceId: source.id } };
  const place = [
    ...(isBase && !isOnly ? ['Base of the site'] : []),
    ...(path === '' ? [] : [`At /${path}`]),
  ];
  const [secret, setSecret] = useState<string>();
  const [isLogOpen, setLogOpen] = useState(false);
  const deploy = useAction({
    run: () => api.post('/v1/project/update/{projectId}', params),
    done: () => notify('The branch is being deployed'),
    failed: 'The branch could not be deployed',
  });
  const check = useAction({
    run: () => api.post(`${SOURCE}/fetch`, params),
    done: (checked) =>
      checked.lastError === null
        ? notify('The repository can be read')
        : notifyFailure('The repository cannot be read', new Error(checked.lastError)),
    failed: 'The repository could not be checked',
  });
  const trust = useAction({
    run: () => api.patch(SOURCE, { ...params, body: { trustHostKey: true } }),
    failed: 'The key of the host could not be accepted',
  });
  const makeBase = useAction({
    run: () => api.patch(SOURCE, { ...params, body: { base: true } }),
    done: () => notify('It is the base of the site now'),
    failed: 'It could not become the base',
  });
  const disconnect = () =>
    confirmAction({
      title: isBase ? 'Disconnect the repository' : 'Remove the repository',
      text: isBase
        ? `The live version of ${name} stays. The credentials are deleted.`
        : `${name} is deployed again without the pages at /${path}. The credentials are deleted.`,
      action: isBase ? 'Disconnect' : 'Remove',
      run: () => api.delete(SOURCE, params),
      done: isBase ? 'The repository is disconnected' : 'The repository is removed',
      failed: 'The repository could not be removed',
    });
  const rotate = {
    run: async () => setSecret((await api.post(`${SOURCE}/webhook-secret`, params)).secret),
    failed: 'The secret could not be created',
  };
  const create = useAction(rotate);
  const replace = () =>
    confirmAction({
      ...rotate,
      title: 'Replace the secret of the webhook',
      text: 'Pushes are refused from then on, until the webhook of the repository has the new secret.',
      action: 'Replace secret',
    });
  const state: State =
    lastError !== null
      ? ['Cannot be read', 'danger']
      : checkedAt === null
        ? ['Being read for the first time', 'active']
        : ['Connected', 'success'];
  const isNewKey = lastError?.includes('another key') === true;
  return (
    <Card
      title={url}
      about={[...place, `Branch ${branch}`, ...(folder ? [`folder ${folder}`] : [])].join(', ')}
      isPadded
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-s">
            <Status state={state} />
          </span>
          <span className="flex flex-1 flex-wrap justify-end gap-1">
            {may('editor') && paused === null && isBase && (
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
                {!isBase && (
                  <Button size="sm" isBusy={makeBase.isPending} onClick={() => makeBase.mutate()}>
                    Make it the base
                  </Button>
                )}
                {(!isBase || isOnly) && (
                  <Button size="sm" onClick={disconnect}>
                    {isBase ? 'Disconnect' : 'Remove'}
                  </Button>
                )}
              </>
            )}
          </span>
        </div>
        {paused !== null && (
          <PausedNotice>
            {paused.by && `Rolled back by ${actorName(paused.by)} `}
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
            : 'Pushes are not published automatically'}
          {checkedAt !== null && (
            <>
              {' '}
              · last checked <RelativeTime at={checkedAt} />
            </>
          )}
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
              {webhook.hasSecret &&
                webhook.receivedAt === null &&
                'No delivery was accepted yet; until one is, pushes are published when the branch is checked from time to time.'}
            </p>
            <CodeBlock label="Copy address of the webhook" code={webhook.url} />
            <div className="mt-2">
              <Button
                size="sm"
                isBusy={create.isPending}
                onClick={() => (webhook.hasSecret ? replace() : create.mutate())}
              >
                {webhook.hasSecret ? 'Replace webhook secret' : 'Create webhook secret'}
              </Button>{' '}
              <Button size="sm" onClick={() => setLogOpen(true)}>
                Deliveries
              </Button>
            </div>
            <Dialog
              title={`Deliveries of ${url}`}
              isOpen={isLogOpen}
              onClose={() => setLogOpen(false)}
            >
              <SourceDeliveries path={params.path} />
            </Dialog>
            <SecretDialog
              title="Copy the secret now"
              about="It is shown only once. Set it as the secret of the webhook, as the token of GitLab, or as the password of Azure Repos."
              label="Secret"
              value={secret}
              onClose={() => setSecret(undefined)}
            />
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
