import { isoDayOf } from '@docent/format/analytics/days.ts';
import { retryDelaySeconds } from '@docent/format/analytics/stream-target.ts';
import type { Deps } from '../kernel/deps.ts';
import { openSecret } from '../kernel/sealed-secrets.ts';
import { formerSecretAt, receiverRemedy, signedHeaders } from '../outside/signed-webhook.ts';
import type { StoredEvent } from '../ports/analytics-store.ts';
import { deliverStreamJob } from '../ports/jobs.ts';
import { OutsideFault } from '../ports/outside-files.ts';
import { type AnalyticsStream, findStream, takeDueStreams, updateStream } from './queries.ts';

/** Per batch. */
const MAX_EVENTS = 1000;
const MAX_BYTES = 1_000_000;
/** Maximum delivered by one job, so that other streams get their turn. */
const MAX_BATCHES = 100;
/** How long events are collected. */
const EVERY_MS = 10_000;
/** A delivery whose process disappeared is due again after this time. */
const LEASE_MS = 5 * 60_000;

export type DeliverDeps = Pick<
  Deps,
  'database' | 'analytics' | 'outsideCalls' | 'uploadLinks' | 'secret' | 'clock' | 'logger'
>;

/**
 * Delivers the pending events of a stream, batch after batch, and stores when it is due again. Each
 * batch is recorded before it is sent, so that a retry, even by another process, sends the same
 * events under the same id.
 */
export async function deliverStream(
  deps: DeliverDeps,
  streamId: string,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = deps.database;
  for (let count = 0; count < MAX_BATCHES; count += 1) {
    signal.throwIfAborted();
    const stream = await findStream(queries, streamId);
    if (!stream?.enabled) return;
    const now = deps.clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const settled = stream.batchUntil ?? (await deps.analytics.store.settledUpTo());
    const { count: eventCount, until, ...batch } = await nextBatch(deps, stream, settled);
    if (eventCount === 0) {
      const done = stream.batchUntil === null;
      const lastEvent = Math.max(settled, stream.lastEvent);
      await updateStream(queries, stream, {
        lastEvent,
        batchUntil: null,
        ...(done && { deliverAt: later(EVERY_MS) }),
      });
      if (done) return;
      continue;
    }
    if (!(await updateStream(queries, stream, { batchUntil: until, deliverAt: later(LEASE_MS) })))
      return;
    const fault = await sendBatch(deps, stream, batch, signal);
    if (fault) {
      const failures = stream.failures + 1;
      const delay = retryDelaySeconds(failures, fault.retryAfterSeconds);
      await updateStream(queries, stream, {
        failures,
        lastError: fault.reason,
        lastErrorAt: now,
        deliverAt: later(delay * 1000),
        ...(fault.isGone && { enabled: false }),
      });
      deps.logger.info(
        { streamId, failures, reason: fault.reason },
        'A batch of analytics events was rejected.',
      );
      return;
    }
    await updateStream(queries, stream, {
      lastEvent: until,
      batchUntil: null,
      delivered: stream.delivered + eventCount,
      failures: 0,
      lastDeliveredAt: deps.clock.now(),
    });
  }
  await updateStream(queries, { id: streamId }, { deliverAt: deps.clock.now() });
}

/**
 * Returns the next events, at most 1,000 and 1 MB of them. `until` is the number up to which none
 * is left out; it is padded to the digits of the largest in the key, so that names sort in event
 * order.
 */
async function nextBatch(
  { analytics }: DeliverDeps,
  { id, siteId, lastEvent }: AnalyticsStream,
  upTo: number,
) {
  const events = await analytics.store.eventsAfter(siteId, {
    after: lastEvent,
    upTo,
    limit: MAX_EVENTS,
  });
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    const line = Buffer.from(lineOf(event));
    if (lines.length > 0 && bytes + line.byteLength > MAX_BYTES) break;
    lines.push(line);
    bytes += line.byteLength;
  }
  const count = lines.length;
  const isAll = count === events.length && count < MAX_EVENTS;
  const until = isAll ? upTo : (events[count - 1] as StoredEvent).id;
  const day = events[0] ? isoDayOf(events[0].at) : '';
  const key = `dt=${day}/${id}-${String(until).padStart(16, '0')}.ndjson`;
  return { id: `msg_${id}_${until}`, key, body: Buffer.concat(lines), count, until };
}

/** Returns the stored event without its visitor's hash. */
function lineOf({ siteId, visitor: _, at, id, ...event }: StoredEvent): string {
  return `${JSON.stringify({ id, projectId: siteId, at: at.toISOString(), ...event })}\n`;
}

/** A batch with one event of the kind `test`, which is never stored. */
export function testBatch({ id, siteId }: AnalyticsStream, now: Date): Batch {
  const event = { id: 0, projectId: siteId, at: now.toISOString(), kind: 'test' };
  const name = `test_${id}_${now.getTime()}`;
  return {
    id: `msg_${name}`,
    key: `test/${name}.ndjson`,
    body: Buffer.from(`${JSON.stringify(event)}\n`),
  };
}

