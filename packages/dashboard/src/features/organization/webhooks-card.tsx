import { WEBHOOK_EVENTS, type WebhookEvent } from '@docent/format/webhooks/events.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh, sitesKey } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DELIVERIES_POLL_MS, Deliveries } from '../../ui/deliveries.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog, SecretDialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure, useAction } from '../../ui/overlays/notify.ts';
import { Card, Loaded } from '../../ui/page.tsx';
import { type State, Status } from '../../ui/values.tsx';

type Webhook = Schema<'Webhook'>;
type Delivery = Schema<'WebhookDelivery'>;

const WEBHOOK = '/v1/webhooks/{webhookId}';

const FORMATS: Record<Webhook['format'], string> = {
  standard: 'the event as JSON',
  slack: 'a message for Slack',
  teams: 'a message for Microsoft Teams',
};

const EVENTS: Record<WebhookEvent, string> = {
  'deployment.started': 'A build starts',
  'deployment.succeeded': 'A deployment succeeds',
  'deployment.failed': 'A deployment fails',
  'preview.ready': 'A preview is ready',
  'preview.ended': 'A preview ends',
  'export.completed': 'An export is complete',
  'export.failed': 'An export fails',
  'feedback.created': 'A reader leaves a comment',
  'question.unanswered': 'A question is not answered by the documentation',
  'key.expiring': 'A key is about to expire',
  'limit.reached': 'A limit is reached',
};

const STATES: Record<Delivery['state'], State> = {
  pending: ['Pending', 'active'],
  delivered: ['Accepted', 'success'],
  failed: ['Failed', 'danger'],
  canceled: ['Not sent', 'neutral'],
};

/** Where events of the organization are sent. */
export function WebhooksCard() {
  const { org = '' } = useParams({ strict: false });
  const { data: siteNames = {} } = useQuery({
    queryKey: [...sitesKey(org), 'of-webhooks'],
    queryFn: async () => {
      const { projects } = await api.get('/v1/projects', { query: { sort: 'name', limit: 100 } });
      return Object.fromEntries(projects.map(({ projectId, slug }) => [projectId, slug]));
    },
  });
  const query = useQuery({
    queryKey: ['webhooks'],
    queryFn: async () => (await api.get('/v1/webhooks', { query: { limit: 100 } })).items,
  });
  const [edited, setEdited] = useState<Webhook>();
  const [logged, setLogged] = useState<Webhook>();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const open = (webhook?: Webhook) => {
    setEdited(webhook);
    setOpen(true);
  };
  const onDone = (created?: string) => {
    setOpen(false);
    setSecret(created);
  };
  return (
    <Card
      title="Webhooks"
      about="Send deployments, previews, exports and feedback to a URL, Slack or Teams."
    >
      <Loaded query={query} isPadded>
        {(webhooks) =>
          webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              siteNames={siteNames}
              onChange={() => open(webhook)}
              onLog={() => setLogged(webhook)}
              onSecret={setSecret}
            />
          ))
        }
      </Loaded>
      <div className="p-4">
        <Button icon="plus" onClick={() => open()}>
          Create webhook
        </Button>
      </div>
      <Dialog
        title={edited ? `Change ${edited.name}` : 'Create webhook'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <WebhookForm {...(edited && { webhook: edited })} siteNames={siteNames} onDone={onDone} />
      </Dialog>
      <Dialog
        title={`Deliveries of ${logged?.name ?? ''}`}
        isOpen={logged !== undefined}
        onClose={() => setLogged(undefined)}
      >
        {logged && <WebhookDeliveries webhookId={logged.id} />}
      </Dialog>
      <SecretDialog
        title="Copy the secret now"
        about="It is shown only once. The receiver uses it to verify what it gets, according to Standard Webhooks."
        label="Secret"
        value={secret}
        onClose={() => setSecret(undefined)}
      />
    </Card>
  );
}

/** Identifiers of the sites, by project ID. */
type SiteNames = Record<string, string>;

interface RowProps {
  webhook: Webhook;
  siteNames: SiteNames;
  onChange: () => void;
  onLog: () => void;
  onSecret: (secret: string) => void;
}

