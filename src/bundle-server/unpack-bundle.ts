import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveMeter, readEntries, type TarEntry } from '../compiler/source/archive-entries.ts';
import { entryPath, refusedEntry } from '../compiler/source/archive-paths.ts';
import { DocentError } from '../core/errors.ts';
import { type BundleManifest, readBundleManifest } from '../core/exports/bundle-manifest.ts';
import { type BundleStore, COMPRESSED_FORMS } from './bundle-store.ts';

export interface UnpackOptions {
  store: BundleStore;
  /** Size of the compressed archive. */
  maxBytes: number;
  signal: AbortSignal;
  /** Checks the manifest before the bundle is used; throws if it is not the wanted one. */
  check: (manifest: BundleManifest) => void;
}

/** Maximum unpacked size of a bundle as a multiple of the largest allowed archive. */
const UNPACKED_FACTOR = 4;
const MAX_FILES = 500_000;
/** The same menu on every page compresses very well; the limit that matters is the total that is written. */
const MAX_RATIO = 1100;
const MANIFEST = 'manifest.json';
/** About 150,000 files. */
const MAX_MANIFEST_BYTES = 32 * 1024 * 1024;

interface FoundFile {
  sha256: string;
  sizeBytes: number;
}

/**
 * Unpacks an archive into the store and registers its bundle. Nothing is written under a name from the archive, and the bundle
 * does not exist until every file of its manifest was found with its size and its hash.
 * @param sha256 of the archive
 * @throws DocentError `invalid_archive`, naming the entry or the file; any error of `check`
 */
export async function unpackBundle(archive: string, sha256: string, options: UnpackOptions): Promise<void> {
  const { store, maxBytes, check, signal } = options;
  const unpackedBytes = maxBytes * UNPACKED_FACTOR;
  const meter = new ArchiveMeter({ unpackedBytes, fileBytes: unpackedBytes, files: MAX_FILES, ratio: MAX_RATIO });
  const found = new Map<string, FoundFile>();
  let manifest: BundleManifest | undefined;
  for await (const entry of readEntries(createReadStream(archive, { highWaterMark: 256 * 1024, signal }), meter)) {
    meter.countEntries();
    const path = entryPath(entry.name);
    if (entry.type === 'folder') continue;
    if (entry.type !== 'file' || path === '') throw refusedEntry(entry.name, 'a bundle contains only files, no links or devices');
    if (found.has(path) || (path === MANIFEST && manifest)) throw refusedEntry(entry.name, 'it appears twice');
    if (path === MANIFEST) manifest = await readManifestEntry(entry);
    else found.set(path, await keepFile(entry, store));
  }
  if (!manifest) throw new DocentError('invalid_archive', 'The archive contains no manifest.json, so it is not a bundle.');
  requireSameFiles(manifest, found);
  check(manifest);
  await store.add(sha256, manifest);
}

async function readManifestEntry(entry: TarEntry): Promise<BundleManifest> {
  if (entry.sizeBytes > MAX_MANIFEST_BYTES) throw refusedEntry(entry.name, 'it is too large for a manifest');
  return readBundleManifest(new TextDecoder().decode(await entry.read()));
}

/** Writes a file under its hash, which is known once it has been read. */
async function keepFile(entry: TarEntry, store: BundleStore): Promise<FoundFile> {
  const unfinished = store.workFile(randomBytes(8).toString('hex'));
  const hash = createHash('sha256');
  const handle = await open(unfinished, 'wx');
  try {
    await writeChunks(entry, handle, hash);
    await handle.close();
    const file = { sha256: hash.digest('hex'), sizeBytes: entry.sizeBytes };
    await moveIn(unfinished, store.filePath(file.sha256), file.sizeBytes);
    return file;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeChunks(entry: TarEntry, handle: FileHandle, hash: ReturnType<typeof createHash>): Promise<void> {
  for await (const chunk of entry.chunks()) {
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
}

async function moveIn(from: string, to: string, sizeBytes: number): Promise<void> {
  const known = await stat(to).catch(() => undefined);
  if (known?.size === sizeBytes) {
    const now = new Date();
    // It is in use again, so it must not be cleaned up before the bundle exists.
    await Promise.all([rm(from), utimes(to, now, now)]);
    return;
  }
  await mkdir(dirname(to), { recursive: true });
  // If the file was damaged, its compressed forms may be too.
  if (known) await Promise.all(COMPRESSED_FORMS.map((form) => rm(`${to}${form}`, { force: true })));
  await rename(from, to);
}

function requireSameFiles(manifest: BundleManifest, found: ReadonlyMap<string, FoundFile>): void {
  const listed = new Set<string>();
  for (const { path, sizeBytes, sha256 } of manifest.files) {
    const file = found.get(path);
    const name = JSON.stringify(path.slice(0, 200));
    if (listed.has(path)) throw damaged(`its manifest lists ${name} twice`);
    if (!file) throw damaged(`${name} is missing`);
    if (file.sizeBytes !== sizeBytes) throw damaged(`${name} has ${file.sizeBytes} bytes, not ${sizeBytes}`);
    if (file.sha256 !== sha256) throw damaged(`${name} does not have the SHA-256 in the manifest`);
    listed.add(path);
  }
  // A manifest cannot list its own signature.
  const more = [...found.keys()].find((path) => !listed.has(path) && !path.startsWith(`${MANIFEST}.`));
  if (more !== undefined) throw damaged(`${JSON.stringify(more.slice(0, 200))} is not in its manifest`);
}

function damaged(what: string): DocentError {
  return new DocentError('invalid_archive', `The bundle is damaged: ${what}. Fetch it again, or export the site again.`);
}
