import { hash, randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { IndexSegment } from '@docent/search/load/build-search-index.ts';
import { writeWholeSync } from '../files/nameless-file.ts';
import { IndexFile } from '../files/record-file.ts';
import { programVersion } from '../process/program-version.ts';
import { KeptValues } from '../source/kept-values.ts';
import type { PageResult } from './page-result.ts';
import type { KeptSegments } from './search-feed.ts';

/**
 * Sites of about ten thousand pages stay below; the rest of a larger pack is neither written nor
 * read.
 */
export const MAX_PACK_BYTES = 256 * 1024 * 1024;
/** Maximum unpacked size of a page. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
/** Most pages fit into a chunk; several would be copied together. */
const UNPACKING = { maxOutputLength: MAX_PAGE_BYTES, chunkSize: 64 * 1024 };
/** The form of a pack, before the mark of the compiler that wrote it. */
const FORM = Buffer.from('docent pages 6\n');
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
/** So much is copied from pack to pack at once. */
const COPIED_BYTES = 1024 * 1024;
/** Begins the path of a segment of the search index, which no page has. */
const SEGMENT = '\0';
/** The path of `values`. */
const VALUES = '\u0001';
const NOTHING = Buffer.alloc(0);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Where the pack of the last build is, and where that of this build is written. */
export interface PagePackFiles {
  /** Need not exist. */
  from?: string | undefined;
  to: string;
}

/**
 * The compiled pages of a site as one file, passed from one build to the next. Pages are in the
 * files, and never all in memory.
 */
export interface PagePack extends KeptSegments {
  readonly values: KeptValues;
  /**
   * Returns the page of an earlier build at this path; the caller checks whether it is still valid.
   */
  find(pagePath: string): PageResult | undefined;
  /** Sets its `termsKey`. */
  keep(pagePath: string, result: PageResult): void;
  /**
   * Completes the pack with the pages that were found.
   * @returns whether there is one; there is none if it equals the former, or cannot be written: the
   *   next build is only slower
   */
  write(): boolean;
}

/** Where the parts of an entry are: the body, the terms and the content. */
interface Place {
  at: number;
  bodyBytes: number;
  termsBytes: number;
  contentBytes: number;
  /** Of all three. */
  checksum: string;
  /** Of the content before it was packed. */
  sha256: string;
}

/**
 * Opens a pack. Parts that are damaged or from another version are ignored.
 * @param version identifies the compiler; a page of another is never used
 */
export function openPagePack({ from, to }: PagePackFiles, version: string): PagePack {
  const mark = Buffer.concat([FORM, hash('sha256', version, 'buffer')]);
  const old = openPack(from);
  const places = old === undefined ? new Map<string, Place>() : readPlaces(old, mark);
  const values = new KeptValues(old && readValues(old, places.get(VALUES)));
  places.delete(VALUES);
  const present = new Set<string>();
  // Two commands may write the same pack.
  const part = `${to}.${randomUUID()}.part`;
  let packFile: number | undefined;
  const newPlaces = new Map<string, Place>();
  let writtenBytes = mark.length;
  let isBroken = false;

  function write(bytes: Uint8Array): void {
    if (packFile === undefined) {
      packFile = openSync(part, 'w', 0o600);
      writeWholeSync(packFile, mark);
    }
    writeWholeSync(packFile, bytes);
    writtenBytes += bytes.length;
  }

  function append(path: string, sha256: string, parts: readonly [Buffer, Buffer, Buffer]): void {
    const entry = Buffer.concat(parts);
    if (writtenBytes + entry.length > MAX_PACK_BYTES) return;
    const [bodyBytes, termsBytes, contentBytes] = parts.map(({ length }) => length) as Lengths;
    const lengths = { bodyBytes, termsBytes, contentBytes };
    newPlaces.set(path, { at: writtenBytes, ...lengths, checksum: hash('sha256', entry), sha256 });
    write(entry);
  }

  /** Copies entries of the former pack, neighbors together. */
  function appendPresent(pack: IndexFile): void {
    const entries = [...present].map((path) => [path, places.get(path) as Place] as const);
    entries.sort(([, a], [, b]) => a.at - b.at);
    for (let next = 0; next < entries.length; ) {
      const start = entries[next]?.[1].at as number;
      let end = start;
      const from = next;
      for (let place = entries[next]?.[1]; place?.at === end; place = entries[++next]?.[1]) {
        if (end > start && endOf(place) - start > COPIED_BYTES) break;
        end = endOf(place);
      }
      if (writtenBytes + end - start > MAX_PACK_BYTES) continue;
      for (const [path, place] of entries.slice(from, next))
        newPlaces.set(path, { ...place, at: writtenBytes + place.at - start });
      write(pack.read(start, end));
    }
  }

  /** Gives the new pack up if it cannot be written, for example because the disk is full. */
  function attempt(write: () => void): void {
    if (isBroken) return;
    try {
      write();
    } catch {
      isBroken = true;
      if (packFile !== undefined) closeSync(packFile);
      rmSync(part, { force: true });
    }
  }

  return {
    values,
    find(pagePath) {
      const place = places.get(pagePath);
      const result = place && readResult(old as IndexFile, place);
      if (result) present.add(pagePath);
      return result;
    },
    keep(pagePath, result) {
      present.delete(pagePath);
      attempt(() => append(pagePath, result.file.sha256, pageParts(result)));
    },
    findSegment(key) {
      const place = places.get(SEGMENT + key);
      const body = place && readBody(old as IndexFile, place);
      if (!body) return undefined;
      present.add(SEGMENT + key);
      return deserialize(unpack(body)) as IndexSegment;
    },
    keepSegment(key, segment) {
      attempt(() => append(SEGMENT + key, '', [pack(serialize(segment)), NOTHING, NOTHING]));
    },
    write() {
      const isChanged = packFile !== undefined || present.size < places.size || values.isChanged;
      const complete = () => {
        if (values.used.size > 0) append(VALUES, '', [serialize(values.used), NOTHING, NOTHING]);
        if (old) appendPresent(old);
        write(makeIndex(newPlaces));
        closeSync(packFile as number);
        renameSync(part, to);
      };
      if (isChanged) attempt(complete);
      old?.close();
      return isChanged && !isBroken;
    },
  };
}

/** What is kept between builds is damaged: without it, a build does not fail. */
export class DamagedPack extends Error {}

/** The contents of the pages of a pack as it was when it was opened. */
export interface PackedContents {
  has(sha256: string): boolean;
  /** @throws DamagedPack; Error if there is none */
  read(sha256: string): Uint8Array;
  close(): void;
}

/** Opens the contents of a pack for a process that needs nothing else of it. */
export function openPackedContents(path: string): PackedContents {
  const file = openPack(path);
  const places = file === undefined ? [] : readPlaces(file, FORM).values();
  const bySha256 = new Map(Array.from(places, (place) => [place.sha256, place]));
  return {
    has: (sha256) => bySha256.has(sha256),
    read(sha256) {
      const content = contentOr(file as IndexFile, bySha256.get(sha256) as Place);
      if (content === undefined || hash('sha256', content) !== sha256)
        throw new DamagedPack(`A page in ${path} is damaged.`);
      return content;
    },
    close() {
      file?.close();
    },
  };
}

function openPack(path: string | undefined): IndexFile | undefined {
  const info = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return info && new IndexFile(path as string, info.size);
}

type Lengths = [number, number, number];

function pageParts(result: PageResult): [Buffer, Buffer, Buffer] {
  const { content, terms, ...rest } = result;
  const packedTerms = terms ? pack(serialize(terms)) : NOTHING;
  if (terms) {
    result.termsKey = hash('sha256', packedTerms);
    rest.termsKey = result.termsKey;
  }
  // Most builds need neither: they have them in a segment of the index, and in the store.
  return [serialize(rest), packedTerms, pack(content)];
}

function readContent(file: IndexFile, place: Place): Uint8Array<ArrayBuffer> {
  const at = contentAt(place);
  return unpack(file.read(at, endOf(place)));
}

/** Undefined if it cannot be unpacked. */
function contentOr(file: IndexFile, place: Place): Uint8Array | undefined {
  try {
    return readContent(file, place);
  } catch {
    return undefined;
  }
}

function termsAt({ at, bodyBytes }: Place): number {
  return at + bodyBytes;
}

function contentAt(place: Place): number {
  return termsAt(place) + place.termsBytes;
}

function endOf(place: Place): number {
  return contentAt(place) + place.contentBytes;
}

/** Undefined if anything of the entry is damaged. */
function readBody(file: IndexFile, place: Place): Uint8Array | undefined {
  const entry = file.read(place.at, endOf(place));
  return hash('sha256', entry) === place.checksum ? entry.subarray(0, place.bodyBytes) : undefined;
}

function readResult(file: IndexFile, place: Place): PageResult | undefined {
  try {
    const body = readBody(file, place);
    if (!body) return undefined;
    const rest = deserialize(body) as Omit<PageResult, 'content' | 'terms'>;
    const result = Object.defineProperty(rest, 'content', {
      get: () => readContent(file, place),
      enumerable: true,
    }) as PageResult;
    if (place.termsBytes === 0) return result;
    const get = () => deserialize(unpack(file.read(termsAt(place), contentAt(place))));
    return Object.defineProperty(result, 'terms', { get, enumerable: true });
  } catch {
    return undefined;
  }
}

function readValues(file: IndexFile, place: Place | undefined): Map<string, unknown> | undefined {
  const body = place && readBody(file, place);
  return body && (deserialize(body) as Map<string, unknown>);
}

function pack(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, FAST);
}

