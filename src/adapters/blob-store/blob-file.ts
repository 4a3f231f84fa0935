import { close, fstat, open as openDescriptor, read, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { BlobInfo } from '../../ports/blob-store.ts';
import { checkContentType, maxContentTypeBytes } from './check-arguments.ts';

/**
 * A blob file contains the bytes, then the content type, then eight bytes: the length of the content type and a marker. A single
 * file, because bytes and type must appear together.
 */
const mark = Buffer.from('dcnt');
const footerBytes = 4 + mark.length;
const chunkBytes = 256 * 1024;

const openFile: (file: string, flags: string) => Promise<number> = promisify(openDescriptor);
const statFile: (descriptor: number) => Promise<Stats> = promisify(fstat);
const readFrom = promisify(read<Buffer>);
const closeFile = promisify(close);

/** Returns what is written after the bytes. Throws `TypeError` if the content type is not a valid header value. */
export function blobTrailer(contentType: string): Uint8Array {
  checkContentType(contentType);
  const footer = Buffer.alloc(footerBytes);
  footer.writeUInt32BE(contentType.length, 0);
  mark.copy(footer, 4);
  return Buffer.concat([Buffer.from(contentType, 'latin1'), footer]);
}

/** Returns the size and type of the blob in a file, or `undefined` if there is no file. */
export async function readBlobInfo(file: string): Promise<BlobInfo | undefined> {
  const handle = await ifThere(open(file));
  try {
    return handle && (await readTrailer(handle, file));
  } finally {
    await handle?.close();
  }
}

/**
 * Returns the whole blob in a file, or `undefined` if there is no file. Uses bare descriptors and a single read, because exports
 * read thousands of small files: it takes half the time of a `FileHandle`.
 */
export async function readBlob(file: string): Promise<Uint8Array | undefined> {
  const descriptor = await ifThere(openFile(file, 'r'));
  if (descriptor === undefined) return undefined;
  try {
    const { size } = await statFile(descriptor);
    const whole = Buffer.allocUnsafeSlow(size);
    for (let filled = 0; filled < size; ) {
      const { bytesRead } = await readFrom(descriptor, whole, filled, size - filled, filled);
      if (bytesRead === 0) throw new Error(`The file ${file} ends too early.`);
      filled += bytesRead;
    }
    return whole.subarray(0, parseTrailer(whole, size, file).sizeBytes);
  } finally {
    await closeFile(descriptor);
  }
}

/** Yields the bytes from `start` to `end` (exclusive). The file is open only while they are read. */
export async function* readBlobChunks(file: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  const handle = await open(file);
  try {
    for (let position = start; position < end; position += chunkBytes) {
      yield await readAt(handle, position, Math.min(chunkBytes, end - position), file);
    }
  } finally {
    await handle.close();
  }
}

async function ifThere<Opened>(opening: Promise<Opened>): Promise<Opened | undefined> {
  try {
    return await opening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readTrailer(handle: FileHandle, file: string): Promise<BlobInfo> {
  const { size } = await handle.stat();
  // The type is usually short, so one read gets it together with the footer.
  const tailBytes = Math.min(size, footerBytes + maxContentTypeBytes);
  return parseTrailer(await readAt(handle, size - tailBytes, tailBytes, file), size, file);
}

/**
 * @param tail the end of the file, or the whole file
 * @param size size of the file in bytes
 */
function parseTrailer(tail: Buffer, size: number, file: string): BlobInfo {
  const tailBytes = tail.byteLength;
  const typeBytes = tailBytes < footerBytes ? -1 : tail.readUInt32BE(tailBytes - footerBytes);
  if (typeBytes < 0 || typeBytes > tailBytes - footerBytes || !tail.subarray(-mark.length).equals(mark)) {
    throw new Error(`The file ${file} is not a whole blob.`);
  }
  const sizeBytes = size - footerBytes - typeBytes;
  return { sizeBytes, contentType: tail.toString('latin1', tailBytes - footerBytes - typeBytes, tailBytes - footerBytes) };
}

async function readAt(handle: FileHandle, position: number, size: number, file: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, position + filled);
    if (bytesRead === 0) throw new Error(`The file ${file} ends too early.`);
    filled += bytesRead;
  }
  return bytes;
}
