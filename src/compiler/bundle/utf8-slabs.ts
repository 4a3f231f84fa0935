/** Large enough that few are needed; small enough that a short text that retains one wastes little. */
const SLAB_BYTES = 256 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();

/**
 * Returns a function that encodes texts as UTF-8 into large shared buffers. Allocating a buffer of the exact size for each text
 * would require measuring it first, which costs as much as encoding it. Room for the longest form is taken only once a text needed
 * it: V8 counts unused room as garbage, and would collect three times as often for it.
 */
export function createTextWriter(): (text: string) => Uint8Array {
  let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  let used = 0;
  let bytesPerUnit = 1;

  function write(text: string): Uint8Array | undefined {
    const roomBytes = text.length * bytesPerUnit;
    if (roomBytes > slab.byteLength - used) {
      slab = Buffer.allocUnsafeSlow(Math.max(roomBytes, SLAB_BYTES));
      used = 0;
    }
    const { read, written } = encoder.encodeInto(text, slab.subarray(used));
    if (read < text.length) return undefined;
    const bytes = slab.subarray(used, used + written);
    used += written;
    return bytes;
  }

  return (text) => {
    const bytes = write(text);
    if (bytes) return bytes;
    bytesPerUnit = MAX_BYTES_PER_UNIT;
    return write(text) as Uint8Array;
  };
}
