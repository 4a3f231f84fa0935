import {
  DELIVERY_STATES,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
} from '@docent/format/webhooks/events.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { callAddress, listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { DeliveryRow, WebhookRow } from './emit/webhook-rows.ts';
import {
  changeWebhook,
  createWebhook,
  listOrganizationWebhooks,
  listWebhookDeliveries,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
} from './manage-webhooks.ts';

const ROUTE = '/v1/webhooks';

const fields = {
  name: plainText(1, 100).describe('A name that identifies the webhook.'),
  url: callAddress.describe('URL that receives each event by `POST`.'),
  format: field.choice(
    WEBHOOK_FORMATS,
    '`standard`: the event as JSON. `slack` and `teams`: a message for an incoming webhook of Slack or Microsoft Teams.',
  ),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(WEBHOOK_EVENTS.length)
    .describe('The events that are sent.'),
  enabled: field.flag('Whether events are sent. What happens while it is off is not sent later.'),
  projectId: field.orNull(
    z.string().max(300),
    'The site whose events are sent, by project id, identifier or hostname; `null` for all sites.',
  ),
};

const webhookExample = {
  id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
  name: 'Release channel',
  url: 'https://events.acme.example/docs',
  format: 'standard' as const,
  events: ['deployment.succeeded' as const, 'deployment.failed' as const],
  enabled: true,
  projectId: null,
  createdBy: makerExample,
  createdAt: '2026-11-20T09:00:00.000Z',
};

const webhook = field.resource(
  'Webhook',
  'Where events of an organization are sent.',
  {
    id: field.text('Identifier of the webhook.'),
    ...fields,
    projectId: field.text.orNull(
      'Project id of the site whose events are sent; `null` for all sites.',
    ),
    createdBy: makerSchema,
    createdAt: field.time('When it was created.'),
  },
  webhookExample,
);

