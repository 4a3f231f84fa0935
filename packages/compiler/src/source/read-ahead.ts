/** Limit for what is read ahead. */
export interface ReadAheadLimits {
  maxItems: number;
  maxBytes: number;
}

/** Hides the latency of a remote store, and is little compared to the rest of an export. */
const usualLimits: ReadAheadLimits = { maxItems: 16, maxBytes: 8 * 1024 * 1024 };

/**
 * Reads items in order, some of them ahead. An item larger than the limit is read alone.
 * @param sizeOf returns the bytes that reading an item takes
 * @throws any error of `read`, when its item is requested
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
    // An error is thrown when the item is requested, if ever.
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
    while (
      underway.length > 0 &&
      (underway.length >= limits.maxItems || heldBytes + sizeBytes > limits.maxBytes)
    ) {
      yield await takeFirst();
    }
    begin(item, sizeBytes);
  }
  while (underway.length > 0) yield await takeFirst();
}
