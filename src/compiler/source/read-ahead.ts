/** A bound for what is read before it is asked for. */
export interface ReadAheadLimits {
  maxItems: number;
  maxBytes: number;
}

/** Hides the delay of a store that is far away, and is little beside the rest of an export. */
const usualLimits: ReadAheadLimits = { maxItems: 16, maxBytes: 8 * 1024 * 1024 };

/**
 * Reads items in their order, some of them before they are asked for. An item that is larger than the bound is read alone.
 * @param sizeOf bytes that reading an item takes
 * @throws what `read` throws, when its item is asked for
 */
export async function* readAhead<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  read: (item: Item) => Promise<Uint8Array>,
  limits: ReadAheadLimits = usualLimits,
): AsyncGenerator<{ item: Item; bytes: Uint8Array }> {
  const underway: { item: Item; sizeBytes: number; reading: Promise<Uint8Array> }[] = [];
  let heldBytes = 0;
  const begin = (item: Item, sizeBytes: number) => {
    const reading = read(item);
    // A failure is thrown when the item's turn comes, if it comes.
    reading.catch(() => {});
    underway.push({ item, sizeBytes, reading });
    heldBytes += sizeBytes;
  };
  const takeFirst = async () => {
    const first = underway.shift() as (typeof underway)[number];
    const bytes = await first.reading;
    heldBytes -= first.sizeBytes;
    return { item: first.item, bytes };
  };
  for (const item of items) {
    const sizeBytes = sizeOf(item);
    while (underway.length > 0 && (underway.length >= limits.maxItems || heldBytes + sizeBytes > limits.maxBytes)) {
      yield await takeFirst();
    }
    begin(item, sizeBytes);
  }
  while (underway.length > 0) yield await takeFirst();
}
