import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import type { ArchiveForm } from '@docent/format/exports/export-options.ts';
import { type Pack, pack } from 'tar-stream';
import { type BundleFile, chunksOf, sizeOf } from './bundle-file.ts';
import { gzipRuns, type KeptRuns } from './packed-runs.ts';
import { tarHeader } from './tar-header.ts';

const CHUNK_BYTES = 256 * 1024;
/**
 * Takes as long as gzip does here, for two thirds of the bytes. Its window of 2 MB holds the pages
 * before, which share their frame.
 */
const ZSTD = {
  params: { [constants.ZSTD_c_compressionLevel]: 7, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: CHUNK_BYTES,
};
/** Name of the attribute with the media type of a file. */
export const CONTENT_TYPE = 'SCHILY.xattr.user.mime_type';
/** Time of a file whose content is read only once: 1970. */
const UNKNOWN_TIME = new Date(0);
const FIRST_TIME_MS = Date.UTC(2000);
/** Hexadecimal digits of a hash that a time is made from: enough for 8 years of seconds. */
const TIME_DIGITS = 7;

/**
 * Streams files into a single archive, holding only the current file in memory. Owners and modes are
 * fixed and times made from the content, so that identical files give identical bytes. An error of
 * `files` ends the iteration with that error. Files are first asked for when the archive is: what
 * nobody reads opens nothing that would have to be closed.
 */
export async function* packBundle(
  files: AsyncIterable<BundleFile>,
  form: ArchiveForm = 'tar.gz',
  kept?: KeptRuns,
): AsyncGenerator<Uint8Array> {
  if (form === 'tar.gz') {
    yield* gzipRuns(files, { tarOf: withoutEnd, end: Buffer.alloc(END_BYTES), kept });
    return;
  }
  const packer = createZstdCompress(ZSTD);
  // The reader of `packer` receives every error, so ignore it here.
  pipeline(Readable.from(inLargeChunks(tarOf(files))), packer, () => {});
  yield* packer as AsyncIterable<Uint8Array>;
}

/** Zeros at the end of an archive. */
const END_BYTES = 1024;
/** A file fills whole blocks of this size. */
const PADDING = new Uint8Array(512);

/** Files as in an archive that goes on after them. */
async function* withoutEnd(files: Iterable<BundleFile>): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    const header =
      file.contentType === undefined ? tarHeader(file.path, sizeOf(file), timeOf(file)) : undefined;
    if (header === undefined) {
      yield* heldBack(tarOf([file]), END_BYTES);
      continue;
    }
    yield header;
    let leftBytes = sizeOf(file);
    for await (const chunk of chunksOf(file)) {
      leftBytes -= chunk.byteLength;
      yield chunk;
    }
    if (leftBytes !== 0) throw wrongSize(file);
    yield PADDING.subarray(0, -sizeOf(file) & (PADDING.length - 1));
  }
}

/** Omits the last bytes. */
async function* heldBack(
  chunks: AsyncIterable<Uint8Array>,
  endBytes: number,
): AsyncGenerator<Uint8Array> {
  const heldChunks: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    heldChunks.push(chunk);
    heldBytes += chunk.byteLength;
    while (heldChunks[0] && heldBytes - heldChunks[0].byteLength >= endBytes) {
      const first = heldChunks.shift() as Uint8Array;
      heldBytes -= first.byteLength;
      yield first;
    }
  }
  yield Buffer.concat(heldChunks, heldBytes).subarray(0, -endBytes);
}

/** The archive without compression. */
export async function* tarOf(
  files: Iterable<BundleFile> | AsyncIterable<BundleFile>,
): AsyncGenerator<Uint8Array> {
  const archive = pack();
  addFiles(archive, files).catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Uint8Array>;
}

/** Adds the files one after another, as fast as the archive is read. */
async function addFiles(
  archive: Pack,
  files: Iterable<BundleFile> | AsyncIterable<BundleFile>,
): Promise<void> {
  for await (const file of files) {
    const size = sizeOf(file);
    const pax = file.contentType === undefined ? {} : { pax: { [CONTENT_TYPE]: file.contentType } };
    const entry = archive.entry({ name: file.path, size, mtime: timeOf(file), ...pax });
    const closed = once(entry, 'close');
    // Awaited below, unless the file itself fails.
    closed.catch(() => {});
    let leftBytes = size;
    for await (const chunk of chunksOf(file)) {
      leftBytes -= chunk.byteLength;
      // If nobody reads the archive any more, the entry never drains, but closes.
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), closed]);
      if (entry.destroying) return;
    }
    if (leftBytes !== 0) throw wrongSize(file);
    entry.end(null);
    await closed;
  }
  archive.finalize();
}

function wrongSize({ path }: BundleFile): Error {
  return new Error(`The file ${path} does not have the declared size.`);
}

/**
 * Returns the time of a file in an archive. Web servers take a file of the same size and time for the
 * one that a browser has, so a file whose content has changed needs another time.
 */
function timeOf(file: BundleFile): Date {
  if (!('sha256' in file) || file.sha256 === undefined) return UNKNOWN_TIME;
  const seconds = Number.parseInt(file.sha256.slice(0, TIME_DIGITS), 16);
  return new Date(FIRST_TIME_MS + seconds * 1000);
}

/**
 * Merges small chunks: each costs a switch to the compressor's thread, and an archive consists of
 * many.
 */
async function* inLargeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pendingChunks: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    const isLarge = chunk.byteLength >= CHUNK_BYTES;
    if (!isLarge) {
      pendingChunks.push(chunk);
      heldBytes += chunk.byteLength;
    }
    if (heldBytes >= CHUNK_BYTES || (isLarge && heldBytes > 0)) {
      yield Buffer.concat(pendingChunks, heldBytes);
      pendingChunks = [];
      heldBytes = 0;
    }
    if (isLarge) yield chunk;
  }
  yield Buffer.concat(pendingChunks, heldBytes);
}