function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zstdDecompressSync(packed, UNPACKING));
}

/** What a pack ends with: where its entries are, the hash of that, and its length. */
function makeIndex(places: ReadonlyMap<string, Place>): Buffer {
  const index = serialize(places);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(index.length);
  return Buffer.concat([index, hash('sha256', index, 'buffer'), length]);
}

/**
 * Returns where the entries of a pack are; none if anything of that is damaged.
 * @param mark what the pack begins with
 */
function readPlaces(file: IndexFile, mark: Buffer): Map<string, Place> {
  const bytesAt = (at: number, length: number) => Buffer.from(file.read(at, at + length).buffer);
  const hashAt = file.sizeBytes - LENGTH_BYTES - HASH_BYTES;
  if (hashAt < mark.length || !bytesAt(0, mark.length).equals(mark)) return new Map();
  const length = bytesAt(hashAt + HASH_BYTES, LENGTH_BYTES).readUInt32BE();
  if (length > hashAt - mark.length) return new Map();
  const index = bytesAt(hashAt - length, length);
  if (!hash('sha256', index, 'buffer').equals(bytesAt(hashAt, HASH_BYTES))) return new Map();
  return deserialize(index) as Map<string, Place>;
}

/** Identifies the compiler, and what of Node.js decides what it makes of a page. */
export function compilerVersion(): string {
  return `${process.version} ${process.versions.icu ?? ''} ${programVersion()}`;
}
