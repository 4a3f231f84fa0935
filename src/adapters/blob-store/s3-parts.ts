/** One part of a body that is uploaded. */
export interface BodyPart {
  /** Starts at 1. */
  number: number;
  bytes: Uint8Array;
  isLast: boolean;
}

/**
 * Splits a body into parts of equal size. The last may be shorter, and an empty body is one empty part. Yields a part once it is
 * known whether more follow, so at most two are in memory.
 * @throws RangeError if the size of the body differs from the announced size; thrown before the last part is yielded
 */
export async function* cutIntoParts(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
  announcedBytes: number | undefined,
): AsyncGenerator<BodyPart, void, undefined> {
  const room = Math.min(partBytes, announcedBytes ?? partBytes);
  let buffer = Buffer.allocUnsafe(room);
  let filled = 0;
  let number = 1;
  let totalBytes = 0;
  const checkSize = (isWrong: boolean) => {
    if (isWrong) throw new RangeError(`The blob has ${totalBytes} bytes or more; ${announcedBytes} were announced.`);
  };
  for await (const chunk of body) {
    totalBytes += chunk.byteLength;
    checkSize(announcedBytes !== undefined && totalBytes > announcedBytes);
    for (let taken = 0; taken < chunk.byteLength; ) {
      if (filled === room) {
        yield { number, bytes: buffer, isLast: false };
        buffer = Buffer.allocUnsafe(room);
        filled = 0;
        number += 1;
      }
      const piece = chunk.subarray(taken, taken + room - filled);
      buffer.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
    }
  }
  checkSize(announcedBytes !== undefined && totalBytes < announcedBytes);
  yield { number, bytes: buffer.subarray(0, filled), isLast: true };
}
