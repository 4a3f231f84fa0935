import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PageResult } from '../pages/page-result.ts';

/** Sites of about ten thousand pages stay below; the rest of a larger pack is neither written nor read. */
export const MAX_PACK_BYTES = 256 * 1024 * 1024;
/** Maximum unpacked size of a page. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const CHECKSUM_BYTES = 32;
/** Lengths of the path, the body and the content, then a checksum of them all. */
const HEADER_BYTES = 12 + CHECKSUM_BYTES;
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The compiled pages of a site as one file, passed from one build to the next. */
export interface PagePack {
  /** Returns the page of an earlier build at this path; the caller checks whether it is still valid. */
  find(pagePath: string): PageResult | undefined;
  keep(pagePath: string, result: PageResult): void;
  /** Returns the pages of this build as a file; undefined if that equals the opened file. */
  write(): Uint8Array<ArrayBuffer> | undefined;
}

interface Entry {
  path: Buffer;
  checksum: Buffer;
  /** Everything except the content, which most builds do not need: they store it already. */
  body: Buffer;
  content: Buffer;
}

/**
 * Opens a pack. Parts that are damaged or from another version are ignored.
 * @param bytes output of `write`; nothing for an empty pack
 * @param version identifies the compiler; a page of another is never used
 */
export function openPagePack(bytes: Uint8Array | undefined, version: string): PagePack {
  const mark = Buffer.from(hash('sha256', `docent pages 2 ${version}`, 'buffer'));
  const old = bytes ? readEntries(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mark) : new Map<string, Entry>();
  const present = new Map<string, Entry>();
  let isChanged = false;
  return {
    find(pagePath) {
      const entry = old.get(pagePath);
      const result = entry && readResult(entry);
      if (entry && result) present.set(pagePath, entry);
      return result;
    },
    keep(pagePath, result) {
      isChanged = true;
      present.set(pagePath, makeEntry(pagePath, result));
    },
    write: () => (isChanged || present.size < old.size ? writeEntries(mark, present.values()) : undefined),
  };
}

function makeEntry(pagePath: string, result: PageResult): Entry {
  const { content, ...rest } = result;
  const parts = {
    path: Buffer.from(pagePath),
    body: zstdCompressSync(serialize(rest), FAST),
    content: zstdCompressSync(content, FAST),
  };
  return { ...parts, checksum: checksumOf(parts) };
}

function readResult(entry: Entry): PageResult | undefined {
  if (!checksumOf(entry).equals(entry.checksum)) return undefined;
  try {
    const rest = deserialize(unpack(entry.body)) as Omit<PageResult, 'content'>;
    return Object.defineProperty(rest, 'content', { get: () => unpack(entry.content), enumerable: true }) as PageResult;
  } catch {
    return undefined;
  }
}

function unpack(packed: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: MAX_PAGE_BYTES }));
}

function checksumOf({ path, body, content }: Omit<Entry, 'checksum'>): Buffer {
  return hash('sha256', Buffer.concat([path, body, content]), 'buffer');
}

function readEntries(bytes: Buffer, mark: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  if (!bytes.subarray(0, mark.length).equals(mark)) return entries;
  for (let at = mark.length; at + HEADER_BYTES <= bytes.length; ) {
    const pathEnd = at + HEADER_BYTES + bytes.readUInt32BE(at);
    const bodyEnd = pathEnd + bytes.readUInt32BE(at + 4);
    const end = bodyEnd + bytes.readUInt32BE(at + 8);
    if (end > bytes.length) break;
    const path = bytes.subarray(at + HEADER_BYTES, pathEnd);
    const checksum = bytes.subarray(at + 12, at + HEADER_BYTES);
    entries.set(path.toString(), {
      path,
      checksum,
      body: bytes.subarray(pathEnd, bodyEnd),
      content: bytes.subarray(bodyEnd, end),
    });
    at = end;
  }
  return entries;
}

function writeEntries(mark: Buffer, entries: Iterable<Entry>): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [mark];
  let sizeBytes = mark.length;
  for (const { path, checksum, body, content } of entries) {
    const entryBytes = HEADER_BYTES + path.length + body.length + content.length;
    if (sizeBytes + entryBytes > MAX_PACK_BYTES) continue;
    const lengths = Buffer.alloc(12);
    [path, body, content].forEach((part, index) => {
      lengths.writeUInt32BE(part.length, index * 4);
    });
    parts.push(lengths, checksum, path, body, content);
    sizeBytes += entryBytes;
  }
  return Buffer.concat(parts, sizeBytes);
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The rules and the build determine a page. */
const CODE_FOLDERS = ['src/core', 'src/compiler'];
/** Installed by npm: highlighter, icons, parser. */
const INSTALLED = ['node_modules/.package-lock.json', 'package-lock.json', 'package.json'];

/**
 * Identifies the compiler by the code that it consists of, so that the output of one version is never mistaken for that of
 * another, whatever the package version says.
 */
export function compilerVersion(): string {
  const all = createHash('sha256').update(`${process.version}${process.versions.icu ?? ''}`);
  const read = (file: string) => all.update(`${file}\n`).update(readFileSync(join(root, file)));
  for (const folder of CODE_FOLDERS) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name)).sort()) read(join(folder, file));
  }
  for (const file of INSTALLED) if (existsSync(join(root, file))) read(file);
  return all.digest('hex');
}
