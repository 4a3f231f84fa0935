import { hash } from 'node:crypto';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { FileEntry } from '../../core/site-build.ts';
import { mediaTypeOf, refuseLargeAsset } from '../../core/site-files/media-types.ts';
import type { SiteCode } from '../assets/site-code.ts';
import { describeFile } from '../bundle/file-sink.ts';
import type { DevSource } from './dev-source.ts';

/**
 * The files of a site that changes, under the names that a build would give them. Files in the folder are not copied: they are
 * read on request, and named by their file system metadata, not by their content.
 */
export class DevFiles {
  readonly #source: DevSource;
  readonly #made = new Map<string, Uint8Array>();
  readonly #paths = new Map<string, string>();

  constructor(source: DevSource) {
    this.#source = source;
  }

  /** A file that the build generated. */
  add(bytes: Uint8Array, type: string): FileEntry {
    const file = describeFile(bytes, type);
    this.#made.set(file.sha256, bytes);
    return file;
  }

  /** Entries of the files that the site serves unchanged, and diagnostics for those that it does not serve. */
  entriesOf(assets: readonly string[], code: SiteCode): { files: Record<string, FileEntry>; diagnostics: Diagnostic[] } {
    const entries: [string, FileEntry][] = [];
    const diagnostics: Diagnostic[] = [];
    for (const path of assets) {
      const type = mediaTypeOf(path) ?? 'application/octet-stream';
      const prepared = code.prepared.get(path);
      const entry = prepared ? this.add(prepared, type) : this.#entryOf(path, type);
      const refusal = refuseLargeAsset(path, entry.sizeBytes);
      if (refusal) diagnostics.push(refusal);
      else entries.push([path, entry]);
    }
    return { files: Object.fromEntries(entries), diagnostics };
  }

  #entryOf(path: string, type: string): FileEntry {
    const stamp = this.#source.stampOf(path);
    const sha256 = hash('sha256', `${stamp} ${path}`);
    this.#paths.set(sha256, path);
    return { sha256, sizeBytes: Number(stamp.split(' ')[1] ?? 0), type };
  }

  /** Returns the current content of a file, or undefined if it no longer exists. */
  read(sha256: string): Uint8Array | undefined {
    const path = this.#paths.get(sha256);
    return path === undefined ? this.#made.get(sha256) : this.#source.readBytes(path);
  }
}
