import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '../core/errors.ts';
import type { BundleKeeper } from './bundle-keeper.ts';

const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

export interface FollowOptions {
  /** 0: only when told. */
  pollSeconds: number;
  signal: AbortSignal;
}

/** Looks for another bundle: now, at every poll, when told, and again after a fault that may pass. */
export interface Follower {
  /** Look now; the settings may have changed. */
  look(): void;
  /** Resolves when it has ended, after its signal. */
  ended: Promise<void>;
}

/** Begins to follow the bundle that is wanted. Faults are the keeper's to tell. */
export function followBundle(keeper: BundleKeeper, { pollSeconds, signal }: FollowOptions): Follower {
  let told = Promise.withResolvers<void>();
  let failures = 0;

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const hearing = told.promise;
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
      await Promise.race([pause, hearing]);
      stop.abort();
    }
  }

  /** Where the bundle that is asked for was never there every fault is tried again: what is at the link may be mended. */
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
    look() {
      told.resolve();
      told = Promise.withResolvers();
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
