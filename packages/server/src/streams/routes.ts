import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { callAddress, listOf, pageOf, plainText } from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import {
  changeStream,
  createStream,
  getStream,
  listSiteStreams,
  MAX_SHOWN_BACKLOG,
  removeStream,
  rotateStreamSecret,
  type ShownStream,
  testStream,
} from './manage-streams.ts';

const name = plainText(1, 100).describe('A name that identifies the stream.');
const enabled = field.flag(
  'Whether events are delivered. When it is turned on again, a stream continues where it stopped.',
);

const webhook = z
  .strictObject({ url: callAddress.describe('URL that receives each batch by `POST`.') })
  .describe('Destination of a webhook.');

const bucketFields = {
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .describe('Name of the bucket.'),
  prefix: z
    .string()
    .max(500)
    .regex(
      /^(?:[\w.=-]+\/)*$/,
      'must be words of letters, digits, and . _ = -, with a slash after each',
    )
    .describe('Prefix of every object name, with a trailing slash.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region')
    .describe('Region of the bucket.'),
  forcePathStyle: field.flag(
    'Whether the bucket is in the path of an address rather than in its host.',
  ),
  accessKeyId: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the ID of an access key')
    .describe('ID of the access key, which must be allowed to put objects.'),
};
const storeAddress = callAddress.describe('URL of a store other than AWS.');
const secretAccessKey = plainText(1, 200).describe('Secret access key. It is never returned.');

const newStream = z
  .strictObject({
    name,
    enabled: enabled.default(true),
    startAt: z
      .enum(['now', 'oldest'])
      .default('now')
      .describe('First events to deliver: from now on, or including the stored events.'),
    webhook: webhook.optional(),
    s3: field.optional(
      z.strictObject({
        ...bucketFields,
        prefix: bucketFields.prefix.default(''),
        endpoint: storeAddress.optional(),
        region: bucketFields.region.default('us-east-1'),
        forcePathStyle: bucketFields.forcePathStyle.default(false),
        secretAccessKey,
      }),
      'The bucket that stores each batch.',
    ),
  })
  .meta({
    examples: [{ name: 'Warehouse', webhook: { url: 'https://events.acme.example/docs' } }],
  });

const streamChanges = z
  .strictObject({
    name: name.optional(),
    enabled: enabled.optional(),
    webhook: webhook.optional(),
    s3: field.optional(
      z
        .strictObject({
          ...bucketFields,
          endpoint: storeAddress.nullable().describe('`null` for AWS.'),
          secretAccessKey,
        })
        .partial(),
      'Changes of the bucket.',
    ),
  })
  .meta({ examples: [{ enabled: false }] });

const count = z.int().min(0);
const streamExample = {
  id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
  name: 'Warehouse',
  kind: 'webhook',
  enabled: true,
  webhook: { url: 'https://events.acme.example/docs' },
  s3: null,
  backlog: 12,
  delivered: 48210,
  dropped: 0,
  failures: 0,
  lastDeliveredAt: '2026-11-22T10:41:30.000Z',
  lastError: null,
  lastErrorAt: null,
  nextDeliveryAt: '2026-11-22T10:42:00.000Z',
  formerSecretUntil: null,
  createdBy: makerExample,
  createdAt: '2026-11-20T09:00:00.000Z',
} as const;

export const streamSchema = field.resource(
  'AnalyticsStream',
  'A stream of analytics events.',
  {
    id: field.text('Id of the stream.'),
    name: field.text('Name of the stream.'),
    kind: field.choice(['webhook', 's3'], 'Kind of destination.'),
    enabled: field.flag('Whether events are delivered.'),
    webhook: field.partOrNull('Of a webhook.', {
      url: field.text('URL that receives each batch.'),
    }),
    s3: field.orNull(
      field.resource('AnalyticsBucket', 'A bucket that receives batches of events.', {
        bucket: field.text('Name of the bucket.'),
        prefix: field.text('Prefix of every object name.'),
        endpoint: field.text.orNull('URL of the store; `null` for AWS.'),
        region: field.text('Region of the bucket.'),
        forcePathStyle: field.flag('Whether the bucket is in the path of an address.'),
        accessKeyId: field.text('Id of the access key.'),
      }),
      'Of a bucket.',
    ),
    backlog: count.describe(
      `Number of pending events; ${MAX_SHOWN_BACKLOG} means as many or more.`,
    ),
    delivered: count.describe('Number of delivered events.'),
    dropped: count.describe('Number of events that expired before delivery.'),
    failures: count.describe('Number of failed deliveries since the last success.'),
    lastDeliveredAt: field.time.orNull('When a batch was last accepted.'),
    lastError: field.text.orNull('Error of the last failed delivery.'),
    lastErrorAt: field.time.orNull('When the last failure was.'),
    nextDeliveryAt: field.time.orNull(
      'When the next delivery is due; `null` for a stream that is off.',
    ),
    formerSecretUntil: field.time.orNull(
      'Until when deliveries are also signed with the previous secret; `null` if they are not.',
    ),
    createdBy: makerSchema,
    createdAt: field.time('When the stream was created.'),
  },
  streamExample,
);

