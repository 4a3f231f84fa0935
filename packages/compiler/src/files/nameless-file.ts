import { randomUUID } from 'node:crypto';
import { openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Opens a temporary file that disappears with its process, however that ends: it is already
 * unlinked.
 */
export function openNamelessSync(): number {
  const path = newPath();
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

function newPath(): string {
  return join(tmpdir(), `docent-${randomUUID()}`);
}

/** Writes all bytes to the end of a file. */
export function writeWholeSync(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += written(writeSync(file, bytes, done));
}

/** Fills the bytes with those of a file from a position on. */
export function readWholeSync(file: number, at: number, bytes: Uint8Array): Uint8Array {
  for (let done = 0; done < bytes.length; )
    done += read(readSync(file, bytes, done, bytes.length - done, at + done));
  return bytes;
}

/** The system may write fewer bytes than requested, and the rest at the next call. */
function written(count: number): number {
  if (count === 0) throw new Error('A temporary file could not be written. The disk may be full.');
  return count;
}

function read(count: number): number {
  if (count === 0) throw new Error('A temporary file ends too early.');
  return count;
}
