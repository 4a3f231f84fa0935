import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh, type Site } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { count } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog, SecretDialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure, useAction } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice } from '../../ui/page.tsx';
import { RelativeTime, type State, Status } from '../../ui/values.tsx';

type Stream = Schema<'AnalyticsStream'>;

const POLL_MS = 15_000;
const STREAM = '/v1/projects/{projectId}/analytics-streams/{streamId}';

/** The streams that receive a site's analytics events, with their delivery state. */
export function StreamsCard({ site: { projectId } }: { site: Site }) {
  const query = useQuery({
    queryKey: ['streams', projectId],
    queryFn: async () =>
      (await api.get('/v1/projects/{projectId}/analytics-streams', { path: { projectId } })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ enabled }) => enabled) ? POLL_MS : false),
  });
  const [changed, setChanged] = useState<Stream>();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const open = (stream?: Stream) => {
    setChanged(stream);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const onDone = (created: string | null) => {
    close();
    setSecret(created);
  };
  return (
    <Card
      title="Analytics streams"
      about="Send every analytics event to your webhook or bucket, without visitor identifiers."
    >
      <Loaded query={query} isPadded>
        {(streams) =>
          streams.map((stream) => (
            <StreamRow
              key={stream.id}
              stream={stream}
              projectId={projectId}
              onChange={() => open(stream)}
              onSecret={setSecret}
            />
          ))
        }
      </Loaded>
      <div className="p-4">
        <Button icon="plus" onClick={() => open()}>
          Create stream
        </Button>
      </div>
      <Dialog
        title={changed ? `Change ${changed.name}` : 'Create stream'}
        isOpen={isOpen}
        onClose={close}
      >
        <StreamForm projectId={projectId} {...(changed && { stream: changed })} onDone={onDone} />
      </Dialog>
      <SecretDialog
        title="Copy the secret now"
        about="It is shown only once. The receiver uses it to verify the signatures of deliveries, according to Standard Webhooks."
        label="Secret"
        value={secret}
        onClose={() => setSecret(null)}
      />
    </Card>
  );
}

interface RowProps {
  stream: Stream;
  projectId: string;
  onChange: () => void;
  onSecret: (secret: string) => void;
}

function StreamRow({ stream, projectId, onChange, onSecret }: RowProps) {
  const {
    id: streamId,
    name,
    enabled,
    webhook,
    s3,
    backlog,
    delivered,
    dropped,
    failures,
    lastError,
    lastDeliveredAt,
    createdBy,
  } = stream;
  const params = { path: { projectId, streamId } };
  const test = useAction({
    run: () => api.post(`${STREAM}/test`, params),
    done: ({ error }) =>
      error === null
        ? notify('The receiver accepted the test event')
        : notifyFailure('The receiver rejected the test event', new Error(error)),
    failed: 'The test event could not be sent',
  });
  const toggle = useAction({
    run: () => api.patch(STREAM, { ...params, body: { enabled: !enabled } }),
    failed: `${name} could not be changed`,
  });
  const rotate = useAction({
    run: () => api.post(`${STREAM}/rotate-secret`, params),
    done: (rotated) => onSecret(rotated.secret),
    failed: 'The secret could not be rotated',
  });
  const remove = () =>
    confirmAction({
      title: `Delete ${name}`,
      text: 'Pending events are not delivered.',
      action: 'Delete stream',
      run: () => api.delete(STREAM, params),
      done: `${name} is deleted`,
      failed: `${name} could not be deleted`,
    });
  const state: State = !enabled
    ? ['Off', 'neutral']
    : failures > 0
      ? ['Failing', 'danger']
      : ['On', 'success'];
  return (
    <div className="border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{name}</span>
        <span className="text-s">
          <Status state={state} />
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
          <IconButton label={`Change ${name}`} icon="pencil" onClick={onChange} />
          <IconButton label={`Delete ${name}`} icon="trash" onClick={remove} />
        </span>
      </div>
      <p className="mt-1 font-mono text-xs break-all text-muted">
        {webhook?.url ?? `s3://${s3?.bucket}/${s3?.prefix}`}
      </p>
      <p className="mt-1 text-s text-muted">
        {count(delivered)} delivered, {count(backlog)} waiting, {count(dropped)} expired · last
        delivery <RelativeTime at={lastDeliveredAt} />
        {createdBy && ` · by ${actorName(createdBy)}`}
      </p>
      {lastError !== null && failures > 0 && (
        <div className="mt-3">
          <Notice tone="warning">{lastError}</Notice>
        </div>
      )}
    </div>
  );
}

