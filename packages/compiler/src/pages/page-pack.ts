import { createHash, hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { codeFolder, packagesFolder } from '../process/own-modules.ts';
import type { PageResult } from './page-result.ts';

/**
 * Sites of about ten thousand pages stay below; the rest of a larger pack is neither written nor
 * read.
 */
export const MAX_PACK_BYTES = 256 * 1024 * 1024;
/** Maximum unpacked size of a page. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
/** The form of a pack, before the mark of the compiler that wrote it. */
const FORM = Buffer.from('docent pages 4\n');
const MARK_BYTES = 32;
const LENGTHS_BYTES = 12;
const CHECKSUM_BYTES = 32;
const HEADER_BYTES = LENGTHS_BYTES + CHECKSUM_BYTES;
const HASH_BYTES = 32;
/** A damaged length must not have memory allocated. */
const MAX_PATH_BYTES = 64 * 1024;
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
export interface PagePack {
  /**
   * Returns the page of an earlier build at this path; the caller checks whether it is still valid.
   */
  find(pagePath: string): PageResult | undefined;
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
  contentBytes: number;
}

/**
 * Opens a pack. Parts that are damaged or from another version are ignored.
 * @param version identifies the compiler; a page of another is never used
 */
export function openPagePack({ from, to }: PagePackFiles, version: string): PagePack {
  const mark = Buffer.concat([FORM, hash('sha256', version, 'buffer')]);
  const old = from !== undefined && existsSync(from) ? openSync(from, 'r') : undefined;
  const places = old === undefined ? new Map<string, Place>() : readPlaces(old, mark);
  const present = new Set<string>();
  // Two commands may write the same pack.
  const part = `${to}.${randomUUID()}.part`;
  let packFile: number | undefined;
  let madeBytes = 0;
  let isBroken = false;

  function append(entry: Buffer): void {
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
    find(pagePath) {
      const place = places.get(pagePath);
      const result = place && readResult(old as number, place);
      if (result) present.add(pagePath);
      return result;
    },
    keep(pagePath, result) {
      present.delete(pagePath);
      attempt(() => append(makeEntry(pagePath, result)));
    },
    write() {
      const isChanged = packFile !== undefined || present.size < places.size;
      const complete = () => {
        for (const path of present) append(readEntry(old as number, places.get(path) as Place));
        if (packFile === undefined) writeFileSync(part, mark, { mode: 0o600 });
        else closeSync(packFile);
        renameSync(part, to);
      };
      if (isChanged) attempt(complete);
      if (old !== undefined) closeSync(old);
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
  const file = existsSync(path) ? openSync(path, 'r') : undefined;
  const places = file === undefined ? [] : readPlaces(file, FORM).values();
  const bySha256 = new Map(Array.from(places, (place) => [place.sha256, place]));
  return {
    has: (sha256) => bySha256.has(sha256),
    read(sha256) {
      const content = contentOr(file as number, bySha256.get(sha256) as Place);
      if (content === undefined || hash('sha256', content) !== sha256)
        throw new DamagedPack(`A page in ${path} is damaged.`);
      return content;
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
}

/**
 * An entry is the lengths of the path, the body and the content, a checksum of the parts, and the
 * parts: the hash of the content, the path, the body and the content.
 */
function makeEntry(pagePath: string, result: PageResult): Buffer {
  const { content, ...rest } = result;
  // Most builds do not need the content: they store it already.
  const parts = [
    Buffer.from(pagePath),
    zstdCompressSync(serialize(rest), FAST),
    zstdCompressSync(content, FAST),
  ];
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  for (const [index, part] of parts.entries()) lengths.writeUInt32BE(part.length, index * 4);
  const whole = Buffer.concat([Buffer.from(result.file.sha256, 'hex'), ...parts]);
  return Buffer.concat([lengths, hash('sha256', whole, 'buffer'), whole]);
}

function readEntry(file: number, place: Place): Buffer {
  return readPart(file, place.at, contentAt(place) - place.at + place.contentBytes);
}

function readContent(file: number, place: Place): Uint8Array<ArrayBuffer> {
  return unpack(readPart(file, contentAt(place), place.contentBytes));
}

/** Undefined if it cannot be unpacked. */
function contentOr(file: number, place: Place): Uint8Array | undefined {
  try {
    return readContent(file, place);
  } catch {
    return undefined;
  }
}

function contentAt({ at, pathBytes, bodyBytes }: Place): number {
  return at + HEADER_BYTES + HASH_BYTES + pathBytes + bodyBytes;
}

function readPart(file: number, at: number, bytes: number): Buffer {
  const part = Buffer.allocUnsafe(bytes);
  return part.subarray(0, readSync(file, part, 0, bytes, at));
}

function readResult(file: number, place: Place): PageResult | undefined {
  try {
    const entry = readEntry(file, place);
    const parts = entry.subarray(HEADER_BYTES);
    if (!hash('sha256', parts, 'buffer').equals(entry.subarray(LENGTHS_BYTES, HEADER_BYTES)))
      return undefined;
    const bodyAt = HASH_BYTES + place.pathBytes;
    const body = parts.subarray(bodyAt, bodyAt + place.bodyBytes);
    const rest = deserialize(unpack(body)) as Omit<PageResult, 'content'>;
    const get = () => readContent(file, place);
    return Object.defineProperty(rest, 'content', { get, enumerable: true }) as PageResult;
  } catch {
    return undefined;
  }
}

function unpack(packed: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: MAX_PAGE_BYTES }));
}

/** @param mark what the pack begins with */
function readPlaces(file: number, mark: Buffer): Map<string, Place> {
  const places = new Map<string, Place>();
  const { size } = fstatSync(file);
  if (!readPart(file, 0, mark.length).equals(mark)) return places;
  for (let at = FORM.length + MARK_BYTES; at + HEADER_BYTES <= size; ) {
    const lengths = readPart(file, at, LENGTHS_BYTES);
    const [pathBytes, bodyBytes, contentBytes] = [0, 4, 8].map((offset) =>
      lengths.readUInt32BE(offset),
    ) as [number, number, number];
    const end = at + HEADER_BYTES + HASH_BYTES + pathBytes + bodyBytes + contentBytes;
    if (end > size || pathBytes > MAX_PATH_BYTES) break;
    const names = readPart(file, at + HEADER_BYTES, HASH_BYTES + pathBytes);
    const sha256 = names.toString('hex', 0, HASH_BYTES);
    const sizes = { pathBytes, bodyBytes, contentBytes };
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
