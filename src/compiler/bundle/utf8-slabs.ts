/** Large enough that few are needed, small enough that one that is held by a short text costs little. */
const SLAB_BYTES = 256 * 1024;
/** No UTF-16 unit takes more in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();

/**
 * Gives a function that writes texts as UTF-8. It lays them one behind the other in large pieces of memory: to ask for memory of
 * just the right size for each, a text must be measured first, which costs as much as writing it.
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
