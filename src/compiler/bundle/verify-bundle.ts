import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DocentError } from '../../core/errors.ts';
import { type BundleManifest, readBundleManifest } from '../../core/exports/bundle-manifest.ts';
import { readTar, type TarEntry } from '../source/archive-entries.ts';
import { entryPath, refusedEntry } from '../source/archive-paths.ts';
import { type BrokenBundleLink, BundleLinkCheck } from './bundle-link-check.ts';
import { describeFile } from './file-sink.ts';

const MANIFEST = 'manifest.json';
/** A single file of a documentation site is never larger. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const MAX_FAULTS = 50;

/** A bundle that matches its manifest. */
export interface VerifiedBundle {
  manifest: BundleManifest;
  fileCount: number;
  /** Unpacked size of all files in bytes. */
  sizeBytes: number;
  /** Empty if links were not checked. */
  brokenLinks: BrokenBundleLink[];
}

/**
 * Reads an archive to its end and compares every file with the manifest. One file at a time is in memory.
 * @throws DocentError `invalid_archive`: not an archive, truncated, an unsafe path, or files that differ from the manifest, each
 *   named
 */
export async function verifyBundle(archive: AsyncIterable<Uint8Array>, options: { links: boolean }): Promise<VerifiedBundle> {
  const found = new Map<string, { sizeBytes: number; sha256: string }>();
  const links = options.links ? new BundleLinkCheck() : undefined;
  let manifest: BundleManifest | undefined;
  let sizeBytes = 0;
  for await (const entry of tarEntries(archive)) {
    const path = entryPath(entry.name);
    if (entry.type !== 'file' || path !== entry.name) throw refusedEntry(entry.name, 'a bundle contains only plain files');
    if (found.has(path)) throw refusedEntry(path, 'it appears twice');
    if (entry.sizeBytes > MAX_FILE_BYTES) throw refusedEntry(path, 'it is larger than the limit for a file in a bundle');
    const bytes = await entry.read();
    const { sha256 } = describeFile(bytes, '');
    found.set(path, { sizeBytes: bytes.byteLength, sha256 });
    sizeBytes += bytes.byteLength;
    if (path === MANIFEST) manifest = readBundleManifest(new TextDecoder().decode(bytes));
    links?.add(path, () => new TextDecoder().decode(bytes));
  }
  if (!manifest)
    throw new DocentError('invalid_archive', `The archive has no ${MANIFEST}; it is not a bundle, or it is truncated.`);
  const faults = differences(manifest, found);
  if (faults.length > 0) throw new DocentError('invalid_archive', `The bundle does not match its manifest:\n${listed(faults)}`);
  return { manifest, fileCount: found.size, sizeBytes, brokenLinks: links?.broken() ?? [] };
}

function differences(manifest: BundleManifest, found: ReadonlyMap<string, { sizeBytes: number; sha256: string }>): string[] {
  const faults: string[] = [];
  const expected = new Set([MANIFEST]);
  for (const { path, sizeBytes, sha256 } of manifest.files) {
    const file = found.get(path);
    expected.add(path);
    if (!file) faults.push(`${path} is missing`);
    else if (file.sizeBytes !== sizeBytes) faults.push(`${path} has ${file.sizeBytes} bytes instead of ${sizeBytes}`);
    else if (file.sha256 !== sha256) faults.push(`${path} has different content`);
  }
  for (const path of found.keys()) if (!expected.has(path)) faults.push(`${path} is not in the manifest`);
  return faults;
}

function listed(faults: readonly string[]): string {
  const shown = faults.slice(0, MAX_FAULTS).map((fault) => `  ${fault}`);
  if (faults.length > MAX_FAULTS) shown.push(`  and ${faults.length - MAX_FAULTS} more`);
  return shown.join('\n');
}

/** Converts the tar library's errors for bytes that are no tar to ours. */
async function* tarEntries(archive: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  try {
    yield* readTar(gunzipped(archive));
  } catch (cause) {
    if (cause instanceof DocentError) throw cause;
    throw new DocentError('invalid_archive', `The archive is not a valid tar file: ${(cause as Error).message}`, { cause });
  }
}

/** Yields the contained tar; a damaged or truncated archive is reported as our error, not the library's. */
async function* gunzipped(archive: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // The consumer of the stream receives every error.
  pipeline(archive, gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new DocentError('invalid_archive', `The archive is damaged or truncated: ${(cause as Error).message}.`, { cause });
  }
}
