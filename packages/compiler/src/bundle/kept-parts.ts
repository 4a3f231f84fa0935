import { createHash, hash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { KeptRuns, PackedRun } from '../files/packed-runs.ts';

/** Larger ones are not kept. */
export const MAX_PARTS_BYTES = 256 * 1024 * 1024;
const FORM = 'docent bundle parts 1\n';
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;

/** What a bundle has of a page, if nothing that its document depends on has changed. */
export interface KeptPage {
  /** Of the document. */
  sha256: string;
  sizeBytes: number;
  /** Of the file with its Markdown. */
  markdown: { sha256: string; sizeBytes: number };
  /** Of its Markdown without white space around it. */
  trimmedBytes: number;
  /** Client features, theme files and menu files that it needs. */
  elements: readonly string[];
  assets: readonly string[];
  menus: readonly string[];
}

/** Parts of the last bundle of a site, by keys that name all that they depend on. */
export interface KeptParts {
  path: string;
  /** Whether the last bundle has left any. */
  hasFormer: boolean;
  runs: KeptRuns;
  findPage(key: string): KeptPage | undefined;
  keepPage(key: string, page: KeptPage): void;
  /** Replaces the parts of the last bundle by those that were found or kept. */
  finish(): void;
  close(): void;
}

interface Place {
  at: number;
  packedBytes: number;
  /** Of the packed bytes. */
  check: number;
  crc: number;
  sizeBytes: number;
}

interface Index {
  pages: Record<string, KeptPage>;
  runs: Record<string, Place>;
}

/**
 * Opens the parts that the last command kept in a file; what is damaged, or from another version, is
 * made again. Two commands at once each write their own file, and the last replaces the other as a
 * whole. If it cannot be written, the next command is only slower.
 * @param version identifies the program
 */
export function openKeptParts(path: string, version: string): KeptParts {
  const mark = hash('sha256', FORM + version, 'buffer');
  const old = openOld(path, mark);
  const part = `${path}.${randomUUID()}.part`;
  let file: number | undefined;
  let writtenBytes = 0;
  const next: Index = { pages: {}, runs: {} };

  function giveUp(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
    rmSync(part, { force: true });
  }

  function append(bytes: Uint8Array): void {
    if (file === undefined) return;
    try {
      if (writtenBytes + bytes.byteLength > MAX_PARTS_BYTES) throw new Error('too large');
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
      writtenBytes += bytes.byteLength;
    } catch {
      giveUp();
    }
  }

  try {
    file = openSync(part, 'wx', 0o600);
    append(mark);
  } catch {
    // Nothing is kept.
  }

  const keepRun = (key: string, { bytes, crc, sizeBytes }: PackedRun) => {
    // What is asked for again is kept once.
    if (Object.hasOwn(next.runs, key)) return;
    const packedBytes = bytes.byteLength;
    next.runs[key] = { at: writtenBytes, packedBytes, check: crc32(bytes), crc, sizeBytes };
    append(bytes);
  };

  return {
    path,
    hasFormer: old !== undefined,
    runs: {
      find(key) {
        const run = old && readRun(old.file, old.index.runs[key]);
        if (run) keepRun(key, run);
        return run;
      },
      keep: keepRun,
    },
    findPage(key) {
      const page = old?.index.pages[key];
      if (page) next.pages[key] = page;
      return page;
    },
    keepPage(key, page) {
      next.pages[key] = page;
    },
    finish() {
      const index = Buffer.from(JSON.stringify(next));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(index.byteLength);
      append(Buffer.concat([index, hash('sha256', index, 'buffer'), length]));
      if (file === undefined) return;
      try {
        closeSync(file);
        file = undefined;
        renameSync(part, path);
      } catch {
        giveUp();
      }
    },
    close() {
      giveUp();
      if (old) closeSync(old.file);
    },
  };
}

function openOld(path: string, mark: Buffer): { file: number; index: Index } | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const index = readIndex(file, mark);
    if (index) return { file, index };
  } catch {
    // There is none, or it is damaged.
  }
  if (file !== undefined) closeSync(file);
  return undefined;
}

function readIndex(file: number, mark: Buffer): Index | undefined {
  const { size } = fstatSync(file);
  if (!readPart(file, 0, mark.length).equals(mark)) return undefined;
  const length = readPart(file, size - LENGTH_BYTES, LENGTH_BYTES).readUInt32BE();
  const at = size - LENGTH_BYTES - HASH_BYTES - length;
  if (at < mark.length) return undefined;
  const index = readPart(file, at, length);
  const digest = createHash('sha256').update(index).digest();
  if (!readPart(file, at + length, HASH_BYTES).equals(digest)) return undefined;
  return JSON.parse(index.toString()) as Index;
}

function readRun(file: number, place: Place | undefined): PackedRun | undefined {
  if (!place) return undefined;
  const bytes = readPart(file, place.at, place.packedBytes);
  if (bytes.byteLength !== place.packedBytes || crc32(bytes) !== place.check) return undefined;
  return { bytes, crc: place.crc, sizeBytes: place.sizeBytes };
}

function readPart(file: number, at: number, bytes: number): Buffer {
  const part = Buffer.allocUnsafe(bytes);
  return part.subarray(0, readSync(file, part, 0, bytes, at));
}
