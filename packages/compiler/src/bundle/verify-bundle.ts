import { hash } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import { MANIFEST } from '@docent/format/exports/bundle-layout.ts';
import {
  type BundleManifest,
  type ManifestFile,
  readBundleManifest,
} from '@docent/format/exports/bundle-manifest.ts';
import { archiveForms } from '@docent/format/exports/export-options.ts';
import {
  type ArchiveLimits,
  ArchiveMeter,
  readEntries,
  type TarEntry,
} from '../source/archive-entries.ts';
import { entryPath, refusedEntry } from '../source/archive-paths.ts';
import { type BrokenBundleLink, BundleLinkCheck } from './bundle-link-check.ts';

/** About 150,000 files. */
const MAX_MANIFEST_BYTES = 32 * 1024 * 1024;

interface ReadBundleOptions {
  limits: ArchiveLimits;
  /**
   * Refuses folders, other spellings of a path and signatures of the manifest, which programs that
   * pack a bundle again may add.
   */
  isStrict: boolean;
  /** Reads a file, one at a time, and returns its SHA-256. Not called for the manifest. */
  take: (path: string, entry: TarEntry) => Promise<string>;
}

interface ReadBundle {
  manifest: BundleManifest;
  /** Includes the manifest. */
  fileCount: number;
  /** How the files differ from the manifest: a sentence without its end for each file. */
  faults: string[];
}

/**
 * Reads the archive of a bundle to its end, and compares every file with the manifest.
 * @throws DocentError `invalid_archive`: not an archive, truncated, over a limit, an unsafe path,
 *   or no manifest; any error of
 *   `archive`
 */
export async function readBundleArchive(
  archive: AsyncIterable<Uint8Array>,
  { limits, isStrict, take }: ReadBundleOptions,
): Promise<ReadBundle> {
  const meter = new ArchiveMeter(limits);
  const filesByPath = new Map<string, Omit<ManifestFile, 'path'>>();
  let manifest: BundleManifest | undefined;
  for await (const entry of readEntries(archive, meter, archiveForms)) {
    meter.countEntries();
    const { name, type, sizeBytes } = entry;
    const path = entryPath(name);
    if (type === 'folder' && !isStrict) continue;
    if (type !== 'file' || path === '' || (isStrict && path !== name))
      throw refusedEntry(name, 'a bundle contains only plain files');
    if (filesByPath.has(path) || (path === MANIFEST && manifest))
      throw refusedEntry(name, 'it appears twice');
    meter.checkFile(path, sizeBytes);
    if (path === MANIFEST) manifest = await readManifest(entry);
    else filesByPath.set(path, { sizeBytes, sha256: await take(path, entry) });
  }
  if (!manifest)
    throw new DocentError(
      'invalid_archive',
      `The archive has no ${MANIFEST}; it is not a bundle, or it is truncated.`,
    );
  return {
    manifest,
    fileCount: filesByPath.size + 1,
    faults: differences(manifest, filesByPath, isStrict),
  };
}

async function readManifest(entry: TarEntry): Promise<BundleManifest> {
  if (entry.sizeBytes > MAX_MANIFEST_BYTES)
    throw refusedEntry(entry.name, 'it is too large for a manifest');
  return readBundleManifest(new TextDecoder().decode(await entry.read()));
}

function differences(
  { files }: BundleManifest,
  filesByPath: ReadonlyMap<string, Omit<ManifestFile, 'path'>>,
  isStrict: boolean,
): string[] {
  const faults: string[] = [];
  const listed = new Set<string>();
  const nameOf = (path: string) => JSON.stringify(path.slice(0, 200));
  for (const { path, sizeBytes, sha256 } of files) {
    const file = filesByPath.get(path);
    if (listed.has(path)) faults.push(`${nameOf(path)} is in the manifest twice`);
    else if (!file) faults.push(`${nameOf(path)} is missing`);
    else if (file.sizeBytes !== sizeBytes)
      faults.push(`${nameOf(path)} has ${file.sizeBytes} bytes instead of ${sizeBytes}`);
    else if (file.sha256 !== sha256)
      faults.push(`${nameOf(path)} does not have the SHA-256 in the manifest`);
    listed.add(path);
  }
  // A manifest cannot list its own signature.
  const isOther = (path: string) =>
    !listed.has(path) && (isStrict || !path.startsWith(`${MANIFEST}.`));
  const others = [...filesByPath.keys()].filter(isOther);
  return [...faults, ...others.map((path) => `${nameOf(path)} is not in the manifest`)];
}

/**
 * A single file of a documentation site is never larger. Nothing is stored, so the rest needs no
 * limit.
 */
const LIMITS = {
  fileBytes: 1024 * 1024 * 1024,
  unpackedBytes: Infinity,
  files: Infinity,
  ratio: Infinity,
};
const MAX_FAULTS = 50;

/** A bundle that matches its manifest. */
export interface VerifiedBundle {
  manifest: BundleManifest;
  fileCount: number;
  /** Empty if links were not checked. */
  brokenLinks: BrokenBundleLink[];
}

/**
 * Reads an archive to its end and compares every file with the manifest. One file at a time is in
 * memory.
 * @throws DocentError `invalid_archive` like `readBundleArchive`, or files that differ from the
 *   manifest, each named
 */
export async function verifyBundle(
  archive: AsyncIterable<Uint8Array>,
  options: { links: boolean },
): Promise<VerifiedBundle> {
  const links = options.links ? new BundleLinkCheck() : undefined;
  links?.add(MANIFEST, () => '');
  const { manifest, fileCount, faults } = await readBundleArchive(archive, {
    limits: LIMITS,
    isStrict: true,
    async take(path, entry) {
      const bytes = await entry.read();
      links?.add(path, () => new TextDecoder().decode(bytes));
      return hash('sha256', bytes);
    },
  });
  if (faults.length > 0)
    throw new DocentError(
      'invalid_archive',
      `The bundle does not match its manifest:\n${listed(faults)}`,
    );
  return { manifest, fileCount, brokenLinks: links?.broken() ?? [] };
}

function listed(faults: readonly string[]): string {
  const lines = faults.slice(0, MAX_FAULTS).map((fault) => `  ${fault}`);
  if (faults.length > MAX_FAULTS) lines.push(`  and ${faults.length - MAX_FAULTS} more`);
  return lines.join('\n');
}
