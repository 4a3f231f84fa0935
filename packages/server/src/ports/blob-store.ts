/** What is stored under a key. */
export interface BlobInfo {
  sizeBytes: number;
  contentType: string;
}

export interface PutOptions {
  contentType?: string;
  /** Some stores need it to stream; pass it if it is known. */
  sizeBytes?: number;
  signal?: AbortSignal;
}

export interface PresignOptions {
  /** 15 minutes to 7 days. */
  expiresInSeconds: number;
  /** Name under which a browser saves the file. */
  filename: string;
}

export interface PresignedLink {
  /** Works without any header until `expiresAt`. */
  url: string;
  expiresAt: Date;
}

/**
 * Named, immutable byte sequences. Keys are `/`-separated words of `[A-Za-z0-9._-]`, never starting
 * with `.`; any other key throws `TypeError`. A put is atomic: readers see the whole new blob or
 * the previous content, even after a crash in the middle.
 */
export interface BlobStore {
  /**
   * For stores that another process on this machine can read: the URL of a module whose `openStore`
   * returns an `ExportStore`, and its argument.
   */
  readonly reader?: { module: string; options: unknown } | undefined;
  /**
   * Stores `body`; resolves when it is durable. If aborted, or if the body throws, nothing is
   * stored.
   */
  put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    options?: PutOptions,
  ): Promise<BlobInfo>;
  /**
   * Returns the bytes as chunks, or `undefined` if there is no such blob. `start` and `end` are
   * inclusive byte offsets.
   */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Returns the whole blob; for small ones. */
  read(key: string): Promise<Uint8Array | undefined>;
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Deletes a blob; no error if there is none. */
  delete(key: string): Promise<void>;
  /** Returns the keys with that prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  presign(key: string, options: PresignOptions): Promise<PresignedLink>;
  close(): Promise<void>;
}

/**
 * A store with a cache of its own, which has what was kept while the store behind it is
 * unavailable.
 */
export interface CachedBlobStore extends BlobStore {
  /**
   * Fetches a blob into the cache if it may be cached and is not there. Fails only if the store
   * behind it does.
   * @param sizeBytes its size if known, which saves a request
   * @returns how many bytes of the cache it takes; 0 if it is not cached
   */
  keep(key: string, sizeBytes?: number): Promise<number>;
  readonly figures: { bytes: number; maxBytes: number };
}

/**
 * A store that serves its own links (the embedded one). The HTTP layer passes it the key and query
 * of a request under `/blobs/`, and it checks the link.
 */
export interface LinkVerifier {
  /**
   * Returns the file name to offer if the link is authentic and valid; otherwise the reason why it
   * is not.
   */
  verifyLink(
    key: string,
    query: URLSearchParams,
  ): { ok: true; filename: string } | { ok: false; reason: 'expired' | 'forged' };
}
