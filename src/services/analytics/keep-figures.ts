import { defaultAnalyticsSettings } from '../../core/analytics/analytics-settings.ts';
import type { Deps } from '../deps.ts';

const EVERY_MS = 10 * 60 * 1000;

/**
 * Makes the figures of days that have ended, and deletes what is too old: events, figures and salts. Any number of processes may
 * do it at once, and again.
 */
export function keepFigures({ analytics, clock, logger }: Pick<Deps, 'analytics' | 'clock' | 'logger'>): { stop(): void } {
  const keep = async () => {
    try {
      const days = await analytics.store.rollUp(clock.now());
      if (days.length > 0) logger.info({ days }, 'Analytics: figures of days were made.');
      await analytics.store.expire(clock.now(), defaultAnalyticsSettings);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'Analytics: figures were not made; the next try is in ten minutes.');
    }
  };
  // Not with the start itself, which has enough to do.
  const first = setTimeout(keep, 45_000);
  const timer = setInterval(keep, EVERY_MS);
  first.unref();
  timer.unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
