import { errorMessage } from '../../core/error-message.ts';
import type { Deps } from '../deps.ts';

/** After this many consecutive failures, questions do not wait for the provider for a while. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 10_000;

/** Calls a provider that a question can do without. */
export interface ProviderGuard {
  /** Returns the result of the call; undefined if it fails, takes too long, or the provider is paused. Never throws. */
  attempt<Value>(call: (signal: AbortSignal) => Promise<Value>): Promise<Value | undefined>;
}

export interface ProviderGuardOptions extends Pick<Deps, 'clock' | 'logger'> {
  /** For the log: `embedding model`. */
  what: string;
  timeoutMs: number;
}

/** A provider that is down costs readers a few slow questions and one log line, however long it is down. */
export function createProviderGuard({ what, timeoutMs, clock, logger }: ProviderGuardOptions): ProviderGuard {
  let failures = 0;
  let restsUntil = 0;

  function failed(reason: string): undefined {
    failures++;
    if (failures === 1) logger.warn({ reason }, `the ${what} failed; searching without it`);
    if (failures >= FAILURES_BEFORE_REST) restsUntil = clock.now().getTime() + REST_MS;
  }

  return {
    async attempt(call) {
      if (clock.now().getTime() < restsUntil) return undefined;
      const late = new AbortController();
      const { promise: timeout, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        const error = new Error(`No response within ${timeoutMs} ms.`);
        reject(error);
        late.abort(error);
      }, timeoutMs);
      try {
        const answer = await Promise.race([call(late.signal), timeout]);
        if (failures > 0) logger.info({}, `the ${what} responds again`);
        failures = 0;
        return answer;
      } catch (error) {
        return failed(errorMessage(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
