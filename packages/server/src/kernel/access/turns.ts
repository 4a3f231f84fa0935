import { DocentError } from '@docent/format/errors.ts';

/**
 * Returns a function that runs tasks, at most `atOnce` at the same time, the others in the order of
 * their arrival.
 * @param maxWaiting number of tasks that may wait; further ones are refused with
 *   `dependency_unavailable`
 * @param refusal what a refused caller reads
 */
export function takeTurns({
  atOnce,
  maxWaiting,
  refusal,
}: {
  atOnce: number;
  maxWaiting: number;
  refusal: string;
}) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= maxWaiting)
        throw new DocentError('dependency_unavailable', refusal, { retryAfterSeconds: 5 });
      // Whoever ends hands over the turn.
      await new Promise<void>((begin) => waiting.push(begin));
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
