import { type Action, type Actor, actorId } from '@docent/format/access/may.ts';
import type { BucketTarget, StreamTarget } from '@docent/format/analytics/stream-target.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, isUlid } from '../kernel/ids.ts';
import { sealSecret } from '../kernel/sealed-secrets.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { createWebhookSecret, formerOf } from '../outside/signed-webhook.ts';
import type { QueryRunner } from '../ports/database.ts';
import { type DeliverDeps, sendBatch, testBatch } from './deliver-stream.ts';
import {
  type AnalyticsStream,
  deleteStream,
  findStream,
  insertStream,
  listStreams,
  updateStream,
} from './queries.ts';

type StreamDeps = DeliverDeps & Pick<Deps, 'config'>;

/** Maximum streams per site. */
const MAX_STREAMS = 10;
/** Maximum backlog that is shown. */
export const MAX_SHOWN_BACKLOG = 100_000;

/** A stream, and the number of undelivered events. */
export interface ShownStream {
  stream: AnalyticsStream;
  backlog: number;
}

/** A bucket with its secret access key, as set by an owner. */
type BucketInput = Omit<BucketTarget, 'kind'> & { secretAccessKey: string };

interface NewStream {
  name: string;
  enabled: boolean;
  startAt: 'now' | 'oldest';
  webhook?: { url: string } | undefined;
  s3?: BucketInput | undefined;
}

interface StreamChanges {
  name?: string | undefined;
  enabled?: boolean | undefined;
  webhook?: { url: string } | undefined;
  s3?: { [Name in keyof BucketInput]?: BucketInput[Name] | null | undefined } | undefined;
}

/** Returns the streams of a site, oldest first. @throws DocentError `site_not_found` */
export async function listSiteStreams(
  deps: StreamDeps,
  actor: Actor,
  project: string,
): Promise<ShownStream[]> {
  const site = await findPermittedSite(deps, actor, 'streams.read', project);
  const streams = await listStreams(deps.database.queries, site.id);
  return Promise.all(streams.map((stream) => shown(deps, stream)));
}

/** @throws DocentError `site_not_found`, `stream_not_found` */
export async function getStream(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  id: string,
): Promise<ShownStream> {
  return shown(deps, await streamOf(deps, actor, 'streams.read', project, id));
}

/**
 * Creates a stream, whose first delivery is due at once.
 * @returns the stream, with the secret that signs the deliveries of a webhook
 * @throws DocentError `site_not_found`; `invalid_request` if the target is invalid, or the site has
 *   too many
 */
export async function createStream(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  { name, enabled, startAt, webhook, s3 }: NewStream,
): Promise<ShownStream & { secret: string | null }> {
  const site = await findPermittedSite(deps, actor, 'streams.write', project);
  if ((webhook === undefined) === (s3 === undefined))
    throw new DocentError('invalid_request', 'Set either `webhook` or `s3`.');
  const secret = webhook ? createWebhookSecret() : null;
  const now = deps.clock.now();
  const id = createUlid(now);
  const lastEvent = startAt === 'oldest' ? 0 : await deps.analytics.store.settledUpTo();
  await deps.database.queries.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('sites')
      .select('id')
      .where('id', '=', site.id)
      .forUpdate()
      .execute();
    if ((await listStreams(transaction, site.id)).length >= MAX_STREAMS)
      throw new DocentError(
        'invalid_request',
        `A site can have ${MAX_STREAMS} streams; delete one first.`,
      );
    await insertStream(transaction, {
      id,
      siteId: site.id,
      name,
      enabled,
      target: webhook ? { kind: 'webhook', url: webhook.url } : bucketTarget(s3 as BucketInput),
      secret: sealSecret(
        deps.secret,
        'analytics streams',
        secret ?? (s3 as BucketInput).secretAccessKey,
      ),
      lastEvent,
      madeBy: actorId(actor),
      createdAt: now,
    });
  });
  return { ...(await getStream(deps, actor, project, id)), secret };
}

/**
 * Changes the given properties and keeps the others. A stream that waits to retry does so at once.
 * @throws DocentError `site_not_found`, `stream_not_found`; `invalid_request` for a target of the
 *   other kind, and for another store without its secret
 */
export async function changeStream(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  { id, changes }: { id: string; changes: StreamChanges },
): Promise<ShownStream> {
  const stream = await streamOf(deps, actor, 'streams.write', project, id);
  const { name, enabled, webhook, s3 } = changes;
  if (stream.target.kind === 'webhook' ? s3 : webhook)
    throw new DocentError(
      'invalid_request',
      'The kind of a stream cannot be changed; create another stream.',
    );
  const retries = enabled !== undefined || webhook !== undefined || s3 !== undefined;
  const target: StreamTarget | undefined = webhook
    ? { kind: 'webhook', url: webhook.url }
    : s3 && changedBucket(stream.target, s3);
  refuseOldSecretElsewhere(stream.target, s3);
  const secret = s3?.secretAccessKey
    ? sealSecret(deps.secret, 'analytics streams', s3.secretAccessKey)
    : undefined;
  const retry = retries ? { failures: 0, deliverAt: deps.clock.now() } : {};
  await updateStream(deps.database.queries, { id }, { name, enabled, target, secret, ...retry });
  return getStream(deps, actor, project, id);
}

