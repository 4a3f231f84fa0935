import { readFile } from 'node:fs/promises';
import { type Encoding, encodeBody } from '../http/routes/site/body-cache.ts';
import type { BundleStore } from './bundle-store.ts';

/** Files up to this size, as they go over the wire, are held; larger ones are streamed. */
export const LARGEST_HELD_BYTES = 256 * 1024;

/** Small files in memory, up to a number of bytes; the least recently asked for goes first. */
export interface HeldFiles {
  /** The file if it is held. */
  held(sha256: string, encoding: Encoding): Buffer | undefined;
  /** The whole file, read once however many ask at the same time; compressed now where that was not done yet. */
  read(sha256: string, encoding: Encoding): Promise<Buffer>;
}

const formOf = { br: '.br', gzip: '.gz', identity: '' } as const;

export function createHeldFiles(store: BundleStore, mostBytes: number): HeldFiles {
  const files = new Map<string, Buffer>();
  const reading = new Map<string, Promise<Buffer>>();
  let heldBytes = 0;

  function keep(key: string, bytes: Buffer): void {
    if (bytes.byteLength > LARGEST_HELD_BYTES) return;
    files.set(key, bytes);
    heldBytes += bytes.byteLength;
    for (const [oldest, old] of files) {
      if (heldBytes <= mostBytes) break;
      files.delete(oldest);
      heldBytes -= old.byteLength;
    }
  }

  async function load(sha256: string, encoding: Encoding): Promise<Buffer> {
    const ready = await readFile(store.filePath(sha256, formOf[encoding])).catch((error: NodeJS.ErrnoException) => {
      if (encoding === 'identity' || error.code !== 'ENOENT') throw error;
    });
    return ready ?? encodeBody(await readFile(store.filePath(sha256)), encoding);
  }

  return {
    held(sha256, encoding) {
      const key = `${encoding} ${sha256}`;
      const bytes = files.get(key);
      if (bytes) {
        // The newest stands last.
        files.delete(key);
        files.set(key, bytes);
      }
      return bytes;
    },
    read(sha256, encoding) {
      const key = `${encoding} ${sha256}`;
      const pending =
        reading.get(key) ??
        load(sha256, encoding)
          .then((bytes) => {
            keep(key, bytes);
            return bytes;
          })
          .finally(() => reading.delete(key));
      reading.set(key, pending);
      return pending;
    },
  };
}
