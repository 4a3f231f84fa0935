import type { Readable } from 'node:stream';

/** An object, or a range of it, that is being read. */
export interface OpenObject {
  body: Readable;
  /** Length of the body in bytes. */
  sizeBytes: number;
}

/** Reading fails after this many consecutive disconnects without a byte received in between. */
const maxBreaks = 3;

/**
 * Yields the bytes of an object in chunks. If the connection breaks, reading resumes at that offset.
 * @param opened the opened object; closed when the reader stops, even before the first chunk
 * @param reopen reopens the same object, skipping the first bytes
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
