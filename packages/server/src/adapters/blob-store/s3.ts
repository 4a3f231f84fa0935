import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type {
  BlobInfo,
  BlobStore,
  PresignedLink,
  PresignOptions,
  PutOptions,
} from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { checkBlobKey, checkContentType, checkLinkOptions } from './check-arguments.ts';
import {
  createS3Client,
  describeClockFault,
  describeStoreFault,
  faultOfRequest,
  isFault,
  isMissing,
  type S3Patience,
  type S3Settings,
  storeSilent,
  usualPatience,
} from './s3-client.ts';
import { partBytes, uploadBody } from './s3-upload.ts';

interface S3BlobStoreOptions {
  settings: S3Settings;
  clock: Clock;
  patience?: S3Patience;
}

const maxClockOffsetMs = 5 * 60 * 1000;
const usualContentType = 'application/octet-stream';

/**
 * Stores blobs as objects in a bucket of any S3-compatible store.
 * @throws Error in one line with the remedy, if the bucket does not allow listing, writing, reading
 *   and deleting
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const store = new S3BlobStore(options);
  try {
    await store.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

class S3BlobStore implements BlobStore {
  readonly #settings: S3Settings;
  readonly #clock: Clock;
  readonly #client: S3Client;
  readonly #linkClient: S3Client;

  constructor({ settings, clock, patience = usualPatience }: S3BlobStoreOptions) {
    const { endpoint, publicEndpoint } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#client = createS3Client(settings, endpoint, patience);
    // The signature covers the host, so a link is signed for the host that its reader requests.
    this.#linkClient =
      publicEndpoint === undefined
        ? this.#client
        : createS3Client(settings, publicEndpoint, patience);
  }

  /** Tries every needed operation once. */
  async start(): Promise<void> {
    const key = `check/${randomUUID()}`;
    const trials: [action: string, run: () => Promise<unknown>][] = [
      ['list (s3:ListBucket)', () => this.list(key).next()],
      ['write to (s3:PutObject)', () => this.put(key, new Uint8Array(1))],
      ['read from (s3:GetObject)', () => this.read(key)],
      ['delete from (s3:DeleteObject)', () => this.delete(key)],
    ];
    for (const [action, run] of trials) {
      await run().catch((error: unknown) => {
        throw new Error(describeStoreFault(error, this.#settings, action), { cause: error });
      });
      // Requests would then be signed with the store's time, but links would start or end at a
      // different time than stated.
      if (Math.abs(this.#client.config.systemClockOffset) > maxClockOffsetMs)
        throw new Error(describeClockFault(this.#settings));
    }
  }

  async put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    options: PutOptions = {},
  ): Promise<BlobInfo> {
    const { sizeBytes: announced, signal, contentType = usualContentType } = options;
    const target = { ...this.#place(key), ContentType: checkContentType(contentType) };
    signal?.throwIfAborted();
    if (
      body instanceof Uint8Array &&
      body.byteLength <= partBytes &&
      body.byteLength === (announced ?? body.byteLength)
    ) {
      await request(this.#client.send(new PutObjectCommand({ ...target, Body: body })));
      return { sizeBytes: body.byteLength, contentType };
    }
    const chunks = body instanceof Uint8Array ? [body] : body;
    const sizeBytes = await request(
      uploadBody(this.#client, target, chunks, { sizeBytes: announced, signal }),
    );
    return { sizeBytes, contentType };
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    const chunks = await this.get(key);
    if (chunks === undefined) return undefined;
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  async get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<AsyncIterableIterator<Uint8Array> | undefined> {
    const place = this.#place(key);
    const start = Math.max(0, range?.start ?? 0);
    const rangeFrom = (position: number) => `bytes=${start + position}-${range?.end ?? ''}`;
    if (range && range.end < start) return (await this.stat(key)) && emptyChunks();
    try {
      const { ETag, ...opened } = await this.#getObject({
        ...place,
        ...(range && { Range: rangeFrom(0) }),
      });
      // The same version of the blob or none: it may have been replaced meanwhile.
      return objectChunks(opened, (position) =>
        this.#getObject({ ...place, Range: rangeFrom(position), IfMatch: ETag }),
      );
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (range && isFault(error, 'InvalidRange')) return emptyChunks();
      throw faultOfRequest(error);
    }
  }

  async #getObject(
    input: GetObjectCommand['input'],
  ): Promise<OpenObject & { ETag: string | undefined }> {
    const { Body, ContentLength, ETag } = await this.#client.send(new GetObjectCommand(input));
    if (!(Body instanceof Readable) || ContentLength === undefined)
      throw new Error('The store returned no body.');
    return { body: Body, sizeBytes: ContentLength, ETag };
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    try {
      const { ContentLength, ContentType } = await this.#client.send(
        new HeadObjectCommand(this.#place(key)),
      );
      return { sizeBytes: ContentLength ?? 0, contentType: ContentType ?? usualContentType };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw faultOfRequest(error);
    }
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#place(key))).catch((error: unknown) => {
      if (!isMissing(error)) throw faultOfRequest(error);
    });
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const { bucket: Bucket, prefix: ours } = this.#settings;
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket, Prefix: ours + prefix },
    );
    for (let page = await request(pages.next()); !page.done; page = await request(pages.next())) {
      for (const { Key } of page.value.Contents ?? [])
        if (Key !== undefined) yield Key.slice(ours.length);
    }
  }

  async presign(key: string, options: PresignOptions): Promise<PresignedLink> {
    checkLinkOptions(options);
    const { expiresInSeconds, filename } = options;
    const command = new GetObjectCommand({
      ...this.#place(key),
      ResponseContentDisposition: attachment(filename),
    });
    const signingDate = new Date(Math.floor(this.#clock.now().getTime() / 1000) * 1000);
    const url = await getSignedUrl(this.#linkClient, command, {
      expiresIn: expiresInSeconds,
      signingDate,
    });
    return {
      url,
      expiresAt: await this.#expiry(signingDate.getTime() + Math.floor(expiresInSeconds) * 1000),
    };
  }

  /** A link that was signed with temporary credentials expires with them. */
  async #expiry(atMs: number): Promise<Date> {
    const { expiration } = await this.#linkClient.config.credentials();
    return new Date(Math.min(atMs, expiration?.getTime() ?? atMs));
  }

  async close(): Promise<void> {
    this.#client.destroy();
    this.#linkClient.destroy();
  }

  #place(key: string): { Bucket: string; Key: string } {
    checkBlobKey(key);
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + key };
  }
}

