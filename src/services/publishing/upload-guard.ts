import { DocentError } from '../../core/errors.ts';
import { inTime } from '../../in-time.ts';

/** Maximum concurrent uploads of an organization to this process. */
export interface UploadSlots {
  /**
   * Runs `work` while it counts as an open upload.
   * @throws DocentError `rate_limited` if the organization has too many; any error of `work`
   */
  hold<Result>(organisationId: string, work: () => Promise<Result>): Promise<Result>;
}

const RETRY_SECONDS = 5;

export function createUploadSlots(perOrganisation: number): UploadSlots {
  const open = new Map<string, number>();
  return {
    async hold(organisationId, work) {
      const count = open.get(organisationId) ?? 0;
      if (count >= perOrganisation) {
        throw new DocentError(
          'rate_limited',
          `An organization may have ${perOrganisation} uploads open at a time; wait until one of them has ended.`,
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      open.set(organisationId, count + 1);
      try {
        return await work();
      } finally {
        const left = (open.get(organisationId) ?? 1) - 1;
        if (left === 0) open.delete(organisationId);
        else open.set(organisationId, left);
      }
    },
  };
}

/** Minimum speed of an upload in bytes per second; it may fall behind by the grace period. */
export interface UploadPace {
  minBytesPerSecond: number;
  graceSeconds: number;
}

/**
 * Passes an upload through as it arrives. Only the time spent waiting for the client counts.
 * @throws DocentError `upload_too_slow`; any error of `source`
 */
export async function* atPace(source: AsyncIterable<Uint8Array>, pace: UploadPace): AsyncIterable<Uint8Array> {
  const graceMs = pace.graceSeconds * 1000;
  const iterator = source[Symbol.asyncIterator]();
  let patienceMs = graceMs;
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const begun = performance.now();
      const { done, value } = await inTime(iterator.next(), patienceMs, () => {
        throw tooSlow(pace);
      });
      isWaiting = false;
      if (done) return;
      const earnedMs = (value.byteLength / pace.minBytesPerSecond) * 1000;
      patienceMs = Math.min(graceMs, patienceMs - (performance.now() - begun) + earnedMs);
      yield value;
    }
  } finally {
    // A pending read would return only once the client sends something.
    if (!isWaiting) await iterator.return?.();
  }
}

function tooSlow({ minBytesPerSecond, graceSeconds }: UploadPace): DocentError {
  return new DocentError(
    'upload_too_slow',
    `The upload stalled: it must send at least ${minBytesPerSecond} bytes per second, and fell behind by more than ${graceSeconds} seconds. Send it again over a faster connection.`,
  );
}
