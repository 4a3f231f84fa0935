import {
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type WebhookEvent,
} from '@docent/format/webhooks/events.ts';
import { Option } from 'commander';
import type { Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands, type ServerCommand, type Texts } from '../kernel/commands.ts';
import { formatTable, type Output } from '../kernel/output.ts';

type WebhookOptions = Texts<'name' | 'to' | 'format' | 'site'> & {
  allSites?: boolean;
  events?: WebhookEvent[];
  enabled?: boolean;
};

/** `docent webhooks …` */
export function addWebhookCommands({ program, add }: Commands): void {
  const webhooks = program
    .command('webhooks')
    .description('Send events of the organization to a URL, Slack or Teams');
  add(webhooks, 'list', 'List the webhooks of the organization').run(async (api, output) => {
    const answer = await api.get<{ items: Schema<'Webhook'>[] }>('/v1/webhooks?limit=100');
    const rows = answer.items.map(({ id, enabled, format, name, events, projectId }) => [
      id,
      enabled ? 'on' : 'off',
      format,
      name,
      projectId === null ? 'all sites' : `only ${projectId}`,
      events.join(', '),
    ]);
    output.result(rows.length === 0 ? 'No webhooks.' : formatTable(rows), answer);
  });
  withOptions(
    add(webhooks, 'create <url>', 'Create a webhook, and print the secret that signs what is sent'),
  ).run(async (api, output, url: string, options: WebhookOptions) => {
    const body = { events: WEBHOOK_EVENTS, ...bodyFrom(options), url };
    const webhook = await api.post<Schema<'WebhookWithSecret'>>('/v1/webhooks', body);
    output.result(
      formatTable([
        ['Webhook', webhook.id],
        ['Secret', webhook.secret],
      ]),
      webhook,
    );
  });
  withOptions(add(webhooks, 'change <id>', 'Change a webhook, or turn it on or off'))
    .option('--all-sites', 'send the events of all sites')
    .option('--to <address>', 'where events are sent')
    .option('--enabled', 'send events')
    .option('--no-enabled', 'send none')
    .run(async (api, output, id: string, options: WebhookOptions) => {
      const webhook = await api.patch<Schema<'Webhook'>>(
        apiPath`/v1/webhooks/${id}`,
        bodyFrom(options),
      );
      output.result(`Changed ${webhook.name}; it is ${webhook.enabled ? 'on' : 'off'}.`, webhook);
    });
  add(webhooks, 'test <id>', 'Send a test event now; exits with 1 if it is not accepted').run(
    async (api, output, id: string) =>
      showDelivery(await api.post(apiPath`/v1/webhooks/${id}/test`), output),
  );
  add(webhooks, 'deliveries <id>', 'List what was sent to a webhook, with the answers').run(
    async (api, output, id: string) => {
      const path = `${apiPath`/v1/webhooks/${id}/deliveries`}?limit=50`;
      const answer = await api.get<{ items: Schema<'WebhookDelivery'>[] }>(path);
      const rows = answer.items.map(
        ({ id: deliveryId, createdAt, event, state, error, status }) => [
          deliveryId,
          createdAt,
          event,
          state,
          error ?? String(status ?? '-'),
        ],
      );
      output.result(rows.length === 0 ? 'Nothing was sent yet.' : formatTable(rows), answer);
    },
  );
  add(
    webhooks,
    'replay <id> <delivery>',
    'Send the event of a delivery again; exits with 1 if it is not accepted',
  ).run(async (api, output, id: string, delivery: string) =>
    showDelivery(await api.post(apiPath`/v1/webhooks/${id}/deliveries/${delivery}/replay`), output),
  );
  add(
    webhooks,
    'rotate <id>',
    'Replace the secret of a webhook; the previous one signs too for a day',
  ).run(async (api, output, id: string) => {
    const webhook = await api.post<Schema<'WebhookWithSecret'>>(
      apiPath`/v1/webhooks/${id}/rotate-secret`,
    );
    output.result(webhook.secret, webhook);
  });
  add(webhooks, 'delete <id>', 'Delete a webhook with its deliveries').run(
    async (api, output, id: string) => {
      await api.delete(apiPath`/v1/webhooks/${id}`);
      output.result('Deleted the webhook.', { id, deleted: true });
    },
  );
}

function withOptions(command: ServerCommand): ServerCommand {
  command
    .option('--name <name>', 'name that identifies the webhook')
    .option('--site <site>', 'send only the events of this site')
    .addOption(
      new Option('--events <events...>', 'what to send; by default everything').choices(
        WEBHOOK_EVENTS,
      ),
    )
    .addOption(
      new Option('--format <format>', 'what the receiver reads; standard by default').choices(
        WEBHOOK_FORMATS,
      ),
    );
  return command;
}

function bodyFrom({
  site,
  allSites,
  name,
  to: url,
  format,
  events,
  enabled,
}: WebhookOptions): object {
  const body = { name, url, format, events, enabled, projectId: allSites ? null : site };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function showDelivery(
  { state, status, error, ...delivery }: Schema<'WebhookDelivery'>,
  output: Output,
): number {
  const text =
    state === 'delivered' ? `Accepted with status ${status}.` : (error ?? 'It was not accepted.');
  output.result(text, { ...delivery, state, status, error });
  return state === 'delivered' ? 0 : 1;
}
