import type { AnalyticsEvent } from '../../core/analytics/analytics-event.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { AnalyticsStore } from '../../ports/analytics-store.ts';
import type { Logger } from '../../ports/logger.ts';

/** A killed process loses at most this much. */
const MAX_WAIT_MS = 1000;
const BATCH = 500;
/** Limit while the store is unavailable; further events are dropped. */
const MAX_HELD = 20_000;

/** Buffers events briefly and stores them together, so that no request waits for the store. */
export function createEventBuffer({ store, logger }: { store: Pick<AnalyticsStore, 'append'>; logger: Logger }) {
  let held: AnalyticsEvent[] = [];
  let dropped = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    while (held.length > 0) {
      const batch = held.slice(0, BATCH);
      await store.append(batch);
      held = held.slice(batch.length);
    }
    if (dropped > 0)
      logger.warn({ count: dropped }, 'Analytics events were dropped because the database is too slow or unavailable.');
    dropped = 0;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  function flushSoon(): void {
    flush().catch((error: unknown) => {
      logger.warn({ reason: errorMessage(error) }, 'Analytics events are waiting for the database.');
      schedule();
    });
  }

  function schedule(): void {
    timer ??= setTimeout(flushSoon, MAX_WAIT_MS).unref();
  }

  return {
    /** Never waits and never fails. */
    add(event: AnalyticsEvent): void {
      if (held.length >= MAX_HELD) {
        dropped += 1;
        return;
      }
      held.push(event);
      if (held.length === BATCH && running === undefined) flushSoon();
      else if (running === undefined || held.length > BATCH) schedule();
    },
    /** Stores the buffered events. @throws any error of the store; the events are kept then */
    async flush(): Promise<void> {
      await running?.catch(() => {});
      await flush();
    },
    /** Stores as many buffered events as the store accepts, and ends. */
    async close(): Promise<void> {
      await running?.catch(() => {});
      await flush().catch((error: unknown) => {
        logger.warn({ count: held.length, reason: String(error) }, 'Analytics events could not be stored.');
      });
      clearTimeout(timer);
    },
  };
}
