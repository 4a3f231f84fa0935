import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { DocentError } from '@docent/format/errors.ts';
import { type ArchiveForm, archiveForms } from '@docent/format/exports/export-options.ts';
import { extract, type Header } from 'tar-stream';

export interface ArchiveLimits {
  /** Total unpacked size. */
  unpackedBytes: number;
  /** Number of entries, including folders. */
  files: number;
  /** Unpacked size of one file. */
  fileBytes: number;
  /** Maximum ratio of the content's size to the archive's; only checked past 16 MiB. */
  ratio: number;
}

export const defaultArchiveLimits: ArchiveLimits = {
  unpackedBytes: 512 * 1024 * 1024,
  files: 50_000,
  fileBytes: 64 * 1024 * 1024,
  ratio: 200,
};

/** Small text archives may compress very well; below this size no ratio is harmful. */
const ratioFromBytes = 16 * 1024 * 1024;

/** Counts the resources that an archive uses and throws at the first byte over the limit. */
export class ArchiveMeter {
  readonly #limits: ArchiveLimits;
  #packedBytes = 0;
  #unpackedBytes = 0;
  #entries = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  countPacked(bytes: number): void {
    this.#packedBytes += bytes;
  }

  countUnpacked(bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes, ratio } = this.#limits;
    if (this.#unpackedBytes > unpackedBytes)
      throw refused(`contains more than ${inMebibytes(unpackedBytes)} when unpacked`);
    if (this.#unpackedBytes > ratioFromBytes && this.#unpackedBytes > ratio * this.#packedBytes) {
      throw refused(`is more than ${ratio} times larger when unpacked`);
    }
  }

  countEntries(count = 1): void {
    this.#entries += count;
    if (this.#entries > this.#limits.files)
      throw refused(`has more than ${this.#limits.files} entries`);
  }

  checkFile(path: string, bytes: number): void {
    const { fileBytes } = this.#limits;
    if (bytes > fileBytes) {
      throw new DocentError(
        'invalid_archive',
        `The file ${JSON.stringify(path)} is larger than ${inMebibytes(fileBytes)}.`,
      );
    }
  }
}

function refused(what: string): DocentError {
  return new DocentError(
    'invalid_archive',
    `The archive ${what}. Remove what the documentation does not need.`,
  );
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}

export interface TarEntry {
  /** As written in the archive; not checked. */
  name: string;
  /** `other` means devices, pipes and everything that is not part of a source. */
  type: 'file' | 'folder' | 'symbolic-link' | 'hard-link' | 'other';
  sizeBytes: number;
  /** Target of a link as written in the archive; not checked. */
  linkName: string;
  /**
   * Reads the content; may be called once, before the next entry is requested. Unread content is
   * skipped.
   */
  read(): Promise<Uint8Array>;
  /** Like `read`, piece by piece. */
  chunks(): AsyncIterable<Uint8Array>;
}

const types = new Map<string, TarEntry['type']>([
  ['file', 'file'],
  ['contiguous-file', 'file'],
  ['directory', 'folder'],
  ['symlink', 'symbolic-link'],
  ['link', 'hard-link'],
]);

/**
 * Yields the entries of a tar one by one, no faster than they are requested. Throws if the bytes
 * are not a tar.
 */
async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = extract();
  const flow = pipeline(
    Readable.from(chunks, { objectMode: false }),
    entries as unknown as NodeJS.WritableStream,
  );
  // Handled below: by the loop, or at its end.
  flow.catch(() => {});
  try {
    for await (const entry of entries) {
      yield {
        ...describe(entry.header),
        read: () => bytesOf(entry),
        chunks: () => entry as AsyncIterable<Uint8Array>,
      };
      entry.resume();
    }
    await flow;
  } finally {
    entries.destroy();
  }
}

function describe({ name, type, size, linkname, pax }: Header): Omit<TarEntry, 'read' | 'chunks'> {
  // The content of such a file is not its bytes but a map of them.
  const sparse = Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  const plain = sparse ? undefined : types.get(type);
  const isFolder = plain === 'file' && name.endsWith('/');
  return {
    name,
    type: isFolder ? 'folder' : (plain ?? 'other'),
    sizeBytes: size,
    linkName: linkname ?? '',
  };
}

async function bytesOf(entry: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/**
 * Yields the entries inside an archive, counted; their names are not checked.
 * @param forms what it may be; a `.tar.gz` always
 * @throws DocentError `invalid_archive`; errors of the stream are passed on unchanged
 */
export async function* readEntries(
  stream: AsyncIterable<Uint8Array>,
  meter: ArchiveMeter,
  forms: readonly ArchiveForm[] = ['tar.gz'],
): AsyncGenerator<TarEntry> {
  const source: { fault?: unknown } = {};
  const rethrow = (error: unknown): never => {
    throw source.fault ?? archiveFault(error, forms);
  };
  try {
    for await (const entry of readTar(unpack(countPacked(stream, meter, source), meter, forms))) {
      yield {
        ...entry,
        read: () => entry.read().catch(rethrow),
        chunks: () => rethrowing(entry.chunks(), rethrow),
      };
    }
  } catch (error) {
    rethrow(error);
  }
}

async function* rethrowing(
  chunks: AsyncIterable<Uint8Array>,
  rethrow: (error: unknown) => never,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    rethrow(error);
  }
}

const ZSTD_START = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const CHUNK = { chunkSize: 64 * 1024 };
/**
 * Four times the window of our own archives: an archive must not decide how much memory it takes.
 */
const MAX_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

async function* unpack(
  packed: AsyncIterable<Uint8Array>,
  meter: ArchiveMeter,
  forms: readonly ArchiveForm[],
): AsyncGenerator<Uint8Array> {
  const { start, whole } = await readStart(packed, ZSTD_START.length);
  const isZstd = forms.includes('tar.zst') && start.equals(ZSTD_START);
  const unpacker = isZstd ? createZstdDecompress({ ...CHUNK, ...MAX_WINDOW }) : createGunzip(CHUNK);
  // The loop below handles its errors.
  pipeline(whole, unpacker).catch(() => {});
  try {
    for await (const chunk of unpacker as AsyncIterable<Uint8Array>) {
      meter.countUnpacked(chunk.length);
      yield chunk;
    }
  } finally {
    unpacker.destroy();
  }
}

/** Returns the first bytes of a stream, and the stream from its beginning. */
async function readStart(
  stream: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ start: Buffer; whole: AsyncIterable<Uint8Array> }> {
  const rest = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { start: head.subarray(0, length), whole: whole() };
}

async function* countPacked(
  stream: AsyncIterable<Uint8Array>,
  meter: ArchiveMeter,
  source: { fault?: unknown },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      meter.countPacked(chunk.length);
      yield chunk;
    }
  } catch (error) {
    source.fault = error;
    throw error;
  }
}

function archiveFault(error: unknown, forms: readonly ArchiveForm[]): unknown {
  if (error instanceof DocentError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const detail =
    code === 'Z_BUF_ERROR' || message === 'Unexpected end of data'
      ? 'The archive is incomplete. Create it again, or upload it again.'
      : `The archive is not a ${archiveForms
          .filter((form) => forms.includes(form))
          .map((form) => `.${form}`)
          .join(' or ')}, or it is damaged. Create it again with tar -czf.`;
  return new DocentError('invalid_archive', detail, { cause: error });
}
