import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CacheFigures, countCache } from '@docent/format/bounded-cache.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { LRUCache } from 'lru-cache';
import type { BlobInfo, BlobStore, CachedBlobStore } from '../../ports/blob-store.ts';
import type { Logger } from '../../ports/logger.ts';
import { removeLeftOvers, unfinishedName } from './file-system.ts';

interface DiskCacheOptions {
  /** The store whose blobs are cached. Closed with the cache. */
  store: BlobStore;
  /** Folder of this cache only; created if missing. Processes may share it. */
  folder: string;
  maxBytes: number;
  /**
   * Returns whether the blob of a key is the same wherever and whenever there is one. Others are
   * not cached.
   */
  isImmutable: (key: string) => boolean;
  logger: Logger;
}

/** After the bytes of a blob, a file has this hash of its key and the bytes. */
const HASH_BYTES = 32;
/** A larger blob would push out too many others. */
const MAX_SHARE_OF_BLOB = 1 / 4;
/** When the cache is full, the least recently used files are deleted until this share is left. */
const SHARE_AFTER_SWEEP = 0.9;
/** A file counts as used when it was last read, to within this. */
const USED_TO_WITHIN_MS = 60 * 60 * 1000;
const WARN_EVERY_MS = 60_000;
/** Files whose bytes were checked, and from which parts may be read. */
const MAX_CHECKED = 10_000;
/** `files/ab/<hash>` */
const HASHED = /\/([0-9a-f]{64})$/;

/**
 * A blob store with a cache on disk, so that what readers request is there while the store is
 * unavailable. Nothing in it is needed: files are checked by their hash when they are read, and a
 * file that a crash has left incomplete, or that is damaged, is deleted. Faults of the disk are
 * logged and otherwise ignored.
 */
export async function openDiskCache(options: DiskCacheOptions): Promise<CachedBlobStore> {
  const cache = new DiskCache(options);
  await cache.start();
  return cache;
}

