import { type FileHandle, open } from 'node:fs/promises';
import type { BlobInfo } from '../../ports/blob-store.ts';
import { checkContentType, longestContentTypeBytes } from './content-type.ts';

/**
 * A blob on disk is its bytes, then its content type, then eight bytes: the length of the content type and a mark. In one
 * file, because bytes and type must appear together.
 */
const mark = Buffer.from('dcnt');
const footerBytes = 4 + mark.length;
const chunkBytes = 256 * 1024;

/** What is written behind the bytes. Throws `TypeError` where the content type is no header value. */
export function blobTrailer(contentType: string): Uint8Array {
  checkContentType(contentType);
  const footer = Buffer.alloc(footerBytes);
  footer.writeUInt32BE(contentType.length, 0);
  mark.copy(footer, 4);
  return Buffer.concat([Buffer.from(contentType, 'latin1'), footer]);
}

/** Size and type of the blob in a file, or `undefined` where there is no file. */
export async function readBlobInfo(file: string): Promise<BlobInfo | undefined> {
  const handle = await openIfThere(file);
  try {
    return handle && (await readTrailer(handle, file));
  } finally {
    await handle?.close();
  }
}

/** The whole blob in a file, or `undefined` where there is no file. */
export async function readBlob(file: string): Promise<Uint8Array | undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    const { sizeBytes } = await readTrailer(handle, file);
    return await readAt(handle, 0, sizeBytes, file);
  } finally {
    await handle.close();
  }
}

/** The bytes from `start` up to, without, `end`. The file is open only while they are read. */
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

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readTrailer(handle: FileHandle, file: string): Promise<BlobInfo> {
  const { size } = await handle.stat();
  // Mostly the type is short, and one read gets it with the footer.
  const tailBytes = Math.min(size, footerBytes + longestContentTypeBytes);
  const tail = await readAt(handle, size - tailBytes, tailBytes, file);
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
