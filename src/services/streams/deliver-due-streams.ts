import { errorMessage } from '../../core/error-message.ts';
import { takeDueStreams, updateStream } from '../../db/analytics-streams.ts';
import { deliverStreamJob } from '../../jobs/deliver-stream.job.ts';
import type { Deps } from '../deps.ts';
import { EVERY_MS, LEASE_MS } from './deliver-stream.ts';

const LOOK_EVERY_MS = 5_000;
const MAX_AT_A_TIME = 100;

type DueDeps = Pick<Deps, 'database' | 'analytics' | 'jobs' | 'clock' | 'logger'>;

/** Adds the jobs of streams whose next batch is due. Any number of processes may do so at once. */
export function keepDeliveringStreams(deps: DueDeps): { stop(): void } {
  const look = () =>
    addDueDeliveries(deps).catch((error: unknown) => {
      const reason = errorMessage(error);
      deps.logger.warn({ reason }, 'Due deliveries of analytics streams could not be started; the next attempt is in seconds.');
    });
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

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
