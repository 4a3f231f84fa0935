import { createHash, hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { IndexSegment } from '@docent/search/load/build-search-index.ts';
import { IndexFile } from '../files/record-file.ts';
import { codeFolder, packagesFolder } from '../process/own-modules.ts';
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
const FORM = Buffer.from('docent pages 5\n');
const MARK_BYTES = 32;
/** Of the path, the body, the terms and the content. */
const LENGTHS_BYTES = 16;
const CHECKSUM_BYTES = 32;
const HEADER_BYTES = LENGTHS_BYTES + CHECKSUM_BYTES;
const HASH_BYTES = 32;
/** A damaged length must not have memory allocated. */
const MAX_PATH_BYTES = 64 * 1024;
/** Begins the path of a segment of the search index, which no page has. */
const SEGMENT = '\0';
/** The path of `values`. */
const VALUES = '\u0001';
const NO_HASH = Buffer.alloc(HASH_BYTES);
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

/** Where the parts of an entry are. */
interface Place {
  at: number;
  /** Of the content. */
  sha256: string;
  pathBytes: number;
  bodyBytes: number;
  termsBytes: number;
  contentBytes: number;
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
  let madeBytes = 0;
  let isBroken = false;

  function append(entry: Uint8Array): void {
    if (packFile === undefined) {
      packFile = openSync(part, 'w', 0o600);
      writeSync(packFile, mark);
      madeBytes = mark.length;
    }
    if (madeBytes + entry.length > MAX_PACK_BYTES) return;
    writeSync(packFile, entry);
    madeBytes += entry.length;
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
      attempt(() => append(pageEntry(pagePath, result)));
    },
    findSegment(key) {
      const place = places.get(SEGMENT + key);
      const body = place && readBody(old as IndexFile, place);
      if (!body) return undefined;
      present.add(SEGMENT + key);
      return deserialize(unpack(body)) as IndexSegment;
    },
    keepSegment(key, segment) {
      const parts = [Buffer.from(SEGMENT + key), pack(serialize(segment)), NOTHING, NOTHING];
      attempt(() => append(makeEntry(NO_HASH, parts)));
    },
    write() {
      const isChanged = packFile !== undefined || present.size < places.size || values.isChanged;
      const complete = () => {
        const parts = [Buffer.from(VALUES), serialize(values.used), NOTHING, NOTHING];
        if (values.used.size > 0) append(makeEntry(NO_HASH, parts));
        for (const path of present) append(readEntry(old as IndexFile, places.get(path) as Place));
        if (packFile === undefined) writeFileSync(part, mark, { mode: 0o600 });
        else closeSync(packFile);
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

function pageEntry(pagePath: string, result: PageResult): Buffer {
  const { content, terms, ...rest } = result;
  const packedTerms = terms ? pack(serialize(terms)) : NOTHING;
  if (terms) {
    result.termsKey = hash('sha256', packedTerms);
    rest.termsKey = result.termsKey;
  }
  // Most builds need neither: they have them in a segment of the index, and in the store.
  const parts = [Buffer.from(pagePath), serialize(rest), packedTerms, pack(content)];
  return makeEntry(Buffer.from(result.file.sha256, 'hex'), parts);
}

/**
 * An entry is the lengths of its parts, a checksum of what follows, the hash of the content, and the
 * parts: the path, the body, the terms and the content.
 */
function makeEntry(contentHash: Buffer, parts: readonly Buffer[]): Buffer {
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  for (const [index, part] of parts.entries()) lengths.writeUInt32BE(part.length, index * 4);
  const whole = Buffer.concat([contentHash, ...parts]);
  return Buffer.concat([lengths, hash('sha256', whole, 'buffer'), whole]);
}

function readEntry(file: IndexFile, place: Place): Uint8Array {
  return file.read(place.at, contentAt(place) + place.contentBytes);
}

function readContent(file: IndexFile, place: Place): Uint8Array<ArrayBuffer> {
  const at = contentAt(place);
  return unpack(file.read(at, at + place.contentBytes));
}

/** Undefined if it cannot be unpacked. */
function contentOr(file: IndexFile, place: Place): Uint8Array | undefined {
  try {
    return readContent(file, place);
  } catch {
    return undefined;
  }
}

function bodyAt({ at, pathBytes }: Place): number {
  return at + HEADER_BYTES + HASH_BYTES + pathBytes;
}

function termsAt(place: Place): number {
  return bodyAt(place) + place.bodyBytes;
}

function contentAt(place: Place): number {
  return termsAt(place) + place.termsBytes;
}

/** Undefined if anything of the entry is damaged. */
function readBody(file: IndexFile, place: Place): Uint8Array | undefined {
  const entry = readEntry(file, place);
  const digest = hash('sha256', entry.subarray(HEADER_BYTES), 'buffer');
  if (!digest.equals(entry.subarray(LENGTHS_BYTES, HEADER_BYTES))) return undefined;
  return entry.subarray(bodyAt(place) - place.at, termsAt(place) - place.at);
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

/** @param mark what the pack begins with */
function readPlaces(file: IndexFile, mark: Buffer): Map<string, Place> {
  const places = new Map<string, Place>();
  const { sizeBytes } = file;
  const bytesAt = (at: number, length: number) => Buffer.from(file.read(at, at + length).buffer);
  if (sizeBytes < mark.length || !bytesAt(0, mark.length).equals(mark)) return places;
  for (let at = FORM.length + MARK_BYTES; at + HEADER_BYTES <= sizeBytes; ) {
    const lengths = bytesAt(at, LENGTHS_BYTES);
    const [pathBytes, bodyBytes, termsBytes, contentBytes] = [0, 4, 8, 12].map((offset) =>
      lengths.readUInt32BE(offset),
    ) as [number, number, number, number];
    const sizes = { pathBytes, bodyBytes, termsBytes, contentBytes };
    const namesAt = at + HEADER_BYTES;
    const end = namesAt + HASH_BYTES + pathBytes + bodyBytes + termsBytes + contentBytes;
    if (end > sizeBytes || pathBytes > MAX_PATH_BYTES) break;
    const names = bytesAt(namesAt, HASH_BYTES + pathBytes);
    const sha256 = names.toString('hex', 0, HASH_BYTES);
    places.set(names.toString('utf8', HASH_BYTES), { at, sha256, ...sizes });
    at = end;
  }
  return places;
}

/** The rules and the build determine a page. */
const CODE_FOLDERS = ['format', 'search', 'symbol-reference', 'compiler'].map(
  (name) => `packages/${name}/src`,
);
/** Installed by npm: highlighter, icons, parser. */
const INSTALLED = [
  join(packagesFolder, '.package-lock.json'),
  join(codeFolder, 'package-lock.json'),
  join(codeFolder, 'package.json'),
];

/**
 * Identifies the compiler by the code that it consists of, so that the output of one version is
 * never mistaken for that of another, whatever the package version says.
 */
export function compilerVersion(): string {
  const all = createHash('sha256').update(`${process.version}${process.versions.icu ?? ''}`);
  const read = (file: string) =>
    all.update(`${relative(codeFolder, file)}\n`).update(readFileSync(file));
  for (const folder of CODE_FOLDERS) {
    const files = readdirSync(join(codeFolder, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.test)\.[jt]s$/.test(name)).sort())
      read(join(codeFolder, folder, file));
  }
  for (const file of INSTALLED) if (existsSync(file)) read(file);
  return all.digest('hex');
}
