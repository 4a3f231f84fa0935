import { createEnding } from '@docent/format/ending.ts';

/**
 * Yields the chunks of `body` until `signal` is aborted, then throws the abort reason immediately,
 * even while waiting for a chunk that may never arrive.
 */
export async function* abortable(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* body;
    return;
  }
  const ending = createEnding();
  const onAbort = () => ending.end(signal.reason);
  signal.addEventListener('abort', onAbort);
  const iterator =
    Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  try {
    signal.throwIfAborted();
    for (;;) {
      const next = await ending.wait(iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs would block here. Nobody can handle an error of its cleanup.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
