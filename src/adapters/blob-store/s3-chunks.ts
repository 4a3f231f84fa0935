import type { Readable } from 'node:stream';

/** One object, or a range of it, that is being read. */
export interface OpenObject {
  body: Readable;
  /** Bytes that the body has. */
  sizeBytes: number;
}

/** Breaks of the connection in a row, without a byte between, after which reading fails. */
const maxBreaks = 3;

/**
 * The bytes of an object as chunks. Where the connection breaks, reading goes on from there.
 * @param opened what was opened; closed when the reader leaves, also before the first chunk
 * @param reopen opens the same object again without its first bytes
 */
export function objectChunks(
  opened: OpenObject,
  reopen: (position: number) => Promise<OpenObject>,
): AsyncIterableIterator<Uint8Array> {
  const { sizeBytes } = opened;
  let { body } = opened;
  let chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let position = 0;
  let breaks = 0;

  async function take(): Promise<IteratorResult<Uint8Array>> {
    const next = await chunks.next();
    if (next.done && position < sizeBytes) throw new Error(`The store sent ${position} of ${sizeBytes} bytes.`);
    return next;
  }

  async function resume(fault: unknown): Promise<void> {
    body.destroy();
    breaks += 1;
    if (breaks > maxBreaks) throw fault;
    body = (await reopen(position)).body;
    chunks = body[Symbol.asyncIterator]();
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      for (;;) {
        try {
          const next = await take();
          if (next.done) return next;
          breaks = 0;
          position += next.value.byteLength;
          return next;
        } catch (fault) {
          await resume(fault);
        }
      }
    },
    async return() {
      body.destroy();
      return { done: true, value: undefined };
    },
  };
}