interface StreamFormProps {
  projectId: string;
  /** The one that is changed; without it, a new one is created. */
  stream?: Stream;
  onDone: (secret: string | null) => void;
}

function StreamForm({ projectId, stream, onDone }: StreamFormProps) {
  const { webhook, s3 } = stream ?? {};
  const bucketNow = {
    bucket: '',
    prefix: '',
    region: 'us-east-1',
    accessKeyId: '',
    ...s3,
    endpoint: s3?.endpoint ?? '',
  };
  const form = useApiForm({
    values: {
      ...{
        kind: s3 ? 's3' : 'webhook',
        name: stream?.name ?? '',
        startAt: false,
        url: webhook?.url ?? '',
      },
      ...{
        bucket: bucketNow.bucket,
        prefix: bucketNow.prefix,
        endpoint: bucketNow.endpoint,
        region: bucketNow.region,
      },
      ...{ accessKeyId: bucketNow.accessKeyId, secretAccessKey: '' },
    },
    submit: async ({ kind, name, startAt, url, endpoint, secretAccessKey, ...bucket }) => {
      const path = '/v1/projects/{projectId}/analytics-streams';
      if (!stream) {
        const store = endpoint === '' ? {} : { endpoint, forcePathStyle: true };
        const target =
          kind === 'webhook'
            ? { webhook: { url } }
            : { s3: { ...bucket, ...store, secretAccessKey } };
        const body = { name, startAt: startAt ? ('oldest' as const) : ('now' as const), ...target };
        return api.post(path, { path: { projectId }, body });
      }
      // The secret of a bucket is never shown; an empty field keeps it.
      const changed = {
        ...bucket,
        endpoint: endpoint || null,
        ...(secretAccessKey !== '' && { secretAccessKey }),
      };
      const body = { name, ...(kind === 'webhook' ? { webhook: { url } } : { s3: changed }) };
      await api.patch(`${path}/{streamId}`, { path: { projectId, streamId: stream.id }, body });
      return { secret: null };
    },
    onDone: ({ secret }) => {
      onDone(secret);
      return refresh();
    },
  });
  const isWebhook = form.watch('kind') === 'webhook';
  return (
    <Form form={form} action={stream ? 'Save stream' : 'Create stream'}>
      {!stream && (
        <SelectField
          label="Send to"
          options={{ webhook: 'a webhook', s3: 'a bucket' }}
          {...form.field('kind')}
        />
      )}
      <TextField
        label="Name"
        placeholder="Warehouse"
        required
        maxLength={100}
        {...form.field('name')}
      />
      {isWebhook ? (
        <TextField
          label="Address"
          placeholder="https://events.example.com/docs"
          required
          {...form.field('url')}
        />
      ) : (
        <>
          <TextField label="Bucket" required {...form.field('bucket')} />
          <TextField
            label="Prefix"
            placeholder="docs/"
            hint="Prefix of every object name."
            {...form.field('prefix')}
          />
          <TextField label="Region" required {...form.field('region')} />
          <TextField label="URL of the store" hint="Empty: AWS." {...form.field('endpoint')} />
          <TextField label="Access key" required {...form.field('accessKeyId')} />
          <TextField
            label="Secret access key"
            type="password"
            required={!stream}
            hint={stream && 'Empty: keep the stored one.'}
            {...form.field('secretAccessKey')}
          />
        </>
      )}
      {!stream && <CheckField label="Start with the stored events" {...form.field('startAt')} />}
    </Form>
  );
}