/**
 * Gives a webhook a new secret. The previous one also signs for a day.
 * @throws DocentError `site_not_found`, `stream_not_found`; `invalid_request` for a bucket
 */
export async function rotateStreamSecret(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  id: string,
): Promise<ShownStream & { secret: string }> {
  const stream = await streamOf(deps, actor, 'streams.write', project, id);
  if (stream.target.kind !== 'webhook')
    throw new DocentError(
      'invalid_request',
      'Only webhooks have a secret to rotate; change `s3.secretAccessKey` instead.',
    );
  const secret = createWebhookSecret();
  const former = formerOf(stream, deps.clock.now());
  await updateStream(
    deps.database.queries,
    { id },
    { secret: sealSecret(deps.secret, 'analytics streams', secret), ...former },
  );
  return { ...(await getStream(deps, actor, project, id)), secret };
}

/**
 * Sends a batch with one event of the kind `test`.
 * @returns why it was not accepted; `null` if it was
 * @throws DocentError `site_not_found`, `stream_not_found`
 */
export async function testStream(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  id: string,
): Promise<string | null> {
  const stream = await streamOf(deps, actor, 'streams.write', project, id);
  return (await sendBatch(deps, stream, testBatch(stream, deps.clock.now())))?.reason ?? null;
}

/**
 * Deletes a stream. Undelivered events are dropped. @throws DocentError `site_not_found`,
 * `stream_not_found`
 */
export async function removeStream(
  deps: StreamDeps,
  actor: Actor,
  project: string,
  id: string,
): Promise<void> {
  await streamOf(deps, actor, 'streams.write', project, id);
  await deleteStream(deps.database.queries, id);
}

async function streamOf(
  deps: StreamDeps,
  actor: Actor,
  action: Action,
  project: string,
  id: string,
): Promise<AnalyticsStream> {
  const site = await findPermittedSite(deps, actor, action, project);
  const stream = isUlid(id) ? await findStream(deps.database.queries, id) : undefined;
  if (stream?.siteId !== site.id)
    throw new DocentError('stream_not_found', 'The site has no such stream; list its streams.');
  return stream;
}

async function shown({ analytics }: StreamDeps, stream: AnalyticsStream): Promise<ShownStream> {
  return {
    stream,
    backlog: await analytics.store.countAfter(stream.siteId, stream.lastEvent, MAX_SHOWN_BACKLOG),
  };
}

function bucketTarget({ secretAccessKey: _, ...bucket }: BucketInput): BucketTarget {
  return { kind: 's3', ...bucket };
}

/**
 * The secret was given for one store: who may change a stream, but does not know it, must not use
 * it at another.
 */
function refuseOldSecretElsewhere(target: StreamTarget, s3: StreamChanges['s3']): void {
  if (target.kind !== 's3' || s3?.endpoint === undefined || s3.secretAccessKey) return;
  if ((s3.endpoint ?? undefined) === target.endpoint) return;
  const message = 'Enter the secret access key again: the stream has another store.';
  throw new DocentError('invalid_request', message, {
    errors: [{ path: '/s3/secretAccessKey', message }],
  });
}

/** `null` removes a value. */
function changedBucket(
  target: StreamTarget,
  { secretAccessKey: _, ...changes }: NonNullable<StreamChanges['s3']>,
): StreamTarget {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    ...target,
    ...Object.fromEntries(named.map(([name, value]) => [name, value ?? undefined])),
  } as StreamTarget;
}

/** Returns the streams of an organization that a person created or took over, oldest first. */
export async function listStreamsBy(queries: QueryRunner, organizationId: string, userId: string) {
  return queries
    .selectFrom('analytics_streams')
    .innerJoin('sites', 'sites.id', 'analytics_streams.site_id')
    .select([
      'analytics_streams.id',
      'analytics_streams.name',
      'sites.id as siteId',
      'sites.name as siteName',
    ])
    .where('sites.organization_id', '=', organizationId)
    .where('analytics_streams.made_by', '=', userId)
    .orderBy('analytics_streams.id')
    .execute();
}

/** Makes somebody else responsible for streams. */
export async function takeOverStreams(
  queries: QueryRunner,
  ids: readonly string[],
  heir: string,
): Promise<void> {
  if (ids.length > 0)
    await queries
      .updateTable('analytics_streams')
      .set({ made_by: heir })
      .where('id', 'in', ids)
      .execute();
}
