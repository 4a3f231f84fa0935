import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BundleManifest, readBundleManifest } from '../core/exports/bundle-manifest.ts';
import { type Bundle, bundleOf } from './bundle.ts';
import { isAbandoned, owner, type Validator } from './download-archive.ts';

/** The bundle that this folder serves, and where it came from. */
export interface Pointer {
  /** Of the archive. */
  sha256: string;
  /** The previous one: open pages still request its files. */
  previous?: string;
  /** The link or file without the parts that differ from link to link. */
  source: string;
  validator?: Validator;
  /** The key that verified the archive's signature; absent if none was required. */
  signedBy?: string;
}

/** Files unused for this long are no longer served by any process: processes that share the folder touch the files they serve. */
const UNUSED_MS = 15 * 60 * 1000;
const CHECKED_AT_ONCE = 64;
/** Suffixes of a file's compressed forms. */
export const COMPRESSED_FORMS = ['.br', '.gz'] as const;

/**
 * A folder of unpacked bundles. Files are stored by hash, once however many bundles contain them. So no name in an archive ever
 * becomes a path here, and another version of a site only adds what changed. A bundle exists when its manifest is in `bundles/`,
 * which is written last; `current.json` names the served one.
 */
export class BundleStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws the file system's error if the folder is not writable */
  async open(): Promise<void> {
    for (const name of ['bundles', 'files', 'downloads', 'work']) await mkdir(join(this.folder, name), { recursive: true });
    await this.#removeLeftovers();
  }

  /** Returns a path for a file being written, on the same file system as all others. */
  workFile(name: string): string {
    return join(this.folder, 'work', `${owner}.${name}`);
  }

  /** @param form of its content: as it is, or compressed */
  filePath(sha256: string, form: '' | (typeof COMPRESSED_FORMS)[number] = ''): string {
    return join(this.folder, 'files', sha256.slice(0, 2), `${sha256}${form}`);
  }

  async pointer(): Promise<Pointer | undefined> {
    const text = await readFile(join(this.folder, 'current.json'), 'utf8').catch(() => undefined);
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Pointer);
    } catch {
      return undefined;
    }
  }

  async setPointer(pointer: Pointer): Promise<void> {
    await this.#replace(join(this.folder, 'current.json'), JSON.stringify(pointer));
  }

  /** Registers an unpacked bundle. */
  async add(sha256: string, manifest: BundleManifest): Promise<void> {
    await this.#replace(this.#manifestPath(sha256), JSON.stringify(manifest));
  }

  /** @returns undefined if the folder does not contain the complete bundle */
  async read(sha256: string): Promise<Bundle | undefined> {
    const text = await readFile(this.#manifestPath(sha256), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const manifest = readBundleManifest(text);
    const isWhole = await inParallel(manifest.files, CHECKED_AT_ONCE, async (file) => {
      const found = await stat(this.filePath(file.sha256)).catch(() => undefined);
      return found?.size === file.sizeBytes;
    });
    return isWhole ? bundleOf(sha256, manifest) : undefined;
  }

  /** Marks these bundles as served, and removes unused ones. */
  async tidy(served: readonly string[]): Promise<void> {
    const now = new Date();
    for (const sha256 of served) await utimes(this.#manifestPath(sha256), now, now).catch(() => {});
    const used = new Set<string>();
    for (const name of await readdir(join(this.folder, 'bundles'))) {
      const path = join(this.folder, 'bundles', name);
      if (!(await isOlder(path, now))) await this.#collectHashes(path, used);
      else await rm(path, { force: true });
    }
    for (const shard of await readdir(join(this.folder, 'files'))) {
      for (const name of await readdir(join(this.folder, 'files', shard))) {
        const path = join(this.folder, 'files', shard, name);
        // A new file may belong to a bundle that is still being unpacked.
        if (!used.has(name.slice(0, 64)) && (await isOlder(path, now))) await rm(path, { force: true });
      }
    }
  }

  async #collectHashes(manifestPath: string, into: Set<string>): Promise<void> {
    const text = await readFile(manifestPath, 'utf8').catch(() => '');
    for (const [, sha256 = ''] of text.matchAll(/"sha256":"([0-9a-f]{64})"/g)) into.add(sha256);
  }

  #manifestPath(sha256: string): string {
    return join(this.folder, 'bundles', `${sha256}.json`);
  }

  async #replace(path: string, text: string): Promise<void> {
    const unfinished = this.workFile(`${Math.random().toString(36).slice(2)}.json`);
    await writeFile(unfinished, text, { flush: true });
    await rename(unfinished, path);
  }

  /** Leftovers of a killed process: of this one before its restart, or of one that ended long ago. */
  async #removeLeftovers(): Promise<void> {
    const now = new Date();
    const folder = join(this.folder, 'work');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (isAbandoned(name) || (await isOlder(path, now))) await rm(path, { recursive: true, force: true });
    }
  }
}

async function isOlder(path: string, now: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && now.getTime() - found.mtimeMs > UNUSED_MS;
}

/** Returns whether `check` is true for all; stops at the first for which it is not. */
async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  check: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  for (let start = 0; start < items.length; start += width) {
    const results = await Promise.all(items.slice(start, start + width).map(check));
    if (results.includes(false)) return false;
  }
  return true;
}
