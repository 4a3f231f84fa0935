import { DocentError } from '@docent/format/errors.ts';
import { inTime } from './in-time.ts';

/** Minimum speed of an upload in bytes per second; it may fall behind by the grace period. */
export interface UploadPace {
  minBytesPerSecond: number;
  graceSeconds: number;
}

/**
 * Passes an upload through as it arrives. Only the time spent waiting for the client counts.
 * @throws DocentError `upload_too_slow`; any error of `source`
 */
export async function* atPace(
  source: AsyncIterable<Uint8Array>,
  pace: UploadPace,
): AsyncIterable<Uint8Array> {
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