const MAX_AT_A_TIME = 100;

type DueDeps = Pick<Deps, 'database' | 'analytics' | 'jobs' | 'clock'>;

/** Adds the job of each stream that is due and has events to deliver. */
export async function addDueDeliveries({
  database,
  analytics,
  jobs,
  clock,
}: DueDeps): Promise<void> {
  const now = clock.now();
  const again = new Date(now.getTime() + LEASE_MS);
  const due = await takeDueStreams(database.queries, { now, again, limit: MAX_AT_A_TIME });
  if (due.length === 0) return;
  const settled = await analytics.store.settledUpTo();
  for (const stream of due) {
    const range = { after: stream.lastEvent, upTo: settled, limit: 1 };
    const hasEvents = (await analytics.store.eventsAfter(stream.siteId, range)).length > 0;
    if (hasEvents) await jobs.enqueue(deliverStreamJob, { streamId: stream.id });
    else {
      const deliverAt = new Date(now.getTime() + EVERY_MS);
      const lastEvent = Math.max(settled, stream.lastEvent);
      await updateStream(database.queries, stream, { lastEvent, batchUntil: null, deliverAt });
    }
  }
}

const TIMEOUT_MS = 20_000;
const NDJSON = 'application/x-ndjson';

/** What is sent at once. */
interface Batch {
  /** The same in each attempt, so that a receiver recognizes duplicates. */
  id: string;
  /** Object key below the prefix of a bucket. */
  key: string;
  body: Uint8Array;
}

/** Why a batch was not accepted, in words for the owner of the stream. */
interface SendFault {
  reason: string;
  /** When the receiver wants the next attempt. */
  retryAfterSeconds?: number | undefined;
  /** The receiver wants no more deliveries. */
  isGone?: boolean;
}

type SendDeps = Pick<Deps, 'outsideCalls' | 'uploadLinks' | 'secret' | 'clock'>;

/**
 * Sends a batch to the target of a stream.
 * @returns `undefined` if it was accepted
 * @throws the signal's reason if it was aborted
 */
export async function sendBatch(
  deps: SendDeps,
  stream: AnalyticsStream,
  batch: Batch,
  signal?: AbortSignal,
): Promise<SendFault | undefined> {
  const secret = openSecret(deps.secret, 'analytics streams', stream.secret);
  if (secret === undefined)
    return {
      reason:
        'The secret was stored with another DOCENT_SECRET; rotate the secret, or set the bucket’s keys again.',
    };
  const { target } = stream;
  try {
    const request =
      target.kind === 'webhook'
        ? webhookRequest(deps, stream, target.url, secret, batch)
        : {
            method: 'PUT',
            headers: [],
            url: await deps.uploadLinks({
              bucket: target,
              secretAccessKey: secret,
              key: target.prefix + batch.key,
            }),
          };
    const answer = await deps.outsideCalls.call({
      ...request,
      headers: [['content-type', NDJSON], ...request.headers],
      body: batch.body,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    // The response body is ignored: only the status counts.
    await answer.body[Symbol.asyncIterator]().return?.();
    if (answer.status >= 200 && answer.status < 300) return undefined;
    return faultOf(answer.status, stream, retryAfter(answer.headers, deps.clock.now()));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutsideFault) return { reason: error.message };
    throw error;
  }
}

/** For a day after a rotation, both secrets sign. */
function webhookRequest(
  deps: SendDeps,
  stream: AnalyticsStream,
  url: string,
  secret: string,
  { id, body }: Batch,
) {
  const now = deps.clock.now();
  const sealedFormer = formerSecretAt(stream, now);
  const former =
    sealedFormer === undefined
      ? undefined
      : openSecret(deps.secret, 'analytics streams', sealedFormer);
  const headers = signedHeaders(
    { id, body, now },
    former === undefined ? [secret] : [secret, former],
  );
  return { method: 'POST', url, headers };
}

function faultOf(
  status: number,
  { target }: AnalyticsStream,
  retryAfterSeconds: number | undefined,
): SendFault {
  if (target.kind === 's3')
    return {
      reason: `The storage returned status ${status}${s3Remedies[status] ?? '.'}`,
      retryAfterSeconds,
    };
  if (status === 410)
    return {
      reason: 'The receiver returned status 410 (Gone), so the stream was turned off.',
      isGone: true,
    };
  return {
    reason: `The receiver returned status ${status}${receiverRemedy(status)}`,
    retryAfterSeconds,
  };
}

const s3Remedies: Readonly<Record<number, string>> = {
  301: ': the bucket is in another region; set that region.',
  307: ': the bucket is in another region; set that region.',
  400: ': check the region and the access key.',
  403: ': check the access key and its secret, and allow it to put objects.',
  404: ': there is no such bucket; create it, or correct the name.',
};

function retryAfter(headers: readonly [string, string][], now: Date): number | undefined {
  const text = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}
