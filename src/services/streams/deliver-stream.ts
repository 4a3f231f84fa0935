import { isoDayOf } from '../../core/analytics/days.ts';
import { retryDelaySeconds } from '../../core/analytics/stream-target.ts';
import { type AnalyticsStream, findStream, takeDueStreams, updateStream } from '../../db/analytics-streams.ts';
import { deliverStreamJob } from '../../jobs.ts';
import type { StoredEvent } from '../../ports/analytics-store.ts';
import type { Deps } from '../deps.ts';
import { type Batch, sendBatch } from './send-batch.ts';

/** Per batch. */
const MAX_EVENTS = 1000;
const MAX_BYTES = 1_000_000;
/** Maximum delivered by one job, so that other streams get their turn. */
const MAX_BATCHES = 100;
/** How long events are collected. */
export const EVERY_MS = 10_000;
/** A delivery whose process disappeared is due again after this time. */
export const LEASE_MS = 5 * 60_000;

export type DeliverDeps = Pick<Deps, 'database' | 'analytics' | 'outsideCalls' | 'uploadLinks' | 'secret' | 'clock' | 'logger'>;

/**
 * Delivers the pending events of a stream, batch after batch, and stores when it is due again. Each batch is recorded before it
 * is sent, so that a retry, even by another process, sends the same events under the same id.
 */
export async function deliverStream(deps: DeliverDeps, streamId: string, signal: AbortSignal): Promise<void> {
  const { queries } = deps.database;
  for (let count = 0; count < MAX_BATCHES; count += 1) {
    signal.throwIfAborted();
    const stream = await findStream(queries, streamId);
    if (!stream?.enabled) return;
    const now = deps.clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const settled = stream.batchUntil ?? (await deps.analytics.store.settledUpTo());
    const { events, body, until } = await readBatch(deps, stream, settled);
    if (events.length === 0) {
      const done = stream.batchUntil === null;
      const changes = {
        lastEvent: Math.max(settled, stream.lastEvent),
        batchUntil: null,
        ...(done && { deliverAt: later(EVERY_MS) }),
      };
      await updateStream(queries, stream, changes);
      if (done) return;
      continue;
    }
    if (!(await updateStream(queries, stream, { batchUntil: until, deliverAt: later(LEASE_MS) }))) return;
    const fault = await sendBatch(deps, stream, batchOf(stream, events, until, body), signal);
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
      deps.logger.info({ streamId, failures, reason: fault.reason }, 'A batch of analytics events was rejected.');
      return;
    }
    await updateStream(queries, stream, {
      lastEvent: until,
      batchUntil: null,
      delivered: stream.delivered + events.length,
      failures: 0,
      lastDeliveredAt: deps.clock.now(),
    });
  }
  await updateStream(queries, { id: streamId }, { deliverAt: deps.clock.now() });
}

/** Returns the next events, at most 1,000 and 1 MB of them. `until` is the number up to which none is left out. */
async function readBatch({ analytics }: DeliverDeps, { siteId, lastEvent }: AnalyticsStream, upTo: number) {
  const found = await analytics.store.eventsAfter(siteId, { after: lastEvent, upTo, limit: MAX_EVENTS });
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const event of found) {
    const line = Buffer.from(lineOf(event));
    if (lines.length > 0 && bytes + line.byteLength > MAX_BYTES) break;
    lines.push(line);
    bytes += line.byteLength;
  }
  const events = found.slice(0, lines.length);
  const isAll = events.length === found.length && found.length < MAX_EVENTS;
  return { events, body: Buffer.concat(lines), until: isAll ? upTo : (events.at(-1) as StoredEvent).id };
}

/** Returns the stored event without its visitor's hash. */
function lineOf({ siteId, visitor: _, at, id, ...event }: StoredEvent): string {
  return `${JSON.stringify({ id, projectId: siteId, at: at.toISOString(), ...event })}\n`;
}

/** Pads numbers to the digits of the largest, so that names sort in event order. */
function batchOf({ id }: AnalyticsStream, events: readonly StoredEvent[], until: number, body: Uint8Array): Batch {
  const number = String(until).padStart(16, '0');
  return { id: `msg_${id}_${until}`, key: `dt=${isoDayOf((events[0] as StoredEvent).at)}/${id}-${number}.ndjson`, body };
}

/** A batch with one event of the kind `test`, which is never stored. */
export function testBatch({ id, siteId }: AnalyticsStream, now: Date): Batch {
  const event = { id: 0, projectId: siteId, at: now.toISOString(), kind: 'test' };
  const name = `test_${id}_${now.getTime()}`;
  return { id: `msg_${name}`, key: `test/${name}.ndjson`, body: Buffer.from(`${JSON.stringify(event)}\n`) };
}

const MAX_AT_A_TIME = 100;

type DueDeps = Pick<Deps, 'database' | 'analytics' | 'jobs' | 'clock'>;

/** Adds the job of each stream that is due and has events to deliver. */
export async function addDueDeliveries({ database, analytics, jobs, clock }: DueDeps): Promise<void> {
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
      await updateStream(database.queries, stream, {
        lastEvent: Math.max(settled, stream.lastEvent),
        batchUntil: null,
        deliverAt,
      });
    }
  }
}
