import type { FileEntry } from '../../core/site-build.ts';

const maxFiles = 32;
const maxBytes = 16 * 1024 * 1024;

/** Sends files to a store that may be slow: several at once, within a memory limit. */
export interface FileOutbox {
  /** Sends a file; resolves when there is room for it, before it is stored. */
  send(bytes: Uint8Array, file: FileEntry): Promise<void>;
  /** Reports that the store has the file with this number. */
  stored(id: number): void;
  /** Resolves when the store has every file. */
  empty(): Promise<void>;
}

/** @param deliver sends one file; call `stored` with its number when it is done */
export function createFileOutbox(deliver: (id: number, bytes: Uint8Array, file: FileEntry) => void): FileOutbox {
  const sizes = new Map<number, number>();
  let underwayBytes = 0;
  let nextId = 0;
  let changed = Promise.withResolvers<void>();

  return {
    async send(bytes, file) {
      const fits = () => sizes.size < maxFiles && underwayBytes + bytes.byteLength <= maxBytes;
      // A file larger than the limit is sent alone.
      while (sizes.size > 0 && !fits()) await changed.promise;
      const id = nextId;
      nextId += 1;
      sizes.set(id, bytes.byteLength);
      underwayBytes += bytes.byteLength;
      deliver(id, bytes, file);
    },
    stored(id) {
      underwayBytes -= sizes.get(id) ?? 0;
      sizes.delete(id);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    async empty() {
      while (sizes.size > 0) await changed.promise;
    },
  };
}
