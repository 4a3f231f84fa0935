import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { PutOptions } from '../../ports/blob-store.ts';
import { abortable } from './abortable.ts';
import { isFault } from './s3-client.ts';

/** Larger bodies are uploaded in parts of this size. */
export const partBytes = 8 * 1024 * 1024;
const maxParts = 10_000;
/** Maximum parts of one upload in flight; each is held in memory. */
const parallelParts = 3;

interface UploadTarget {
  Bucket: string;
  Key: string;
  ContentType: string;
}

/**
 * Stores a body of any length with little memory. Nothing is readable until the upload is complete:
 * the last request makes it visible. That request is not aborted, because its outcome would be
 * unknown.
 * @returns number of bytes stored
 */
export async function uploadBody(
  client: S3Client,
  target: UploadTarget,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { sizeBytes, signal }: Pick<PutOptions, 'sizeBytes' | 'signal'>,
): Promise<number> {
  const failed = new AbortController();
  const ended = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  // Some stores require parts of equal size, so the size is chosen before the first part.
  const size = Math.max(partBytes, Math.ceil((sizeBytes ?? 0) / maxParts));
  const parts = cutIntoParts(abortable(body, ended), size, sizeBytes);
  const first = (await parts.next()).value as BodyPart;
  if (!first.isLast) return new MultipartUpload(client, target, failed, ended).run(first, parts);
  ended.throwIfAborted();
  await client.send(new PutObjectCommand({ ...target, Body: first.bytes }));
  return first.bytes.byteLength;
}

class MultipartUpload {
  readonly #client: S3Client;
  readonly #target: UploadTarget;
  readonly #failed: AbortController;
  /** Aborted by the caller, or because a part failed. */
  readonly #ended: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  readonly #done: CompletedPart[] = [];
  /** Later identifies whether the stored object is ours. */
  readonly #mark = randomUUID();
  #uploadId = '';

  constructor(client: S3Client, target: UploadTarget, failed: AbortController, ended: AbortSignal) {
    this.#client = client;
    this.#target = target;
    this.#failed = failed;
    this.#ended = ended;
  }

  async run(first: BodyPart, rest: AsyncGenerator<BodyPart, void, undefined>): Promise<number> {
    const begin = new CreateMultipartUploadCommand({
      ...this.#target,
      Metadata: { upload: this.#mark },
    });
    this.#uploadId = (await this.#client.send(begin)).UploadId ?? '';
    try {
      let sizeBytes = await this.#start(first);
      for await (const part of rest) sizeBytes += await this.#start(part);
      await Promise.all(this.#running);
      this.#ended.throwIfAborted();
      await this.#complete();
      return sizeBytes;
    } catch (error) {
      this.#failed.abort(error);
      await Promise.all(this.#running);
      await this.#abandon();
      throw error;
    }
  }

  /** Waits for a free slot, not for the part to finish. */
  async #start({ number, bytes }: BodyPart): Promise<number> {
    if (number > maxParts)
      throw new RangeError(
        `A blob may have ${maxParts * partBytes} bytes where its size is not announced.`,
      );
    const sending = this.#send(number, bytes)
      .catch((error: unknown) => this.#failed.abort(error))
      .finally(() => this.#running.delete(sending));
    this.#running.add(sending);
    if (this.#running.size >= parallelParts) await Promise.race(this.#running);
    this.#ended.throwIfAborted();
    return bytes.byteLength;
  }

  async #send(PartNumber: number, Body: Uint8Array): Promise<void> {
    const command = new UploadPartCommand({ ...this.#place(), PartNumber, Body });
    const { ETag } = await this.#client.send(command, { abortSignal: this.#ended });
    this.#done.push({ PartNumber, ETag });
  }

  async #complete(): Promise<void> {
    const Parts = this.#done.sort((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    try {
      await this.#client.send(
        new CompleteMultipartUploadCommand({ ...this.#place(), MultipartUpload: { Parts } }),
      );
    } catch (error) {
      // A retry finds this if the first attempt succeeded and only its answer was lost.
      if (!isFault(error, 'NoSuchUpload') || !(await this.#isThere())) throw error;
    }
  }

  async #isThere(): Promise<boolean> {
    const { Bucket, Key } = this.#target;
    const { Metadata } = await this.#client.send(new HeadObjectCommand({ Bucket, Key }));
    return Metadata?.upload === this.#mark;
  }

  /**
   * Deletes the parts, which would cost money although they are unreadable. A lifecycle rule of the
   * bucket removes the rest.
   */
  async #abandon(): Promise<void> {
    await this.#client.send(new AbortMultipartUploadCommand(this.#place())).catch(() => {});
  }

  #place() {
    const { Bucket, Key } = this.#target;
    return { Bucket, Key, UploadId: this.#uploadId };
  }
}

/** One part of a body that is uploaded. */
interface BodyPart {
  /** Starts at 1. */
  number: number;
  bytes: Uint8Array;
  isLast: boolean;
}

/**
 * Splits a body into parts of equal size. The last may be shorter, and an empty body is one empty
 * part. Yields a part once it is known whether more follow, so at most two are in memory.
 * @throws RangeError if the size of the body differs from the announced size; thrown before the
 *   last part is yielded
 */
async function* cutIntoParts(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
  announcedBytes: number | undefined,
): AsyncGenerator<BodyPart, void, undefined> {
  const room = Math.min(partBytes, announcedBytes ?? partBytes);
  let buffer = Buffer.allocUnsafe(room);
  let filled = 0;
  let number = 1;
  let totalBytes = 0;
  const checkSize = (isWrong: boolean) => {
    if (isWrong)
      throw new RangeError(
        `The blob has ${totalBytes} bytes or more; ${announcedBytes} were announced.`,
      );
  };
  for await (const chunk of body) {
    totalBytes += chunk.byteLength;
    checkSize(announcedBytes !== undefined && totalBytes > announcedBytes);
    for (let taken = 0; taken < chunk.byteLength; ) {
      if (filled === room) {
        yield { number, bytes: buffer, isLast: false };
        buffer = Buffer.allocUnsafe(room);
        filled = 0;
        number += 1;
      }
      const piece = chunk.subarray(taken, taken + room - filled);
      buffer.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
    }
  }
  checkSize(announcedBytes !== undefined && totalBytes < announcedBytes);
  yield { number, bytes: buffer.subarray(0, filled), isLast: true };
}