const withSecret = webhook
  .extend({
    secret: field.text(
      'Secret that signs deliveries by Standard Webhooks. Only this response contains it.',
    ),
  })
  .meta({
    id: 'WebhookWithSecret',
    description: 'A webhook with its secret.',
    examples: [{ ...webhookExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
  });

const delivery = field.resource(
  'WebhookDelivery',
  'An event that is sent to a webhook.',
  {
    id: field.text('Identifier of the delivery.'),
    messageId: field.text(
      '`webhook-id` of the message: the same in each attempt, and when it is sent again.',
    ),
    event: field.choice([...WEBHOOK_EVENTS, 'test'], 'What it is about.'),
    message: z.unknown().describe('The event, in the form of `standard`.'),
    state: field.choice(
      DELIVERY_STATES,
      '`failed`: it was not accepted within a day. `canceled`: the webhook was turned off before.',
    ),
    attempts: field.int('How often it was sent.'),
    status: field.int.orNull('HTTP status of the last answer; `null` if there was none.'),
    answer: field.text.orNull('Start of the last answer.'),
    error: field.text.orNull('Why it was not accepted; `null` if it was.'),
    createdAt: field.time('When it happened.'),
    endedAt: field.time.orNull('When the delivery ended; `null` while it is pending.'),
  },
  {
    id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CE',
    messageId: 'msg_01KAN3R8Z5W6Q1T2V7X9Y0B4CE',
    event: 'deployment.succeeded',
    message: {
      type: 'deployment.succeeded',
      timestamp: '2026-11-28T09:00:00.000Z',
      data: {
        title: 'Explain the new start page',
        url: null,
        projectId: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
        site: 'acme',
      },
    },
    state: 'delivered',
    attempts: 1,
    status: 204,
    answer: '',
    error: null,
    createdAt: '2026-11-28T09:00:00.000Z',
    endedAt: '2026-11-28T09:00:01.000Z',
  },
);

function viewOf({ siteId, maker, ...row }: WebhookRow): z.infer<typeof webhook> {
  return { ...row, projectId: siteId, createdBy: makerView(maker) };
}

const deliveryView = (row: DeliveryRow): z.infer<typeof delivery> => row;

/** `/v1/webhooks` */
export function webhookRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Webhooks');
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the organization, newest first.',
    permission: 'webhooks.read',
    query: z.object(paging(100, 50)),
    answer: listOf(webhook, 'The webhooks, newest first.'),
    run: async ({ actor, query }) =>
      pageOf(await listOrganizationWebhooks(deps, actor, query), viewOf),
  });
  operation({
    route: `POST ${ROUTE}`,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Sends events of the organization to a URL from now on. Only this response contains the secret.',
    permission: 'webhooks.write',
    body: z
      .strictObject({
        ...fields,
        name: field.optional(
          plainText(1, 100),
          'A name that identifies the webhook; the host of `url` by default.',
        ),
        format: fields.format.default('standard'),
        enabled: fields.enabled.default(true),
        projectId: fields.projectId.default(null),
      })
      .meta({
        examples: [
          { name: 'Release channel', url: webhookExample.url, events: webhookExample.events },
        ],
      }),
    answer: withSecret,
    status: 201,
    refusals: [404],
    run: async ({ actor, body }) => {
      const { webhook: created, secret } = await createWebhook(deps, actor, {
        ...body,
        // The rest of the address lets whoever knows it send to Slack and Teams.
        name: body.name ?? new URL(body.url).host.slice(0, 100),
      });
      return { ...viewOf(created), secret };
    },
  });
  operation({
    route: `PATCH ${ROUTE}/:webhookId`,
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description: 'Changes the given fields and keeps the others.',
    permission: 'webhooks.write',
    body: z
      .strictObject(fields)
      .partial()
      .meta({ examples: [{ enabled: false }] }),
    answer: webhook,
    run: async ({ actor, params, body }) =>
      viewOf(await changeWebhook(deps, actor, params.webhookId, body)),
  });
  operation({
    route: `POST ${ROUTE}/:webhookId/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: 'Creates another secret. The previous one signs too for a day.',
    permission: 'webhooks.write',
    answer: withSecret,
    run: async ({ actor, params }) => {
      const { webhook: changed, secret } = await rotateWebhookSecret(deps, actor, params.webhookId);
      return { ...viewOf(changed), secret };
    },
  });
  operation({
    route: `POST ${ROUTE}/:webhookId/test`,
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description: 'Sends an event of the type `test` now, and returns the answer.',
    permission: 'webhooks.write',
    answer: delivery,
    refusals: [400],
    run: async ({ actor, params }) =>
      deliveryView(await testWebhook(deps, actor, params.webhookId)),
  });
  operation({
    route: `GET ${ROUTE}/:webhookId/deliveries`,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Lists what was sent in the last 30 days, newest first, with the answers.',
    permission: 'webhooks.read',
    query: z.object(paging(100, 50)),
    answer: listOf(delivery, 'The deliveries, newest first.'),
    run: async ({ actor, params, query }) =>
      pageOf(await listWebhookDeliveries(deps, actor, params.webhookId, query), deliveryView),
  });
  operation({
    route: `POST ${ROUTE}/:webhookId/deliveries/:deliveryId/replay`,
    operationId: 'replayWebhookDelivery',
    summary: 'Send an event again',
    description:
      'Sends the event of a delivery again now, under its message id, and returns the answer.',
    permission: 'webhooks.write',
    answer: delivery,
    refusals: [400],
    run: async ({ actor, params }) =>
      deliveryView(await replayDelivery(deps, actor, params.webhookId, params.deliveryId)),
  });
  operation({
    route: `DELETE ${ROUTE}/:webhookId`,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook with its deliveries. Pending ones are not sent.',
    permission: 'webhooks.write',
    answer: z.null().describe('The webhook is deleted.'),
    run: ({ actor, params }) => removeWebhook(deps, actor, params.webhookId),
  });
}
