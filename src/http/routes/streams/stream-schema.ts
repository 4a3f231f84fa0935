import { z } from 'zod';
import type { BucketTarget } from '../../../core/analytics/stream-target.ts';
import { MAX_SHOWN_BACKLOG, type ShownStream } from '../../../services/streams/manage-streams.ts';
import { isoTime, plainText } from '../fields.ts';

const address = z
  .string()
  .max(2000)
  .refine(isAddress, 'must be an http or https address without a user name, password or fragment');

/** Of a URL in a request. The guard of outside calls checks its target on each delivery. */
function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash;
}

const name = plainText(1, 100).describe('A name that identifies the stream.');
const enabled = z
  .boolean()
  .describe('Whether events are delivered. When it is turned on again, a stream continues where it stopped.');

const webhook = z
  .strictObject({ url: address.describe('URL that receives each batch by `POST`.') })
  .describe('Destination of a webhook.');

const bucketFields = {
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .describe('Name of the bucket.'),
  prefix: z
    .string()
    .max(500)
    .regex(/^(?:[\w.=-]+\/)*$/, 'must be words of letters, digits, and . _ = -, with a slash after each')
    .describe('Prefix of every object name, with a trailing slash.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region')
    .describe('Region of the bucket.'),
  forcePathStyle: z.boolean().describe('Whether the bucket is in the path of an address rather than in its host.'),
  accessKeyId: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the ID of an access key')
    .describe('ID of the access key, which must be allowed to put objects.'),
};
const storeAddress = address.describe('URL of a store other than AWS.');
const secretAccessKey = plainText(1, 200).describe('Secret access key. It is never returned.');

export const newStream = z
  .strictObject({
    name,
    enabled: enabled.default(true),
    startAt: z
      .enum(['now', 'oldest'])
      .default('now')
      .describe('First events to deliver: from now on, or including the stored events.'),
    webhook: webhook.optional(),
    s3: z
      .strictObject({
        ...bucketFields,
        prefix: bucketFields.prefix.default(''),
        endpoint: storeAddress.optional(),
        region: bucketFields.region.default('us-east-1'),
        forcePathStyle: bucketFields.forcePathStyle.default(false),
        secretAccessKey,
      })
      .optional()
      .describe('The bucket that stores each batch.'),
  })
  .meta({ examples: [{ name: 'Warehouse', webhook: { url: 'https://events.acme.example/docs' } }] });

export const streamChanges = z
  .strictObject({
    name: name.optional(),
    enabled: enabled.optional(),
    webhook: webhook.optional(),
    s3: z
      .strictObject({ ...bucketFields, endpoint: storeAddress.nullable().describe('`null` for AWS.'), secretAccessKey })
      .partial()
      .optional()
      .describe('Changes of the bucket.'),
  })
  .meta({ examples: [{ enabled: false }] });

const time = isoTime.nullable();
const count = z.int().min(0);
export const streamExample = {
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
  createdAt: '2026-11-20T09:00:00.000Z',
} as const;

export const streamSchema = z
  .object({
    id: z.string().describe('Id of the stream.'),
    name: z.string().describe('Name of the stream.'),
    kind: z.enum(['webhook', 's3']).describe('Kind of destination.'),
    enabled: z.boolean().describe('Whether events are delivered.'),
    webhook: z
      .object({ url: z.string().describe('URL that receives each batch.') })
      .nullable()
      .describe('Of a webhook.'),
    s3: z
      .object({
        bucket: z.string().describe('Name of the bucket.'),
        prefix: z.string().describe('Prefix of every object name.'),
        endpoint: z.string().nullable().describe('URL of the store; `null` for AWS.'),
        region: z.string().describe('Region of the bucket.'),
        forcePathStyle: z.boolean().describe('Whether the bucket is in the path of an address.'),
        accessKeyId: z.string().describe('Id of the access key.'),
      })
      .meta({ id: 'AnalyticsBucket', description: 'A bucket that receives batches of events.' })
      .nullable()
      .describe('Of a bucket.'),
    backlog: count.describe(`Number of pending events; ${MAX_SHOWN_BACKLOG} means as many or more.`),
    delivered: count.describe('Number of delivered events.'),
    dropped: count.describe('Number of events that expired before delivery.'),
    failures: count.describe('Number of failed deliveries since the last success.'),
    lastDeliveredAt: time.describe('When a batch was last accepted.'),
    lastError: z.string().nullable().describe('Error of the last failed delivery.'),
    lastErrorAt: time.describe('When the last failure was.'),
    nextDeliveryAt: time.describe('When the next delivery is due; `null` for a stream that is off.'),
    formerSecretUntil: time.describe('Until when deliveries are also signed with the previous secret; `null` if they are not.'),
    createdAt: isoTime.describe('When the stream was created.'),
  })
  .meta({ id: 'AnalyticsStream', description: 'A stream of analytics events.', examples: [streamExample] });

export function streamView({ stream, backlog }: ShownStream, now: Date): z.infer<typeof streamSchema> {
  const { id, name: title, enabled: isOn, target, delivered, dropped, failures, lastError } = stream;
  const formerUntil = stream.formerUntil && stream.formerUntil > now ? stream.formerUntil : null;
  return {
    id,
    name: title,
    kind: target.kind,
    enabled: isOn,
    webhook: target.kind === 'webhook' ? { url: target.url } : null,
    s3: target.kind === 's3' ? bucketView(target) : null,
    backlog,
    delivered,
    dropped,
    failures,
    lastDeliveredAt: stream.lastDeliveredAt,
    lastError,
    lastErrorAt: stream.lastErrorAt,
    nextDeliveryAt: isOn ? stream.deliverAt : null,
    formerSecretUntil: formerUntil,
    createdAt: stream.createdAt,
  };
}

function bucketView({ bucket, prefix, endpoint, region, forcePathStyle, accessKeyId }: BucketTarget) {
  return { bucket, prefix, endpoint: endpoint ?? null, region, forcePathStyle, accessKeyId };
}
