/** Large enough that few are needed; small enough that a short text that retains one wastes little. */
const SLAB_BYTES = 256 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();

/**
 * Returns a function that encodes texts as UTF-8 into large shared buffers. Allocating a buffer of the exact size for each text
 * would require measuring it first, which costs as much as encoding it.
 */
export function createTextWriter(): (text: string) => Uint8Array {
  let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  let used = 0;
  return (text) => {
    const maxBytes = text.length * MAX_BYTES_PER_UNIT;
    if (maxBytes > slab.byteLength - used) {
      slab = Buffer.allocUnsafeSlow(Math.max(maxBytes, SLAB_BYTES));
      used = 0;
    }
    const { written } = encoder.encodeInto(text, slab.subarray(used));
    const bytes = slab.subarray(used, used + written);
    used += written;
    return bytes;
  };
}
