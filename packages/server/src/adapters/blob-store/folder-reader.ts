import type { ExportStore } from '@docent/compiler/off-thread/export-store.ts';
import { blobPath, readBlob, readBlobInfo, readBlobRange } from './blob-file.ts';

export interface FolderReaderOptions {
  /** Folder of the store. */
  folder: string;
}

/**
 * Opens the store of a folder in the process that packs an export, which imports it by the URL in
 * `BlobStore.reader`.
 * @public
 */
export function openStore({ folder }: FolderReaderOptions): ExportStore {
  return {
    async read({ key, range }) {
      const file = blobPath(folder, key);
      return range ? readBlobRange(file, range) : readBlob(file);
    },
    has: async (key) => (await readBlobInfo(blobPath(folder, key))) !== undefined,
  };
}