function request<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw faultOfRequest(error);
  });
}

async function* emptyChunks(): AsyncGenerator<Uint8Array> {}

/**
 * Returns the header that makes a browser save a file under this name (RFC 6266 §4.3), with an
 * ASCII fallback.
 */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** An object, or a range of it, that is being read. */
interface OpenObject {
  body: Readable;
  /** Length of the body in bytes. */
  sizeBytes: number;
}

/** Reading fails after this many consecutive disconnects without a byte received in between. */
const maxBreaks = 3;

/**
 * Yields the bytes of an object in chunks. If the connection breaks, reading resumes at that
 * offset.
 * @param opened the opened object; closed when the reader stops, even before the first chunk
 * @param reopen reopens the same object, skipping the first bytes
 */
function objectChunks(
  opened: OpenObject,
  reopen: (position: number) => Promise<OpenObject>,
): AsyncIterableIterator<Uint8Array> {
  const { sizeBytes } = opened;
  let { body } = opened;
  let chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let position = 0;
  let breaks = 0;

  async function take(): Promise<IteratorResult<Uint8Array>> {
    const next = await chunks.next();
    if (next.done && position < sizeBytes)
      throw new Error(`The store sent ${position} of ${sizeBytes} bytes.`);
    return next;
  }

  async function resume(fault: unknown): Promise<void> {
    body.destroy();
    breaks += 1;
    if (breaks > maxBreaks) throw storeSilent(fault);
    const reopened = await reopen(position).catch((error: unknown) => {
      throw faultOfRequest(error);
    });
    body = reopened.body;
    chunks = body[Symbol.asyncIterator]();
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      for (;;) {
        try {
          const next = await take();
          if (next.done) return next;
          breaks = 0;
          position += next.value.byteLength;
          return next;
        } catch (fault) {
          await resume(fault);
        }
      }
    },
    async return() {
      body.destroy();
      return { done: true, value: undefined };
    },
  };
}
