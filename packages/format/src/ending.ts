/** Waits that an end interrupts. */
export interface Ending {
  /** Rejects the wait that is under way, and all later ones. Only the first reason counts. */
  end(reason: unknown): void;
  /** Waits for a promise, one at a time. @throws its error, or the reason of the end */
  wait<Result>(promise: Result | Promise<Result>): Promise<Result>;
}

/**
 * Creates an end for a long sequence of waits. `Promise.race` with a promise that stays pending
 * keeps every result until then: a file that is passed on in chunks would be in memory as a whole.
 */
export function createEnding(): Ending {
  let ended: { reason: unknown } | undefined;
  let interrupt: (reason: unknown) => void = () => {};
  return {
    end(reason) {
      ended ??= { reason };
      interrupt(ended.reason);
    },
    wait<Result>(promise: Result | Promise<Result>) {
      const { promise: result, resolve, reject } = Promise.withResolvers<Result>();
      interrupt = reject;
      if (ended) reject(ended.reason);
      Promise.resolve(promise).then(resolve, reject);
      return result;
    },
  };
}
