import type { AnalyticsStore } from '../../ports/analytics-store.ts';

/** Limits the stored events per site and day, so that nobody can fill the disk. */
export interface DailyQuota {
  allows(siteId: string, day: string): boolean;
}

/** Counts in this process, starting from the stored count when the first event of a day arrives. */
export function createDailyQuota(store: Pick<AnalyticsStore, 'countOf'>, maxPerDay: number): DailyQuota {
  const counts = new Map<string, number>();
  let newest = '';
  return {
    allows(siteId, day) {
      if (day > newest) {
        // Events of the previous day may still arrive; those of older days are in the store.
        for (const key of counts.keys()) if (!key.startsWith(newest)) counts.delete(key);
        newest = day;
      }
      const key = `${day} ${siteId}`;
      const count = counts.get(key);
      if (count === undefined) {
        store.countOf(siteId, day).then(
          (stored) => counts.set(key, (counts.get(key) ?? 0) + stored),
          () => {},
        );
      }
      if ((count ?? 0) >= maxPerDay) return false;
      counts.set(key, (count ?? 0) + 1);
      return true;
    },
  };
}
