import type { ThreadTurns } from '../kernel/process-state.ts';

/** An answer that takes longer no longer blocks its thread. */
const MAX_TURN_MS = 120_000;

/**
 * Turns are inside this process: answers of two processes are in the order in which the database
 * stored their questions.
 */
export function createThreadTurns(): ThreadTurns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(threadId, signal) {
      const before = last.get(threadId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const mine = before ? before.then(() => promise) : promise;
      last.set(threadId, mine);
      const timer = setTimeout(resolve, MAX_TURN_MS);
      timer.unref();
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      mine.then(() => {
        if (last.get(threadId) === mine) last.delete(threadId);
      });
      signal.addEventListener('abort', end, { once: true });
      if (before) await before;
      return end;
    },
  };
}