function WebhookRow({ webhook, siteNames, onChange, onLog, onSecret }: RowProps) {
  const { id: webhookId, name, url, enabled, events, projectId } = webhook;
  const params = { path: { webhookId } };
  const test = useAction({
    run: () => api.post(`${WEBHOOK}/test`, params),
    done: showAnswer,
    failed: 'The test could not be sent',
  });
  const rotate = () =>
    confirmAction({
      title: `Replace the secret of ${name}`,
      text: 'The present secret signs too for a day. One that was replaced before no longer does.',
      action: 'Replace secret',
      run: async () => onSecret((await api.post(`${WEBHOOK}/rotate-secret`, params)).secret),
      failed: 'The secret could not be replaced',
    });
  const remove = () =>
    confirmAction({
      title: `Delete ${name}`,
      text: 'Pending events are not sent.',
      action: 'Delete webhook',
      run: () => api.delete(WEBHOOK, params),
      done: `${name} is deleted`,
      failed: `${name} could not be deleted`,
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b p-4">
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex gap-3">
          {name} <Status state={enabled ? ['On', 'success'] : ['Off', 'neutral']} />
        </span>
        <span className="truncate text-s text-muted">
          {new URL(url).host}
          {projectId !== null && ` · only ${siteNames[projectId] ?? projectId}`} ·{' '}
          {events.map((event) => EVENTS[event].toLowerCase()).join(', ')}
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        {enabled && (
          <Button size="sm" isBusy={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
        )}
        <Button size="sm" onClick={onLog}>
          Deliveries
        </Button>
        <Button size="sm" onClick={rotate}>
          Replace secret
        </Button>
        <IconButton icon="pencil" label={`Change ${name}`} onClick={onChange} />
        <IconButton icon="trash" label={`Delete ${name}`} onClick={remove} />
      </span>
    </div>
  );
}

function showAnswer({ state, error }: Delivery): void {
  if (state === 'delivered') notify('The receiver accepted the event');
  else
    notifyFailure(
      'The receiver did not accept the event',
      new Error(error ?? 'It gave no reason.'),
    );
}

function WebhookForm({
  webhook,
  siteNames,
  onDone,
}: {
  webhook?: Webhook;
  siteNames: SiteNames;
  onDone: (secret?: string) => void;
}) {
  const projectId = webhook?.projectId ?? '';
  const [events, setEvents] = useState<WebhookEvent[]>(webhook?.events ?? [...WEBHOOK_EVENTS]);
  const form = useApiForm({
    values: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      format: webhook?.format ?? ('standard' as const),
      enabled: webhook?.enabled ?? true,
      projectId,
    },
    submit: async (values) => {
      const { name, ...rest } = values;
      const body = { ...rest, ...(name && { name }), events, projectId: values.projectId || null };
      if (!webhook) return (await api.post('/v1/webhooks', { body })).secret;
      await api.patch(WEBHOOK, { path: { webhookId: webhook.id }, body });
      return undefined;
    },
    onDone: async (secret) => {
      await refresh();
      onDone(secret);
      notify(webhook ? 'Webhook saved' : 'Webhook created');
    },
  });
  const toggle = (event: WebhookEvent) =>
    setEvents(
      events.includes(event) ? events.filter((other) => other !== event) : [...events, event],
    );
  return (
    <Form form={form} action={webhook ? 'Save' : 'Create'}>
      <TextField
        label="Name"
        hint={webhook ? undefined : 'Empty: the host of the URL.'}
        required={webhook !== undefined}
        {...form.field('name')}
      />
      <TextField
        label="URL"
        placeholder="https://events.acme.example/docs"
        required
        {...form.field('url')}
      />
      <SelectField
        label="Events of"
        none="All sites"
        options={{ ...(projectId && { [projectId]: projectId }), ...siteNames }}
        {...form.field('projectId')}
      />
      <SelectField label="It receives" options={FORMATS} {...form.field('format')} />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-s text-muted">Events</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <CheckField
            key={event}
            label={EVENTS[event]}
            checked={events.includes(event)}
            onChange={() => toggle(event)}
          />
        ))}
      </fieldset>
      <CheckField label="Send events" {...form.field('enabled')} />
    </Form>
  );
}

function WebhookDeliveries({ webhookId }: { webhookId: string }) {
  const path = { webhookId };
  const query = useQuery({
    queryKey: ['webhook-deliveries', webhookId],
    queryFn: async () =>
      (await api.get(`${WEBHOOK}/deliveries`, { path, query: { limit: 50 } })).items,
    refetchInterval: DELIVERIES_POLL_MS,
  });
  const replay = useAction({
    run: (deliveryId: string) =>
      api.post(`${WEBHOOK}/deliveries/{deliveryId}/replay`, { path: { ...path, deliveryId } }),
    done: showAnswer,
    failed: 'The event could not be sent again',
  });
  return (
    <Deliveries
      query={query}
      eventOf={({ event }) => <code className="font-mono text-xs">{event}</code>}
      detailsOf={({ error, answer }) => error ?? answer}
      stateOf={({ state }) => STATES[state]}
      timeOf={({ createdAt }) => createdAt}
      more={[
        {
          title: '(Actions)',
          cell: ({ id }) => (
            <Button size="sm" onClick={() => replay.mutate(id)}>
              Send again
            </Button>
          ),
        },
      ]}
    />
  );
}
