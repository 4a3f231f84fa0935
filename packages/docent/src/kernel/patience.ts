import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '@docent/format/errors.ts';
import type { Output } from './output.ts';

/** A restart, a failover and a rolling upgrade take less. */
const MAX_WAIT_MS = 15 * 60_000;
const FIRST_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 15;

/**
 * Repeats a request while the server is away, or asks to wait: work that it has accepted goes on,
 * so a command that follows it must not give up. Says what it waits for, once for each reason.
 * @param isKnown whether the server has answered before; if not, a refused connection is an error
 *   at once: the address may be wrong
 */
export async function patiently<Answer>(
  output: Output,
  request: () => Promise<Answer>,
  { isKnown = true }: { isKnown?: boolean } = {},
): Promise<Answer> {
  const end = performance.now() + MAX_WAIT_MS;
  let said = '';
  for (let pause = FIRST_PAUSE_SECONDS; ; pause = Math.min(MAX_PAUSE_SECONDS, pause * 2)) {
    try {
      return await request();
    } catch (error) {
      if (!isWorthWaiting(error, isKnown)) throw error;
      const seconds = error.retryAfterSeconds ?? pause;
      if (performance.now() + seconds * 1000 > end) throw error;
      if (said !== error.message) output.note(`${error.message} Waiting …`);
      said = error.message;
      await wait(seconds * 1000);
    }
  }
}

function isWorthWaiting(error: unknown, isKnown: boolean): error is DocentError {
  if (!(error instanceof DocentError)) return false;
  if (error.code === 'rate_limited') return true;
  return (
    error.code === 'dependency_unavailable' && (isKnown || error.retryAfterSeconds !== undefined)
  );
}
