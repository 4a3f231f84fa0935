/** Returns all `chunks` as one buffer. */
export async function collectBytes(chunks: AsyncIterable<unknown>): Promise<Buffer> {
  return Buffer.concat((await collect(chunks)) as Uint8Array[]);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
