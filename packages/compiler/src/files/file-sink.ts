import { hash } from 'node:crypto';
import type { FileEntry } from '@docent/format/build/site-build.ts';
import type { PartContent } from '@docent/search/index/index-format.ts';

/** Receives the files of a build. Adding the same bytes twice stores them once. */
export interface FileSink {
  /**
   * Takes the bytes over: a sink may hand their buffer to another thread, so nobody else may read
   * them afterwards.
   * @param sha256 if it is already known
   */
  add(bytes: Uint8Array, type: string, sha256?: string): Promise<FileEntry>;
  /**
   * Adds the search index in place of `add`, for sinks that use it further, or need not have all of
   * it in memory.
   */
  addSearchIndex?(index: PartContent, type: string): Promise<FileEntry>;
  /**
   * Adds a file of an earlier build, which is probably stored already; `read` may be called until
   * the build is done.
   */
  addKept?(file: FileEntry, read: () => Uint8Array): void;
}

/** Returns a file name derived from the content. */
export function describeFile(
  bytes: Uint8Array,
  type: string,
  sha256 = hash('sha256', bytes, 'hex'),
): FileEntry {
  return { sha256, sizeBytes: bytes.byteLength, type };
}

/** Returns the blob key of a file of a build. */
export function fileKey(file: Pick<FileEntry, 'sha256'>): string {
  return `files/${file.sha256.slice(0, 2)}/${file.sha256}`;
}
