import { defaultAnalyticsSettings } from '../../core/analytics/analytics-settings.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { Deps } from '../deps.ts';

const COUNT_EVERY_MS = 60_000;
const EXPIRE_EVERY = 60;

/**
 * Adds events to figures every minute, and every hour deletes events, figures and salts past their retention. Any number of
 * processes may do so at once, and repeatedly.
 */
export function keepFigures({ analytics, clock, logger }: Pick<Deps, 'analytics' | 'clock' | 'logger'>): { stop(): void } {
  let runs = 0;
  const keep = async () => {
    try {
      const count = await analytics.store.rollUp();
      if (count > 0) logger.debug({ count }, 'Analytics: events were aggregated.');
      if (runs % EXPIRE_EVERY === 0) await analytics.store.expire(clock.now(), defaultAnalyticsSettings);
      runs += 1;
    } catch (error) {
      const reason = errorMessage(error);
      logger.warn({ reason }, 'Analytics: events could not be aggregated; the next attempt is in a minute.');
    }
  };
  // Delayed, because the startup itself is busy.
  const first = setTimeout(keep, 45_000);
  const timer = setInterval(keep, COUNT_EVERY_MS);
  first.unref();
  timer.unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
