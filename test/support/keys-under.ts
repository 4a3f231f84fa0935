import type { BlobStore } from '../../src/ports/blob-store.ts';

/** All keys of a blob store with that prefix. */
export async function keysUnder(blobs: Pick<BlobStore, 'list'>, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list(prefix)) keys.push(key);
  return keys;
}
