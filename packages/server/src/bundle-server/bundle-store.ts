import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API_CATALOG, API_CATALOG_TYPE } from '@docent/compiler/site/agent-files.ts';
import { DocentError } from '@docent/format/errors.ts';
import { HASH_IN_NAME } from '@docent/format/exports/bundle-layout.ts';
import { type BundleManifest, readBundleManifest } from '@docent/format/exports/bundle-manifest.ts';
import { mediaTypeOf } from '@docent/format/media-types.ts';
import { createRedirects } from '@docent/format/site-files/redirects.ts';
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

/**
 * Files unused for this long are no longer served by any process: processes that share the folder
 * touch the files they serve.
 */
const UNUSED_MS = 15 * 60 * 1000;
const CHECKED_AT_ONCE = 64;
/** Suffixes of a file's compressed forms, by content encoding. */
export const COMPRESSED_FORMS = { br: '.br', gzip: '.gz' } as const;

/**
 * A folder of unpacked bundles. Files are stored by hash, once however many bundles contain them.
 * So no name in an archive ever becomes a path here, and another version of a site only adds what
 * changed. A bundle exists when its manifest is in `bundles/`, which is written last;
 * `current.json` names the served one.
 */
export class BundleStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws the file system's error if the folder is not writable */
  async open(): Promise<void> {
    for (const name of ['bundles', 'files', 'downloads', 'work', 'marks'])
      await mkdir(join(this.folder, name), { recursive: true });
    await this.#removeLeftovers();
  }

  /** Returns a path for a file being written, on the same file system as all others. */
  workFile(name: string): string {
    return join(this.folder, 'work', `${owner}.${name}`);
  }

  /** @param encoding of its content: as it is, or compressed */
  filePath(sha256: string, encoding?: keyof typeof COMPRESSED_FORMS): string {
    const form = encoding === undefined ? '' : COMPRESSED_FORMS[encoding];
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
      const stats = await stat(this.filePath(file.sha256)).catch(() => undefined);
      return stats?.size === file.sizeBytes;
    });
    return isWhole ? bundleOf(sha256, manifest) : undefined;
  }

  /** Marks these bundles as served, and removes unused ones and marks of the past. */
  async tidy(served: readonly string[]): Promise<void> {
    const now = new Date();
    for (const sha256 of served) await utimes(this.#manifestPath(sha256), now, now).catch(() => {});
    for (const name of await readdir(join(this.folder, 'marks'))) {
      const path = join(this.folder, 'marks', name);
      if (await isOlder(path, now)) await rm(path, { force: true });
    }
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
        if (!used.has(name.slice(0, 64)) && (await isOlder(path, now)))
          await rm(path, { force: true });
      }
    }
  }

  /**
   * Marks something as used until a time, for all processes of this folder. @returns false if it
   * was marked before
   */
  async mark(sha256: string, until: Date): Promise<boolean> {
    const path = join(this.folder, 'marks', sha256);
    try {
      await writeFile(path, '', { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    await utimes(path, until, until);
    return true;
  }

  async isMarked(sha256: string): Promise<boolean> {
    const stats = await stat(join(this.folder, 'marks', sha256)).catch(() => undefined);
    return stats !== undefined;
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

  /**
   * Leftovers of a killed process: of this one before its restart, or of one that ended long ago.
   */
  async #removeLeftovers(): Promise<void> {
    const now = new Date();
    const folder = join(this.folder, 'work');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (isAbandoned(name) || (await isOlder(path, now)))
        await rm(path, { recursive: true, force: true });
    }
  }
}

async function isOlder(path: string, now: Date): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && now.getTime() - stats.mtimeMs > UNUSED_MS;
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

interface ServedFile {
  sha256: string;
  sizeBytes: number;
  /** Media type. */
  type: string;
  /** Its name contains its hash, so its content never changes. */
  immutable: boolean;
}

/** A complete bundle. Immutable. */
export interface Bundle {
  /** Of the archive; identifies the bundle. */
  sha256: string;
  manifest: BundleManifest;
  /** By path, without a leading slash. */
  files: ReadonlyMap<string, ServedFile>;
  /** Site paths of pages, by the paths of their HTML and their Markdown. */
  pageOfFile: ReadonlyMap<string, string>;
  redirect: ReturnType<typeof createRedirects>;
}

const moreTypes = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['webmanifest', 'application/manifest+json'],
]);

/** Files that Docent generated for the pages have a hash in their name. */
const NAMED_BY_HASH = new RegExp(`^_docent/.*${HASH_IN_NAME}`);

/** Files that readers of the site do not need: rules for other servers. */
const HIDDEN = /^(?:_redirects$|_hosting\/|\.(?!well-known\/))|\/\./;

function bundleOf(sha256: string, manifest: BundleManifest): Bundle {
  const files = new Map<string, ServedFile>();
  for (const { path, sha256, sizeBytes } of manifest.files) {
    if (HIDDEN.test(path)) continue;
    files.set(path, { sha256, sizeBytes, type: typeOf(path), immutable: NAMED_BY_HASH.test(path) });
  }
  const pageOfFile = new Map(
    manifest.pages.flatMap(({ file, href }) => [
      [file, href],
      [file.replace(/\.html$/, '.md'), href],
    ]),
  );
  return { sha256, manifest, files, pageOfFile, redirect: createRedirects(manifest.redirects) };
}

function typeOf(path: string): string {
  if (path === API_CATALOG) return API_CATALOG_TYPE;
  if (path.endsWith('rss.xml')) return 'application/rss+xml; charset=utf-8';
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return moreTypes.get(extension) ?? mediaTypeOf(path) ?? 'application/octet-stream';
}

/** Returns whether a bundle has the wanted version, by its label or by its export version. */
export function hasVersion(
  { options, exportVersion }: BundleManifest,
  requiredVersion: string | undefined,
): boolean {
  return (
    requiredVersion === undefined ||
    requiredVersion === options.version ||
    requiredVersion === exportVersion
  );
}

/**
 * Requires a bundle to have the wanted version.
 * @throws DocentError `invalid_archive`
 */
export function requireVersion(
  manifest: BundleManifest,
  requiredVersion: string | undefined,
): void {
  if (hasVersion(manifest, requiredVersion)) return;
  const { options, exportVersion } = manifest;
  const has = options.version === undefined ? '' : `version "${options.version}", `;
  throw new DocentError(
    'invalid_archive',
    `The bundle has ${has}export version "${exportVersion}", but "${requiredVersion}" is configured; export that version, or change the setting.`,
  );
}
