import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { moduleUrl } from '@docent/compiler/process/own-modules.ts';
import { createFolder } from '../../lib/create-folder.ts';
import type {
  BlobInfo,
  BlobStore,
  LinkVerifier,
  PresignedLink,
  PresignOptions,
  PutOptions,
} from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { abortable } from './abortable.ts';
import { blobPath, blobTrailer, readBlob, readBlobChunks, readBlobInfo } from './blob-file.ts';
import { checkBlobKey, checkLinkOptions } from './check-arguments.ts';
import type { FolderReaderOptions } from './folder-reader.ts';

interface FileSystemBlobStoreOptions {
  /** Folder used for blobs only; created if missing. Several processes may share it. */
  folder: string;
  /** Address at which readers reach the server. */
  linkBaseUrl: string;
  /** Anyone who has this secret can create links. */
  secret: string;
  clock: Clock;
}

/** Stores blobs as files. */
export async function openFileSystemBlobStore(
  options: FileSystemBlobStoreOptions,
): Promise<BlobStore & LinkVerifier> {
  const store = new FileSystemBlobStore(options);
  await store.start();
  return store;
}

class FileSystemBlobStore implements BlobStore, LinkVerifier {
  readonly reader: BlobStore['reader'];
  readonly #options: FileSystemBlobStoreOptions;
  readonly #folder: string;
  readonly #unfinishedFolder: string;
  /** Folders that are known to be flushed to disk. */
  readonly #madeFolders = new Set<string>();

  constructor(options: FileSystemBlobStoreOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.reader = {
      module: moduleUrl('./folder-reader.ts', import.meta.url).href,
      options: { folder: resolve(options.folder) } satisfies FolderReaderOptions,
    };
    this.#unfinishedFolder = join(options.folder, '.unfinished');
  }

