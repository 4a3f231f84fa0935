import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { count } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { Card, ErrorState, Skeleton } from '../../ui/page.tsx';
import { RelativeTime, Status, type Tone } from '../../ui/values.tsx';
import { ChangeStreamDialog, NewStreamDialog, SecretDialog } from './stream-dialogs.tsx';

type Stream = Schema<'AnalyticsStream'>;

const POLL_MS = 15_000;

/** The streams that receive a site's analytics events, with their delivery state. */
export function StreamsCard({ site: { projectId } }: { site: Site }) {
  const { slug: org } = useOrganisation();
  const [isAdded, setAdded] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [org, 'streams', projectId],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/projects/{projectId}/analytics-streams', { params: { path: { projectId } } }))).items,
    refetchInterval: ({ state }) => (state.data?.some(({ enabled }) => enabled) ? POLL_MS : false),
  });
  return (
    <Card title="Analytics streams" about="Send every analytics event to your webhook or bucket, without visitor identifiers.">
      {error ? (
        <div className="p-4">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      ) : !data ? (
        <div className="p-4">
          <Skeleton />
        </div>
      ) : (
        data.map((stream) => <StreamRow key={stream.id} stream={stream} projectId={projectId} />)
      )}
      <div className="p-4">
        <Button icon="plus" onClick={() => setAdded(true)}>
          Create stream
        </Button>
      </div>
      <NewStreamDialog projectId={projectId} isOpen={isAdded} onClose={() => setAdded(false)} />
    </Card>
  );
}

function StreamRow({ stream, projectId }: { stream: Stream; projectId: string }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const [isDeleted, setDeleted] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { id: streamId, name, enabled, webhook, s3, backlog, delivered, dropped, failures, lastError, lastDeliveredAt } = stream;
  const params = { path: { projectId, streamId } };
  const refresh = () => queries.invalidateQueries({ queryKey: [org, 'streams', projectId] });
  const test = useMutation({
    mutationFn: () => bodyOf(api.POST('/v1/projects/{projectId}/analytics-streams/{streamId}/test', { params })),
    onSuccess: ({ error }) =>
      error === null
        ? notify('The receiver accepted the test event')
        : notifyFailure('The receiver rejected the test event', new Error(error)),
    onError: (error) => notifyFailure('The test event could not be sent', error),
  });
  const toggle = useMutation({
    mutationFn: () => api.PATCH('/v1/projects/{projectId}/analytics-streams/{streamId}', { params, body: { enabled: !enabled } }),
    onError: (error) => notifyFailure(`${name} could not be changed`, error),
    onSettled: refresh,
  });
  const rotate = useMutation({
    mutationFn: () => bodyOf(api.POST('/v1/projects/{projectId}/analytics-streams/{streamId}/rotate-secret', { params })),
    onSuccess: (rotated) => setSecret(rotated.secret),
    onError: (error) => notifyFailure('The secret could not be rotated', error),
    onSettled: refresh,
  });
  const [word, tone]: [string, Tone] = !enabled ? ['Off', 'neutral'] : failures > 0 ? ['Failing', 'danger'] : ['On', 'success'];
  return (
    <div className="border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{name}</span>
        <span className="text-s">
          <Status tone={tone}>{word}</Status>
        </span>
        <span className="flex flex-1 flex-wrap justify-end gap-1">
          <Button size="sm" isBusy={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
          <Button size="sm" isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? 'Turn off' : 'Turn on'}
          </Button>
          {webhook && (
            <Button size="sm" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate secret
            </Button>
          )}
          <IconButton label={`Change ${name}`} icon="pencil" onClick={() => setChanged(true)} />
          <IconButton label={`Delete ${name}`} icon="trash" onClick={() => setDeleted(true)} />
        </span>
      </div>
      <p className="mt-1 font-mono text-xs break-all text-muted">{webhook?.url ?? `s3://${s3?.bucket}/${s3?.prefix}`}</p>
      <p className="mt-1 text-s text-muted">
        {count(delivered)} delivered, {count(backlog)} waiting, {count(dropped)} expired · last delivery{' '}
        <RelativeTime at={lastDeliveredAt} />
      </p>
      {lastError !== null && failures > 0 && (
        <div className="mt-3">
          <Notice tone="warning">{lastError}</Notice>
        </div>
      )}
      <ChangeStreamDialog projectId={projectId} stream={stream} isOpen={isChanged} onClose={() => setChanged(false)} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      <ConfirmDialog
        title={`Delete ${name}`}
        action="Delete stream"
        isOpen={isDeleted}
        onClose={() => setDeleted(false)}
        run={() => api.DELETE('/v1/projects/{projectId}/analytics-streams/{streamId}', { params })}
        done={`${name} is deleted`}
        failed={`${name} could not be deleted`}
        refresh={refresh}
      >
        Pending events are not delivered.
      </ConfirmDialog>
    </div>
  );
}
