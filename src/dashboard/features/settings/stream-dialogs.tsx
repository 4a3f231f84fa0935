import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface NewStreamProps {
  projectId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Creates a stream, and shows the secret of a webhook once. */
export function NewStreamDialog({ projectId, isOpen, onClose }: NewStreamProps) {
  const [secret, setSecret] = useState<string>();
  const done = (created: string | null) => {
    onClose();
    setSecret(created ?? undefined);
  };
  return (
    <>
      <Dialog title="Create stream" isOpen={isOpen} onClose={onClose}>
        <StreamForm projectId={projectId} onDone={done} />
      </Dialog>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

/** Shows the secret of a webhook, which is not shown again. */
export function SecretDialog({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  return (
    <Dialog title="Copy the secret now" isOpen={secret !== undefined} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          It is shown only once. The receiver uses it to verify the signatures of deliveries, according to Standard Webhooks.
        </p>
        <CopyField value={secret ?? ''} label="Secret" isSelected />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Changes a stream. What was delivered so far stays as it is. */
export function ChangeStreamDialog({
  projectId,
  stream,
  isOpen,
  onClose,
}: NewStreamProps & { stream: Schema<'AnalyticsStream'> }) {
  return (
    <Dialog title={`Change ${stream.name}`} isOpen={isOpen} onClose={onClose}>
      <StreamForm projectId={projectId} stream={stream} onDone={onClose} />
    </Dialog>
  );
}

interface StreamFormProps {
  projectId: string;
  /** The one that is changed; without it, a new one is created. */
  stream?: Schema<'AnalyticsStream'>;
  onDone: (secret: string | null) => void;
}

function StreamForm({ projectId, stream, onDone }: StreamFormProps) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const { webhook, s3 } = stream ?? {};
  const bucketNow = { bucket: '', prefix: '', region: 'us-east-1', accessKeyId: '', ...s3, endpoint: s3?.endpoint ?? '' };
  const form = useApiForm({
    values: {
      ...{ kind: s3 ? 's3' : 'webhook', name: stream?.name ?? '', startAt: false, url: webhook?.url ?? '' },
      ...{ bucket: bucketNow.bucket, prefix: bucketNow.prefix, endpoint: bucketNow.endpoint, region: bucketNow.region },
      ...{ accessKeyId: bucketNow.accessKeyId, secretAccessKey: '' },
    },
    submit: async ({ kind, name, startAt, url, endpoint, secretAccessKey, ...bucket }) => {
      const path = '/v1/projects/{projectId}/analytics-streams';
      if (!stream) {
        const store = endpoint === '' ? {} : { endpoint, forcePathStyle: true };
        const target = kind === 'webhook' ? { webhook: { url } } : { s3: { ...bucket, ...store, secretAccessKey } };
        const body = { name, startAt: startAt ? ('oldest' as const) : ('now' as const), ...target };
        return bodyOf(api.POST(path, { params: { path: { projectId } }, body }));
      }
      // The secret of a bucket is never shown; an empty field keeps it.
      const changed = { ...bucket, endpoint: endpoint || null, ...(secretAccessKey !== '' && { secretAccessKey }) };
      const body = { name, ...(kind === 'webhook' ? { webhook: { url } } : { s3: changed }) };
      await api.PATCH(`${path}/{streamId}`, { params: { path: { projectId, streamId: stream.id } }, body });
      return { secret: null };
    },
    onDone: ({ secret }) => {
      onDone(secret);
      return queries.invalidateQueries({ queryKey: [org, 'streams', projectId] });
    },
  });
  const isWebhook = form.watch('kind') === 'webhook';
  return (
    <Form form={form} action={stream ? 'Save stream' : 'Create stream'}>
      {!stream && (
        <SelectField label="Send to" {...form.field('kind')}>
          <option value="webhook">a webhook</option>
          <option value="s3">a bucket</option>
        </SelectField>
      )}
      <TextField label="Name" placeholder="Warehouse" required maxLength={100} {...form.field('name')} />
      {isWebhook ? (
        <TextField label="Address" placeholder="https://events.example.com/docs" required {...form.field('url')} />
      ) : (
        <>
          <TextField label="Bucket" required autoComplete="off" {...form.field('bucket')} />
          <TextField label="Prefix" placeholder="docs/" hint="Prefix of every object name." {...form.field('prefix')} />
          <TextField label="Region" required {...form.field('region')} />
          <TextField label="URL of the store" hint="Empty: AWS." {...form.field('endpoint')} />
          <TextField label="Access key" required autoComplete="off" {...form.field('accessKeyId')} />
          <TextField
            label="Secret access key"
            type="password"
            required={!stream}
            hint={stream && 'Empty: keep the stored one.'}
            autoComplete="off"
            {...form.field('secretAccessKey')}
          />
        </>
      )}
      {!stream && <CheckField label="Start with the stored events" {...form.field('startAt')} />}
    </Form>
  );
}
