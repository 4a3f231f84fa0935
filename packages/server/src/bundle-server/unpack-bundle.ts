import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readBundleArchive } from '@docent/compiler/bundle/verify-bundle.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import type { TarEntry } from '@docent/compiler/source/archive-entries.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BundleManifest } from '@docent/format/exports/bundle-manifest.ts';
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
/**
 * The same menu on every page compresses very well; the limit that matters is the total that is
 * written.
 */
const MAX_RATIO = 1100;

/**
 * Unpacks an archive into the store and registers its bundle. Nothing is written under a name from
 * the archive, and the bundle does not exist until every file of its manifest was found with its
 * size and its hash.
 * @param sha256 of the archive
 * @throws DocentError `invalid_archive`, naming the entry or the file; any error of `check`
 */
export async function unpackBundle(
  archive: string,
  sha256: string,
  options: UnpackOptions,
): Promise<void> {
  const { store, maxBytes, check, signal } = options;
  const unpackedBytes = maxBytes * UNPACKED_FACTOR;
  const { manifest, faults } = await readBundleArchive(
    createReadStream(archive, { highWaterMark: 256 * 1024, signal }),
    {
      limits: { unpackedBytes, fileBytes: unpackedBytes, files: MAX_FILES, ratio: MAX_RATIO },
      isStrict: false,
      take: (_, entry) => keepFile(entry, store),
    },
  );
  const [fault] = faults;
  if (fault !== undefined) {
    const message = `The bundle does not match its manifest: ${fault}. Fetch it again, or export the site again.`;
    throw new DocentError('invalid_archive', message);
  }
  check(manifest);
  await store.add(sha256, manifest);
}

/** Writes a file under its hash, which is known once it has been read. */
async function keepFile(entry: TarEntry, store: BundleStore): Promise<string> {
  const unfinished = store.workFile(randomBytes(8).toString('hex'));
  const hash = createHash('sha256');
  try {
    await writeFile(unfinished, hashed(entry.chunks(), hash), { flag: 'wx' });
    const sha256 = hash.digest('hex');
    await moveIn(unfinished, store.filePath(sha256), entry.sizeBytes);
    return sha256;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function moveIn(from: string, to: string, sizeBytes: number): Promise<void> {
  const stats = await stat(to).catch(() => undefined);
  if (stats?.size === sizeBytes) {
    const now = new Date();
    // It is in use again, so it must not be cleaned up before the bundle exists.
    await Promise.all([rm(from), utimes(to, now, now)]);
    return;
  }
  await mkdir(dirname(to), { recursive: true });
  // If the file was damaged, its compressed forms may be too.
  if (stats)
    await Promise.all(
      Object.values(COMPRESSED_FORMS).map((form) => rm(`${to}${form}`, { force: true })),
    );
  await rename(from, to);
}
