export type ThreadTurns = ReturnType<typeof createThreadTurns>;

/** An answer that takes longer no longer blocks its thread. */
const MAX_TURN_MS = 120_000;

/**
 * Orders the answers of one conversation: the next one starts when the previous one has ended. Turns are inside this process:
 * answers of two processes are in the order in which the database stored their questions.
 */
export function createThreadTurns() {
  const last = new Map<string, Promise<void>>();
  return {
    /**
     * Waits for the earlier answers of the thread, then holds the turn.
     * @param signal cancels the wait and the turn: its reader has disconnected
     * @returns a function that ends the turn; may be called more than once
     */
    async take(threadId: string, signal: AbortSignal): Promise<() => void> {
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
