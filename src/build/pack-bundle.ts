import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { BundleFile } from './bundle-files.ts';

/** Good compression for HTML; higher levels cost twice the time for two per cent. */
const GZIP_LEVEL = 6;
const CHUNK_BYTES = 256 * 1024;

/**
 * Packs files into one `.tar.gz`, streamed: it holds no more than the file at hand. Owners, times and modes are fixed, so
 * that equal files give equal bytes. An error of `files` ends the iteration with that error.
 */
export function packBundle(files: AsyncIterable<BundleFile>): AsyncIterable<Uint8Array> {
  const tar = pack();
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  // The reader of `gzip` sees every error; there is nobody else to tell.
  pipeline(Readable.from(inLargeChunks(tar as AsyncIterable<Uint8Array>)), gzip, () => {});
  addEntries(tar, files).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return gzip;
}

/** Each chunk costs the compressor a trip to another thread, and an archive is made of many small ones. */
async function* inLargeChunks(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldBytes += chunk.byteLength;
    if (heldBytes < CHUNK_BYTES) continue;
    yield Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
  }
  yield Buffer.concat(held, heldBytes);
}

async function addEntries(tar: ReturnType<typeof pack>, files: AsyncIterable<BundleFile>): Promise<void> {
  for await (const { path, bytes } of files) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const header = { name: path, size: bytes.byteLength, mode: 0o644, mtime: new Date(0), type: 'file' as const };
    tar.entry(header, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (error) =>
      error ? reject(error) : resolve(),
    );
    await promise;
  }
}
