import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '../core/errors.ts';
import type { BundleKeeper } from './bundle-keeper.ts';

const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

export interface FollowOptions {
  /** 0: only on request. */
  pollSeconds: number;
  signal: AbortSignal;
}

/** Checks for another bundle: now, at every poll, on request, and again after a temporary error. */
export interface Follower {
  /** Checks now; the settings may have changed. */
  checkNow(): void;
  /** Resolves when it has ended, after its signal. */
  ended: Promise<void>;
}

/** Starts to follow the wanted bundle. The keeper reports errors. */
export function followBundle(keeper: BundleKeeper, { pollSeconds, signal }: FollowOptions): Follower {
  let recheck = Promise.withResolvers<void>();
  let failures = 0;

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const requested = recheck.promise;
      const fault = await keeper.check().then(
        () => undefined,
        (error: unknown) => error,
      );
      failures = fault === undefined ? 0 : failures + 1;
      const seconds = secondsUntilNext(fault);
      const stop = new AbortController();
      const timers = AbortSignal.any([signal, stop.signal]);
      const pause =
        seconds === undefined ? untilAborted(timers) : wait(seconds * 1000, undefined, { signal: timers }).catch(() => {});
      await Promise.race([pause, requested]);
      stop.abort();
    }
  }

  /** If the wanted bundle was never available, every error is retried: the content of the link may be corrected. */
  function secondsUntilNext(fault: unknown): number | undefined {
    const poll = pollSeconds > 0 ? pollSeconds : undefined;
    if (fault === undefined) return poll;
    const mayPass =
      !(fault instanceof DocentError) || fault.code === 'dependency_unavailable' || !keeper.current || keeper.isAwaiting;
    if (!mayPass) return poll;
    const retry = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 10));
    return Math.min(retry, poll ?? retry);
  }

  return {
    checkNow() {
      recheck.resolve();
      recheck = Promise.withResolvers();
    },
    ended: follow(),
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
