import { readFile } from 'node:fs/promises';
import { createBufferCache, type Encoding, encodeBody } from '../http/routes/site/body-cache.ts';
import type { BundleStore } from './bundle-store.ts';

/** Files up to this size, as they go over the wire, are held; larger ones are streamed. */
export const MAX_HELD_BYTES = 256 * 1024;

/** Small files in memory, up to a number of bytes; the least recently used go first. */
export interface HeldFiles {
  /** The file if it is held. */
  held(sha256: string, encoding: Encoding): Buffer | undefined;
  /** The whole file, read once however many ask at the same time; compressed now where that was not done yet. */
  read(sha256: string, encoding: Encoding): Promise<Buffer>;
}

const formOf = { br: '.br', gzip: '.gz', identity: '' } as const;

export function createHeldFiles(store: BundleStore, maxBytes: number): HeldFiles {
  const files = createBufferCache(maxBytes, MAX_HELD_BYTES);

  async function load(sha256: string, encoding: Encoding): Promise<Buffer> {
    const ready = await readFile(store.filePath(sha256, formOf[encoding])).catch((error: NodeJS.ErrnoException) => {
      if (encoding === 'identity' || error.code !== 'ENOENT') throw error;
    });
    return ready ?? encodeBody(await readFile(store.filePath(sha256)), encoding);
  }

  return {
    held: (sha256, encoding) => files.get(`${encoding} ${sha256}`),
    read: (sha256, encoding) =>
      files.fetch(`${encoding} ${sha256}`, { context: () => load(sha256, encoding) }) as Promise<Buffer>,
  };
}
