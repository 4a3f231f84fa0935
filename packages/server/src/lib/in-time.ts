/**
 * Returns the result of work, or, if it takes longer, that of `late`, which may throw. The work
 * continues; what becomes of it is ignored then.
 */
export function inTime<Result, Late>(
  work: Promise<Result>,
  maxMs: number,
  late: () => Late,
): Promise<Result | Late> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer));
}