function streamView({ stream, backlog }: ShownStream, now: Date): z.infer<typeof streamSchema> {
  const { secret: _, formerSecret: __, target, formerUntil, deliverAt, maker, ...shown } = stream;
  return {
    ...shown,
    kind: target.kind,
    webhook: target.kind === 'webhook' ? target : null,
    s3: target.kind === 's3' ? { ...target, endpoint: target.endpoint ?? null } : null,
    backlog,
    createdBy: makerView(maker),
    nextDeliveryAt: stream.enabled ? deliverAt : null,
    formerSecretUntil: formerUntil && formerUntil > now ? formerUntil : null,
  };
}

const BASE = '/v1/projects/:projectId/analytics-streams';
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const secretOf = field.text('Secret that signs deliveries. It is shown only in this response.');
const created = streamSchema
  .extend({
    secret: field.orNull(
      secretOf,
      'Secret that signs the deliveries of a webhook, shown only in this response; `null` for a bucket.',
    ),
  })
  .meta({
    id: 'NewAnalyticsStream',
    description: 'A stream with its secret.',
    examples: [{ ...streamExample, secret: exampleSecret }],
  });
const rotated = streamSchema.extend({ secret: secretOf }).meta({
  id: 'RotatedAnalyticsStream',
  description: 'A stream with its new secret.',
  examples: [{ ...streamExample, secret: exampleSecret }],
});

/** Registers the routes of `/v1/projects/{projectId}/analytics-streams`. */
export function streamRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  const view = (stream: Parameters<typeof streamView>[0]) => streamView(stream, deps.clock.now());
  operation({
    route: `GET ${BASE}`,
    operationId: 'listAnalyticsStreams',
    summary: 'List streams of analytics',
    description: 'Lists the analytics streams of a site, with their deliveries and failures.',
    permission: 'streams.read',
    answer: listOf(streamSchema, 'The streams, oldest first, all on one page.'),
    run: async ({ actor, params }) => {
      const rows = await listSiteStreams(deps, actor, params.projectId);
      return pageOf({ rows, nextCursor: null }, view);
    },
  });
  operation({
    route: `POST ${BASE}`,
    operationId: 'createAnalyticsStream',
    summary: 'Create a stream of analytics',
    description:
      'Streams the analytics events of a site in batches of NDJSON: to a webhook, signed according to Standard Webhooks, or into a bucket of S3-compatible storage. Set either `webhook` or `s3`. Only this response contains the secret of a webhook; store it.',
    permission: 'streams.write',
    body: newStream,
    answer: created,
    status: 201,
    run: async ({ actor, params, body }) => {
      const { secret, ...shown } = await createStream(deps, actor, params.projectId, body);
      return { ...view(shown), secret };
    },
  });
  operation({
    route: `GET ${BASE}/:streamId`,
    operationId: 'getAnalyticsStream',
    summary: 'Get a stream of analytics',
    description: 'Returns a stream, with its deliveries and failures.',
    permission: 'streams.read',
    answer: streamSchema,
    run: async ({ actor, params }) =>
      view(await getStream(deps, actor, params.projectId, params.streamId)),
  });
  operation({
    route: `PATCH ${BASE}/:streamId`,
    operationId: 'changeAnalyticsStream',
    summary: 'Change a stream of analytics',
    description:
      'Changes the given fields and keeps the others. A failed delivery is retried immediately.',
    permission: 'streams.write',
    body: streamChanges,
    answer: streamSchema,
    run: async ({ actor, params, body }) => {
      const { projectId, streamId } = params;
      return view(await changeStream(deps, actor, projectId, { id: streamId, changes: body }));
    },
  });
  operation({
    route: `POST ${BASE}/:streamId/rotate-secret`,
    operationId: 'rotateAnalyticsStreamSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a new secret for a webhook. For one day, deliveries are also signed with the previous secret.',
    permission: 'streams.write',
    answer: rotated,
    refusals: [400],
    run: async ({ actor, params }) => {
      const { projectId, streamId } = params;
      const { secret, ...shown } = await rotateStreamSecret(deps, actor, projectId, streamId);
      return { ...view(shown), secret };
    },
  });
  operation({
    route: `POST ${BASE}/:streamId/test`,
    operationId: 'testAnalyticsStream',
    summary: 'Test a stream of analytics',
    description:
      'Sends a batch with one event of the kind `test` now, even if the stream is off, and returns the result.',
    permission: 'streams.write',
    answer: z
      .object({
        delivered: field.flag('Whether the receiver accepted the batch.'),
        error: field.text.orNull('Why the receiver did not accept it.'),
      })
      .meta({ examples: [{ delivered: false, error: 'The receiver returned status 500.' }] }),
    run: async ({ actor, params }) => {
      const { projectId, streamId } = params;
      const error = await testStream(deps, actor, projectId, streamId);
      return { delivered: error === null, error };
    },
  });
  operation({
    route: `DELETE ${BASE}/:streamId`,
    operationId: 'deleteAnalyticsStream',
    summary: 'Delete a stream of analytics',
    description: 'Deletes a stream. Pending events are not delivered.',
    permission: 'streams.write',
    answer: z.null().describe('The stream is deleted.'),
    run: ({ actor, params }) => removeStream(deps, actor, params.projectId, params.streamId),
  });
}
