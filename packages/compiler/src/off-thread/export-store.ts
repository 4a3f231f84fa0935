import type { ByteRange } from '../site/stored-search-scripts.ts';

/** A part of the file store: a whole file, or a range of one, which is inside of it. */
export interface StoreQuestion {
  key: string;
  range?: ByteRange;
}

/** What an export needs of the file store. Its errors end the export. */
export interface ExportStore {
  /** Returns a file or a range of it; undefined if there is no such file. */
  read(question: StoreQuestion): Promise<Uint8Array | undefined>;
  has(key: string): Promise<boolean>;
}

/** Opens the file store in another process on this machine. */
export interface StoreModule {
  /** URL of a module whose `openStore` returns an `ExportStore`. */
  module: string;
  /** The argument of `openStore`. */
  options: unknown;
}
