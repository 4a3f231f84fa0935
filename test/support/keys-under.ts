import type { BlobStore } from '../../packages/server/src/ports/blob-store.ts';

/** Returns all keys of a blob store with a prefix. */
export async function keysUnder(blobs: Pick<BlobStore, 'list'>, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list(prefix)) keys.push(key);
  return keys;
}