  async start(): Promise<void> {
    await createFolder(this.#unfinishedFolder);
    await removeLeftOvers(this.#unfinishedFolder);
  }

  async put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    options: PutOptions = {},
  ): Promise<BlobInfo> {
    const file = this.#fileOf(key);
    const contentType = options.contentType ?? 'application/octet-stream';
    const trailer = blobTrailer(contentType);
    options.signal?.throwIfAborted();
    const unfinished = join(this.#unfinishedFolder, unfinishedName());
    try {
      const sizeBytes = await writeDurably(
        unfinished,
        body instanceof Uint8Array ? [body] : body,
        trailer,
        options,
      );
      await this.#makeFolder(dirname(file));
      options.signal?.throwIfAborted();
      await rename(unfinished, file);
      await syncFolder(dirname(file));
      return { sizeBytes, contentType };
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = this.#fileOf(key);
    const info = await readBlobInfo(file);
    if (info === undefined) return undefined;
    const { start, end } = range ?? { start: 0, end: info.sizeBytes - 1 };
    return readBlobChunks(file, Math.max(0, start), Math.min(end + 1, info.sizeBytes));
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    return readBlob(this.#fileOf(key));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    return readBlobInfo(this.#fileOf(key));
  }

  async delete(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const lastSlash = prefix.lastIndexOf('/');
    const folderKey = prefix.slice(0, lastSlash + 1);
    if (folderKey !== '') checkBlobKey(folderKey.slice(0, -1));
    yield* this.#listFolder(folderKey, prefix);
  }

  async *#listFolder(folderKey: string, prefix: string): AsyncGenerator<string> {
    for (const key of await this.#keysIn(folderKey)) {
      if (key.endsWith('/') && (key.startsWith(prefix) || prefix.startsWith(key)))
        yield* this.#listFolder(key, prefix);
      else if (!key.endsWith('/') && key.startsWith(prefix)) yield key;
    }
  }

  /**
   * Lists the direct children of a folder in key order. Child folders end with a slash, which
   * counts in the order.
   */
  async #keysIn(folderKey: string): Promise<string[]> {
    const folder = join(this.#folder, folderKey);
    const keys: string[] = [];
    for (const name of await namesIn(folder)) {
      if (!name.startsWith('.')) keys.push(`${folderKey}${name}/`);
      else if (name !== '.unfinished')
        keys.push(...(await namesIn(join(folder, name))).map((word) => folderKey + word));
    }
    return keys.sort((a, b) => (a < b ? -1 : 1));
  }

  /**
   * Creates a link that works without a key until it expires. Each link is signed (HMAC, RFC 2104).
   */
  async presign(key: string, options: PresignOptions): Promise<PresignedLink> {
    checkBlobKey(key);
    checkLinkOptions(options);
    const { expiresInSeconds, filename } = options;
    const { linkBaseUrl, clock } = this.#options;
    const expires = Math.floor(clock.now().getTime() / 1000 + expiresInSeconds);
    const signature = this.#signature(key, String(expires), filename);
    const query = new URLSearchParams({ expires: String(expires), filename, signature });
    return {
      url: `${linkBaseUrl.replace(/(?<!\/)\/+$/, '')}/blobs/${key}?${query}`,
      expiresAt: new Date(expires * 1000),
    };
  }

  verifyLink(key: string, query: URLSearchParams): ReturnType<LinkVerifier['verifyLink']> {
    const expires = query.get('expires') ?? '';
    const filename = query.get('filename') ?? '';
    const linkSignature = Buffer.from(query.get('signature') ?? '');
    const expected = Buffer.from(this.#signature(key, expires, filename));
    // Nothing in the link is trusted before this point, including its expiry time.
    if (linkSignature.length !== expected.length || !timingSafeEqual(linkSignature, expected))
      return { ok: false, reason: 'forged' };
    if (Number(expires) * 1000 <= this.#options.clock.now().getTime())
      return { ok: false, reason: 'expired' };
    return { ok: true, filename };
  }

  #signature(key: string, expires: string, filename: string): string {
    // JSON ensures that no two different links have the same text.
    const text = JSON.stringify([key, expires, filename]);
    return createHmac('sha256', this.#options.secret).update(text).digest('hex');
  }

  async close(): Promise<void> {}

  #fileOf(key: string): string {
    return blobPath(this.#folder, key);
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#madeFolders.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A name is flushed to disk when its parent folder is.
    for (let parent = folder; parent !== this.#folder; parent = dirname(parent))
      await syncFolder(dirname(parent));
    this.#madeFolders.add(folder);
  }
}

async function writeDurably(
  file: string,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  trailer: Uint8Array,
  options: PutOptions,
): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let sizeBytes = 0;
    for await (const chunk of abortable(body, options.signal)) {
      await handle.writeFile(chunk);
      sizeBytes += chunk.byteLength;
    }
    if (options.sizeBytes !== undefined && options.sizeBytes !== sizeBytes) {
      throw new RangeError(`The blob has ${sizeBytes} bytes; ${options.sizeBytes} were announced.`);
    }
    await handle.writeFile(trailer);
    await handle.datasync();
    return sizeBytes;
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Files of a process whose state is unknown are kept for this long. */
const FOREIGN_FILE_MS = 24 * 60 * 60 * 1000;

const machine = hostname().replace(/[^A-Za-z0-9-]/g, '') || 'here';

/** Returns a name for a file being written that identifies its writer. */
export function unfinishedName(writer: number = process.pid): string {
  return `${machine}.${writer}.${randomUUID()}`;
}

/**
 * Removes unfinished files of processes that have ended. Files that another process is writing
 * stay.
 */
export async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (await isLeftOver(file, name)) await rm(file, { recursive: true, force: true });
  }
}

async function isLeftOver(file: string, name: string): Promise<boolean> {
  const [owner, pid] = name.split('.');
  if (owner === undefined || pid === undefined) return true;
  if (owner === machine) return !isRunning(Number(pid));
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > FOREIGN_FILE_MS;
}

/** A file with our own process id is from an earlier process: this one has only just started. */
function isRunning(pid: number): boolean {
  if (pid === process.pid || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
