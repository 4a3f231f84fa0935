import { z } from 'zod';
import type { BucketTarget } from '../../../core/analytics/stream-target.ts';
import { MAX_SHOWN_BACKLOG, type ShownStream } from '../../../services/streams/manage-streams.ts';
import { plainText } from '../plain-text.ts';

const address = z
  .string()
  .max(2000)
  .refine(isAddress, 'must be an http or https address without a user name, password or fragment');

/** Of a URL in a request. The guard of outside calls checks at each delivery where it leads. */
function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash;
}

const name = plainText(1, 100).describe('A name to recognise the stream by.');
const enabled = z.boolean().describe('Whether events are delivered. A stream that is off goes on where it stopped.');

const webhook = z
  .strictObject({ url: address.describe('Address that gets each batch by `POST`.') })
  .describe('Where a webhook sends batches.');

const bucketFields = {
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .describe('Name of the bucket.'),
  prefix: z
    .string()
    .max(500)
    .regex(/^(?:[\w.=-]+\/)*$/, 'must be words of letters, digits, and . _ = -, with a slash after each')
    .describe('Stands before the name of every object, with a slash at its end.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region')
    .describe('Region of the bucket.'),
  forcePathStyle: z.boolean().describe('Whether the bucket stands in the path of an address rather than in its host.'),
  accessKeyId: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the id of an access key')
    .describe('Id of the access key, which must be allowed to put objects.'),
};
const storeAddress = address.describe('Address of a store that is not AWS.');
const secretAccessKey = plainText(1, 200).describe('Secret of the access key. No response holds it.');

export const newStream = z
  .strictObject({
    name,
    enabled: enabled.default(true),
    startAt: z
      .enum(['now', 'oldest'])
      .default('now')
      .describe('What is delivered: events from now on, or the events that are still kept too.'),
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
      .describe('The bucket that each batch is put in.'),
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
      .describe('What changes of the bucket.'),
  })
  .meta({ examples: [{ enabled: false }] });

const time = z.iso.datetime().nullable();
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
    kind: z.enum(['webhook', 's3']).describe('What the stream sends to.'),
    enabled: z.boolean().describe('Whether events are delivered.'),
    webhook: z
      .object({ url: z.string().describe('Address that gets each batch.') })
      .nullable()
      .describe('Of a webhook.'),
    s3: z
      .object({
        bucket: z.string().describe('Name of the bucket.'),
        prefix: z.string().describe('Stands before the name of every object.'),
        endpoint: z.string().nullable().describe('Address of the store; `null` for AWS.'),
        region: z.string().describe('Region of the bucket.'),
        forcePathStyle: z.boolean().describe('Whether the bucket stands in the path of an address.'),
        accessKeyId: z.string().describe('Id of the access key.'),
      })
      .meta({ id: 'AnalyticsBucket', description: 'A bucket that gets batches of events.' })
      .nullable()
      .describe('Of a bucket.'),
    backlog: count.describe(`Events that wait to be delivered; ${MAX_SHOWN_BACKLOG} stands for as many or more.`),
    delivered: count.describe('Events that were delivered.'),
    dropped: count.describe('Events that were deleted with their age before they were delivered.'),
    failures: count.describe('Deliveries that failed since the last one that did not.'),
    lastDeliveredAt: time.describe('When a batch was taken last.'),
    lastError: z.string().nullable().describe('Why a batch was not taken last.'),
    lastErrorAt: time.describe('When that was.'),
    nextDeliveryAt: time.describe('When the next delivery is due; `null` for a stream that is off.'),
    formerSecretUntil: time.describe('Until when the former secret signs too; `null` where it does not.'),
    createdAt: z.iso.datetime().describe('When the stream was created.'),
  })
  .meta({ id: 'AnalyticsStream', description: 'Where the analytics events of a site are sent.', examples: [streamExample] });

export function streamView({ stream, backlog }: ShownStream, now: Date): z.infer<typeof streamSchema> {
  const { id, name: title, enabled: isOn, target, delivered, dropped, failures, lastError } = stream;
  const formerUntil = stream.formerUntil && stream.formerUntil > now ? stream.formerUntil : null;
  const iso = (date: Date | null) => date?.toISOString() ?? null;
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
    lastDeliveredAt: iso(stream.lastDeliveredAt),
    lastError,
    lastErrorAt: iso(stream.lastErrorAt),
    nextDeliveryAt: isOn ? iso(stream.deliverAt) : null,
    formerSecretUntil: iso(formerUntil),
    createdAt: stream.createdAt.toISOString(),
  };
}

function bucketView({ bucket, prefix, endpoint, region, forcePathStyle, accessKeyId }: BucketTarget) {
  return { bucket, prefix, endpoint: endpoint ?? null, region, forcePathStyle, accessKeyId };
}
