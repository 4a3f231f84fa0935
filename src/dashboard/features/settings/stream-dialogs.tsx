import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';

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
        <NewStreamForm projectId={projectId} onDone={done} />
      </Dialog>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

/** Shows the secret of a webhook, which nothing shows again. */
export function SecretDialog({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  return (
    <Dialog title="Copy the secret now" isOpen={secret !== undefined} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          It is shown only once. The receiver checks the signatures of deliveries with it, as Standard Webhooks says.
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

function NewStreamForm({ projectId, onDone }: { projectId: string; onDone: (secret: string | null) => void }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const form = useApiForm({
    values: {
      ...{ kind: 'webhook', name: '', startAt: false, url: '' },
      ...{ bucket: '', prefix: '', endpoint: '', region: 'us-east-1', accessKeyId: '', secretAccessKey: '' },
    },
    submit: ({ kind, name, startAt, url, endpoint, ...bucket }) =>
      bodyOf(
        api.POST('/v1/projects/{projectId}/analytics-streams', {
          params: { path: { projectId } },
          body: {
            name,
            startAt: startAt ? 'oldest' : 'now',
            ...(kind === 'webhook'
              ? { webhook: { url } }
              : { s3: { ...bucket, ...(endpoint !== '' && { endpoint, forcePathStyle: true }) } }),
          },
        }),
      ),
    onDone: ({ secret }) => {
      onDone(secret);
      return queries.invalidateQueries({ queryKey: [org, 'streams', projectId] });
    },
  });
  const isWebhook = form.watch('kind') === 'webhook';
  return (
    <Form form={form} action="Create stream">
      <SelectField label="Send to" {...form.field('kind')}>
        <option value="webhook">a webhook</option>
        <option value="s3">a bucket</option>
      </SelectField>
      <TextField label="Name" placeholder="Warehouse" required maxLength={100} {...form.field('name')} />
      {isWebhook ? (
        <TextField label="Address" placeholder="https://events.example.com/docs" required {...form.field('url')} />
      ) : (
        <>
          <TextField label="Bucket" required autoComplete="off" {...form.field('bucket')} />
          <TextField
            label="Prefix"
            placeholder="docs/"
            hint="Stands before the name of every object."
            {...form.field('prefix')}
          />
          <TextField label="Region" required {...form.field('region')} />
          <TextField label="Address of the store" hint="Empty: AWS." {...form.field('endpoint')} />
          <TextField label="Access key" required autoComplete="off" {...form.field('accessKeyId')} />
          <TextField
            label="Secret of the access key"
            type="password"
            required
            autoComplete="off"
            {...form.field('secretAccessKey')}
          />
        </>
      )}
      <CheckField label="Begin with the events that are still kept" {...form.field('startAt')} />
    </Form>
  );
}
