import type { FileEntry } from '@docent/format/build/site-build.ts';

const maxFiles = 32;
const maxBytes = 16 * 1024 * 1024;

/** Sends files to a store that may be slow: several at once, within a memory limit. */
export interface FileOutbox {
  /** Sends a file; resolves when there is room for it, before it is stored. */
  send(bytes: Uint8Array, file: FileEntry): Promise<void>;
  /** Resolves when the store has every file. */
  empty(): Promise<unknown>;
}

/** @param deliver sends one file; resolves when the store has it, and never rejects */
export function createFileOutbox(
  deliver: (bytes: Uint8Array, file: FileEntry) => Promise<void>,
): FileOutbox {
  const underway = new Set<Promise<void>>();
  let underwayBytes = 0;

  return {
    async send(bytes, file) {
      const sizeBytes = bytes.byteLength;
      const fits = () => underway.size < maxFiles && underwayBytes + sizeBytes <= maxBytes;
      // A file larger than the limit is sent alone.
      while (underway.size > 0 && !fits()) await Promise.race(underway);
      underwayBytes += sizeBytes;
      const delivery = deliver(bytes, file).then(() => {
        underwayBytes -= sizeBytes;
        underway.delete(delivery);
      });
      underway.add(delivery);
    },
    empty: () => Promise.all(underway),
  };
}
