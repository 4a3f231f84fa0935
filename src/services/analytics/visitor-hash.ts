import { createHmac } from 'node:crypto';
import { DAY_MS, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { AnalyticsStore } from '../../ports/analytics-store.ts';

/**
 * Identifies a reader for one day: once the day's salt is deleted, the number cannot be traced back to address and user agent.
 */
export type VisitorHash = (siteId: string, client: { address: string; userAgent: string }, at: Date) => Promise<string>;

const SALT_MS = 2 * DAY_MS;

/** Caches the salts of today and yesterday, each until 48 hours after its day began, whether or not requests arrive. */
export function createVisitorHash(store: Pick<AnalyticsStore, 'saltOf'>): VisitorHash {
  const salts = new Map<string, Promise<string>>();
  return async (siteId, { address, userAgent }, at) => {
    const day = isoDayOf(at);
    let salt = salts.get(day);
    if (!salt) {
      salt = store.saltOf(day);
      salts.set(day, salt);
      salt.catch(() => salts.delete(day));
      setTimeout(() => salts.delete(day), startOfDay(day).getTime() + SALT_MS - at.getTime()).unref();
    }
    const hash = createHmac('sha256', await salt)
      .update(JSON.stringify([siteId, address, userAgent]))
      .digest();
    return hash.readBigInt64BE(0).toString();
  };
}
