/** What is stored under a key. */
export interface BlobInfo {
  sizeBytes: number;
  contentType: string;
}

export interface PutOptions {
  contentType?: string;
  /** Needed by some stores to stream; give it when it is known. */
  sizeBytes?: number;
  signal?: AbortSignal;
}

export interface PresignOptions {
  /** 15 minutes to 7 days. */
  expiresInSeconds: number;
  /** Name that a browser saves the file under. */
  filename: string;
}

export interface PresignedLink {
  /** Works without any header until `expiresAt`. */
  url: string;
  expiresAt: Date;
}

/**
 * Named, immutable byte sequences. Keys are `/`-separated words of `[A-Za-z0-9._-]`, never starting with `.`;
 * another key throws `TypeError`. A put is atomic: readers see the whole new blob or what was there before,
 * also after a crash in the middle.
 */
export interface BlobStore {
  /** Stores `body`; resolves after it is durable. Aborting, or a body that throws, leaves nothing behind. */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<BlobInfo>;
  /** The bytes as chunks, or `undefined` where there is no such blob. `start` and `end` are inclusive byte offsets. */
  get(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The whole blob; for small ones. */
  read(key: string): Promise<Uint8Array | undefined>;
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Deletes; no error where there is none. */
  delete(key: string): Promise<void>;
  /** Keys with that prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  presign(key: string, options: PresignOptions): Promise<PresignedLink>;
  close(): Promise<void>;
}

/**
 * A store that serves its own links (the embedded one). The HTTP layer hands it the key and query of a request under
 * `/blobs/`; it answers whether the link is good.
 */
export interface LinkVerifier {
  /** The file name to offer where the link is genuine and still good; otherwise why it is not. */
  verifyLink(key: string, query: URLSearchParams): { ok: true; filename: string } | { ok: false; reason: 'expired' | 'forged' };
}
