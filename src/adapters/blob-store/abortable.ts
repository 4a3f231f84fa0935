/**
 * The chunks of `body` until `signal` is aborted; then it throws the reason at once, also while a chunk is awaited that
 * may never come.
 */
export async function* abortable(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* body;
    return;
  }
  const aborted = Promise.withResolvers<never>();
  // Without this an abort that nobody waits for any more would end the process.
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const iterator = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  try {
    signal.throwIfAborted();
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs would hold us here. A fault of its ending has nobody to go to.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
