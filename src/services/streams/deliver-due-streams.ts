import { takeDueStreams, updateStream } from '../../db/analytics-streams.ts';
import { deliverStreamJob } from '../../jobs/deliver-stream.job.ts';
import type { Deps } from '../deps.ts';
import { EVERY_MS, LEASE_MS } from './deliver-stream.ts';

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