class DiskCache implements CachedBlobStore {
  readonly #options: DiskCacheOptions;
  readonly #unfinished: string;
  readonly #checked = new LRUCache<string, true>({ max: MAX_CHECKED });
  /** What is being written, by key. A change of the blob removes it, and it is then not stored. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Number of puts and deletions; what was read before one may be outdated. */
  #changes = 0;
  #bytes = 0;
  #files = 0;
  #hits = 0;
  #misses = 0;
  #sweeping: Promise<void> | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DiskCacheOptions) {
    this.#options = options;
    this.#unfinished = join(options.folder, '.unfinished');
  }

  async start(): Promise<void> {
    await mkdir(this.#unfinished, { recursive: true, mode: 0o700 });
    await removeLeftOvers(this.#unfinished);
    // Counts what is there, in the background.
    void this.#sweep();
    countCache('files_on_disk', this);
  }

  get figures(): CacheFigures {
    const { maxBytes } = this.#options;
    return {
      entries: this.#files,
      bytes: this.#bytes,
      maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    const { store, isImmutable } = this.#options;
    if (!isImmutable(key)) return store.read(key);
    const cached = await this.#readFile(key);
    if (cached) this.#hits++;
    else this.#misses++;
    if (cached) return cached;
    const before = this.#changes;
    const bytes = await store.read(key);
    if (bytes && before === this.#changes) void this.#write(key, [bytes], bytes.byteLength);
    return bytes;
  }

  async get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { store, isImmutable } = this.#options;
    const sizeBytes = isImmutable(key) ? await this.#sizeOfChecked(key) : undefined;
    if (sizeBytes === undefined) return store.get(key, range);
    const start = Math.max(0, range?.start ?? 0);
    const end = Math.min(range?.end ?? sizeBytes - 1, sizeBytes - 1);
    if (end < start) return Readable.from([]);
    // Opened now, so that it can be read to its end even if it is evicted meanwhile.
    const handle = await open(this.#fileOf(key)).catch(() => undefined);
    return handle ? handle.createReadStream({ start, end }) : store.get(key, range);
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    const { store, isImmutable } = this.#options;
    try {
      return await store.stat(key);
    } catch (error) {
      const sizeBytes = isImmutable(key) ? await this.#sizeOfChecked(key) : undefined;
      if (sizeBytes === undefined) throw error;
      return { sizeBytes, contentType: 'application/octet-stream' };
    }
  }

  async keep(key: string, knownBytes?: number): Promise<number> {
    const { store, isImmutable, maxBytes } = this.#options;
    if (!isImmutable(key)) return 0;
    const bytesOnDisk = await this.#sizeOnDisk(key);
    if (bytesOnDisk !== undefined) {
      await this.#touch(key);
      return bytesOnDisk;
    }
    const sizeBytes = knownBytes ?? (await store.stat(key))?.sizeBytes;
    if (sizeBytes === undefined || sizeBytes + HASH_BYTES > maxBytes * MAX_SHARE_OF_BLOB) return 0;
    const before = this.#changes;
    const chunks = await store.get(key);
    if (!chunks || before !== this.#changes) return 0;
    await this.#write(key, chunks, sizeBytes);
    return sizeBytes;
  }

  async put(...[key, body, options]: Parameters<BlobStore['put']>): Promise<BlobInfo> {
    const info = await this.#options.store.put(key, body, options);
    this.#changes++;
    await this.#remove(key);
    return info;
  }

  async delete(key: string): Promise<void> {
    await this.#options.store.delete(key);
    this.#changes++;
    await this.#remove(key);
  }

  list: BlobStore['list'] = (prefix) => this.#options.store.list(prefix);
  presign: BlobStore['presign'] = (key, options) => this.#options.store.presign(key, options);

  async close(): Promise<void> {
    await Promise.all([...this.#writing.values(), this.#sweeping]);
    await this.#options.store.close();
  }

  #fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex');
    return join(this.#options.folder, name.slice(0, 2), name.slice(2));
  }

  /** Returns the size of a blob if its file exists, unchecked. */
  async #sizeOnDisk(key: string): Promise<number | undefined> {
    const info = await stat(this.#fileOf(key)).catch(() => undefined);
    return info && info.size >= HASH_BYTES ? info.size - HASH_BYTES : undefined;
  }

  async #readFile(key: string): Promise<Uint8Array | undefined> {
    const whole = await readFile(this.#fileOf(key)).catch(() => undefined);
    if (!whole) return undefined;
    const bytes = whole.subarray(0, Math.max(0, whole.byteLength - HASH_BYTES));
    if (!hashFor(key).update(bytes).digest().equals(whole.subarray(bytes.byteLength))) {
      await this.#remove(key);
      return undefined;
    }
    void this.#touch(key);
    return bytes;
  }

  /**
   * Returns the size of a blob in the cache whose bytes were checked by this process; a part alone
   * cannot be.
   */
  async #sizeOfChecked(key: string): Promise<number | undefined> {
    const sizeBytes = await this.#sizeOnDisk(key);
    if (sizeBytes === undefined) return undefined;
    if (!this.#checked.has(key)) {
      if (!(await isWhole(key, this.#fileOf(key), sizeBytes))) {
        await this.#remove(key);
        return undefined;
      }
      this.#checked.set(key, true);
    }
    void this.#touch(key);
    return sizeBytes;
  }

  async #touch(key: string): Promise<void> {
    const file = this.#fileOf(key);
    const info = await stat(file).catch(() => undefined);
    const now = Date.now();
    if (info && now - info.mtimeMs > USED_TO_WITHIN_MS)
      await utimes(file, now / 1000, now / 1000).catch(() => {});
  }

  /** Stores a blob unless it is being stored. Never fails. */
  #write(
    key: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    sizeBytes: number,
  ): Promise<void> {
    const pendingWrite = this.#writing.get(key);
    if (pendingWrite) return pendingWrite;
    const isCurrent = (): boolean => this.#writing.get(key) === writing;
    const writing: Promise<void> = this.#writeFile(key, chunks, sizeBytes, isCurrent).catch(
      (error) => this.#warn(error),
    );
    this.#writing.set(key, writing);
    return writing.finally(() => {
      if (this.#writing.get(key) === writing) this.#writing.delete(key);
    });
  }

  async #writeFile(
    key: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    sizeBytes: number,
    isCurrent: () => boolean,
  ): Promise<void> {
    const { maxBytes } = this.#options;
    const fileBytes = sizeBytes + HASH_BYTES;
    if (fileBytes > maxBytes * MAX_SHARE_OF_BLOB) return;
    this.#bytes += fileBytes;
    let isStored = false;
    const unfinished = join(this.#unfinished, unfinishedName());
    try {
      if (this.#bytes > maxBytes) await this.#sweep();
      const digest = await writeHashed(key, unfinished, chunks, sizeBytes);
      if (digest === undefined || !isCurrent()) return;
      await writeFile(unfinished, digest, { flag: 'a' });
      const file = this.#fileOf(key);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await rename(unfinished, file);
      isStored = true;
      this.#files++;
    } finally {
      if (!isStored) this.#bytes -= fileBytes;
      await rm(unfinished, { force: true });
    }
  }

  async #remove(key: string): Promise<void> {
    const writing = this.#writing.get(key);
    this.#writing.delete(key);
    await writing;
    this.#checked.delete(key);
    const sizeBytes = await this.#sizeOnDisk(key);
    if (sizeBytes === undefined) return;
    await rm(this.#fileOf(key), { force: true }).catch((error) => this.#warn(error));
    this.#bytes -= sizeBytes + HASH_BYTES;
    this.#files--;
  }

  /**
   * Counts what is there, and deletes the least recently used files if it is too much. Never fails.
   */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepFolder()
      .catch((error) => this.#warn(error))
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  async #sweepFolder(): Promise<void> {
    const { folder, maxBytes } = this.#options;
    const before = this.#bytes;
    const files = await filesIn(folder);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    let count = files.length;
    if (Math.max(before, bytes) > maxBytes) {
      files.sort((a, b) => a.usedAt - b.usedAt);
      for (const { file, size } of files) {
        if (bytes <= maxBytes * SHARE_AFTER_SWEEP) break;
        await rm(file, { force: true });
        bytes -= size;
        count--;
      }
      this.#checked.clear();
    }
    // Others may share the folder, so it is counted anew each time; what is being written is not in
    // it yet.
    this.#bytes = bytes + (this.#bytes - before);
    this.#files = count;
  }

  #warn(error: unknown): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    this.#options.logger.warn(
      { reason: errorMessage(error), folder: this.#options.folder },
      'The cache of files on disk has a fault.',
    );
  }
}

function hashFor(key: string): Hash {
  return createHash('sha256').update(`${key}\n`);
}

async function isWhole(key: string, file: string, sizeBytes: number): Promise<boolean> {
  try {
    const hash = hashFor(key);
    if (sizeBytes > 0) await pipeline(createReadStream(file, { end: sizeBytes - 1 }), hash);
    const stored: Buffer[] = [];
    for await (const chunk of createReadStream(file, { start: sizeBytes }))
      stored.push(chunk as Buffer);
    const digest = sizeBytes > 0 ? (hash.read() as Buffer) : hash.digest();
    return digest.equals(Buffer.concat(stored));
  } catch {
    return false;
  }
}

/**
 * @returns the hash for the end of the file; undefined if the bytes are not what the key or the
 *   store says
 */
async function writeHashed(
  key: string,
  file: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<Buffer | undefined> {
  const hash = hashFor(key);
  const content = createHash('sha256');
  let written = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      content.update(chunk);
      written += chunk.byteLength;
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(chunks),
    count,
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  const [, named] = HASHED.exec(key) ?? [];
  const isNamed =
    !key.startsWith('files/') || named === undefined || named === content.digest('hex');
  return written === sizeBytes && isNamed ? hash.digest() : undefined;
}

async function filesIn(folder: string) {
  const files: { file: string; size: number; usedAt: number }[] = [];
  for (const shard of await readdir(folder)) {
    if (shard.startsWith('.')) continue;
    for (const name of await readdir(join(folder, shard))) {
      const file = join(folder, shard, name);
      const info = await stat(file).catch(() => undefined);
      if (info) files.push({ file, size: info.size, usedAt: info.mtimeMs });
    }
  }
  return files;
}
