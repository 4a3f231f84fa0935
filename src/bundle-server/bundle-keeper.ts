import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkSignature, createSignatureHash } from '../compiler/bundle/bundle-signature.ts';
import type { BundleConfig, BundleSource } from '../config/bundle-config.ts';
import { errorMessage } from '../core/error-message.ts';
import { DocentError } from '../core/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { type RequiredKey, readSignature, unsigned } from './archive-signature.ts';
import type { Bundle } from './bundle.ts';
import type { BundleStore, Pointer } from './bundle-store.ts';
import { downloadArchive } from './download-archive.ts';
import { hasVersion, requireVersion } from './require-version.ts';
import { siblingSha256 } from './sibling-sha256.ts';
import { unpackBundle } from './unpack-bundle.ts';
import type { Validator } from './validator.ts';

export interface KeeperOptions {
  config: Pick<BundleConfig, 'source' | 'maxBytes'>;
  store: BundleStore;
  logger: Logger;
  signal: AbortSignal;
  /** Archives without a signature by this key are refused. */
  requiredKey?: RequiredKey | undefined;
  /** Another bundle is served from now on. */
  onSwap: (bundle: Bundle) => void;
}

/** An archive that could not be taken; it is not fetched again until there is another one. */
interface Refused {
  wanted: string;
  validator: Validator;
  signature: string | undefined;
  error: unknown;
}

/**
 * Keeps the bundle that is served, and takes another one when there is one: fetched, checked and unpacked whole before it
 * takes the place of the old one, which is served until then.
 */
export class BundleKeeper {
  current: Bundle | undefined;
  /** The bundle before; pages of it are still open. */
  previous: Bundle | undefined;
  /** Why the bundle that is wanted is not served. */
  fault: string | undefined;
  /** What is served is a local copy of another bundle than the one that is asked for, which may still be had. */
  isAwaiting = false;
  /** How the looks for a bundle ended. */
  readonly looks = { good: 0, failed: 0 };
  /** When the last look found the bundle that is asked for. */
  goodAt: Date | undefined;
  readonly #options: KeeperOptions;
  #pointer: Pointer | undefined;
  #refused: Refused | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Serves what the folder holds since an earlier time, if it holds something. */
  async openLocal(): Promise<void> {
    const { store, logger } = this.#options;
    const pointer = await store.pointer();
    if (pointer && this.#options.requiredKey && pointer.signedBy !== this.#options.requiredKey.fingerprint) {
      logger.warn({ sha256: pointer.sha256 }, 'the local copy was taken without a check of its signature; it is fetched again');
      return;
    }
    const bundle = pointer && (await store.read(pointer.sha256).catch(() => undefined));
    if (!pointer || !bundle) {
      if (pointer)
        logger.warn(
          { sha256: pointer.sha256 },
          'the local copy is damaged or from another version of Docent; it is fetched again',
        );
      return;
    }
    this.#pointer = pointer;
    this.previous = pointer.previous === undefined ? undefined : await store.read(pointer.previous).catch(() => undefined);
    this.isAwaiting = !isAsked(bundle, pointer, this.#options.config.source());
    this.#serve(bundle);
    logger.info(
      describe(bundle),
      this.isAwaiting
        ? 'another bundle is asked for than the local copy, which is served until that one is there'
        : 'serving the local copy until the link was read',
    );
  }

  /**
   * Looks whether another bundle is wanted, and takes it. One look at a time.
   * @throws DocentError where the bundle that is wanted cannot be taken; what was served goes on being served
   */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    const { config, logger } = this.#options;
    try {
      await this.#take(config.source());
      this.fault = undefined;
      this.isAwaiting = false;
      this.looks.good++;
      this.goodAt = new Date();
    } catch (error) {
      // A server that is stopping has no use for it any more.
      if (this.#options.signal.aborted) throw error;
      this.fault = error instanceof DocentError ? error.message : 'The bundle could not be taken; the log says why.';
      const reason = errorMessage(error);
      this.looks.failed++;
      // A bundle that was had and is not good holds a roll-out back; one that cannot be had must not keep the site down.
      if (!isRefusal(error)) this.isAwaiting = false;
      const serving = this.current ? describe(this.current) : { serving: 'nothing' };
      logger.error(
        { reason, ...serving },
        this.current ? 'the bundle was not taken; the local copy is served on' : 'the bundle was not taken',
      );
      throw error;
    }
  }

  async #take(source: BundleSource): Promise<void> {
    const name = sourceName(source.location);
    const wanted = JSON.stringify([name, source.version, source.sha256, source.signature]);
    if (this.current && source.sha256 === this.current.sha256) return requireVersion(this.current.manifest, source.version);
    const found = await this.#fetch(source, name, wanted);
    if (found === 'unchanged') {
      const refused = this.#refused?.wanted === wanted ? this.#refused : undefined;
      if (refused && !(await this.#hasNewSignature(source, refused))) throw refused.error;
      if (refused) {
        this.#refused = undefined;
        return this.#take(source);
      }
      if (this.current) requireVersion(this.current.manifest, source.version);
      return;
    }
    const { requiredKey, signal } = this.#options;
    // Where that fails, or there is none yet, the download stays: the next look has not to fetch it again.
    const signature = requiredKey && (await readSignature(source, signal));
    if (requiredKey && signature === undefined) {
      const error = unsigned(source);
      this.#refused = { wanted, validator: found.validator, signature, error };
      throw error;
    }
    try {
      await this.#adopt(found, { source, name, signature });
      this.#refused = undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Parts that do not belong together are no fault of the archive.
      if (found.isJoined) {
        await forget(found);
        return this.#take(source);
      }
      this.#refused = { wanted, validator: found.validator, signature, error };
      throw error;
    } finally {
      await forget(found);
    }
  }

  /** A signature may come after its archive, or be mended. */
  async #hasNewSignature(source: BundleSource, { signature }: Refused): Promise<boolean> {
    const { requiredKey, signal } = this.#options;
    return requiredKey !== undefined && (await readSignature(source, signal)) !== signature;
  }

  async #fetch(source: BundleSource, name: string, wanted: string): Promise<'unchanged' | Fetched> {
    const { config, store, logger, signal } = this.#options;
    const known: Validator[] = [];
    if (this.current && this.#pointer?.source === name && this.#pointer.validator) known.push(this.#pointer.validator);
    if (this.#refused?.wanted === wanted) known.push(this.#refused.validator);
    const address = addressOf(source.location);
    if (!address) {
      const validator = await fileValidator(source.location, config.maxBytes);
      if (known.some(({ etag }) => etag === validator.etag)) return 'unchanged';
      return { file: resolve(source.location), validator, isDownload: false, isJoined: false };
    }
    const download = await downloadArchive(address, {
      folder: `${store.folder}/downloads`,
      known,
      maxBytes: config.maxBytes,
      logger,
      signal,
      // Whoever waits for it has a local copy to start from.
      ...(this.isAwaiting && { tries: 1 }),
    });
    return download.kind === 'unchanged' ? 'unchanged' : { ...download, isDownload: true };
  }

  async #adopt({ file, validator }: Fetched, { source, name, signature }: Offered): Promise<void> {
    const { store, config, logger, requiredKey } = this.#options;
    const { sha256, digest } = await hashFile(file);
    const wantedHash = source.sha256 ?? (await siblingSha256(source.location, this.#options.signal));
    if (wantedHash !== undefined && wantedHash !== sha256) {
      throw new DocentError(
        'invalid_archive',
        `The archive has the SHA-256 ${sha256}, and ${wantedHash} is wanted; fetch it again.`,
      );
    }
    if (requiredKey) checkSignature(digest, signature ?? '', requiredKey.key);
    let bundle = await store.read(sha256).catch(() => undefined);
    if (!bundle) {
      const check = (manifest: Bundle['manifest']) => requireVersion(manifest, source.version);
      await unpackBundle(file, sha256, { store, maxBytes: config.maxBytes, check, signal: this.#options.signal });
      bundle = await store.read(sha256);
      if (!bundle) throw new Error('The unpacked bundle is not whole.');
    }
    requireVersion(bundle.manifest, source.version);
    const before = this.current;
    const isOther = before !== undefined && before.sha256 !== sha256;
    const previous = isOther ? before.sha256 : this.#pointer?.previous;
    const pointer: Pointer = {
      sha256,
      ...(previous !== undefined && { previous }),
      source: name,
      validator,
      ...(requiredKey && { signedBy: requiredKey.fingerprint }),
    };
    await store.setPointer(pointer);
    this.#pointer = pointer;
    if (before?.sha256 === sha256) return;
    if (isOther) this.previous = before;
    this.#serve(bundle);
    logger.info(describe(bundle), 'serving a new bundle');
  }

  #serve(bundle: Bundle): void {
    this.current = bundle;
    this.#options.onSwap(bundle);
  }
}

/** What is looked for, and what was found with it. */
interface Offered {
  source: BundleSource;
  name: string;
  signature: string | undefined;
}

interface Fetched {
  file: string;
  validator: Validator;
  isDownload: boolean;
  isJoined: boolean;
}

function describe({ manifest, sha256, files }: Bundle): object {
  const version = manifest.options.version;
  return { exportVersion: manifest.exportVersion, ...(version !== undefined && { version }), files: files.size, sha256 };
}

/** What was downloaded is unpacked, or of no use. */
async function forget({ file, isDownload }: Fetched): Promise<void> {
  if (isDownload) await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
}

/** Whether a bundle is the one that is asked for, as far as its link and its manifest say. */
function isAsked(bundle: Bundle, pointer: Pointer, source: BundleSource): boolean {
  const isThat = source.sha256 === undefined ? pointer.source === sourceName(source.location) : source.sha256 === bundle.sha256;
  return isThat && hasVersion(bundle.manifest, source.version);
}

function isRefusal(error: unknown): boolean {
  return error instanceof DocentError && error.code === 'invalid_archive';
}

/** The address, where the location is not a file. */
export function addressOf(location: string): URL | undefined {
  return /^https?:\/\//i.test(location) ? (URL.parse(location) ?? undefined) : undefined;
}

function sourceName(location: string): string {
  const address = addressOf(location);
  return address ? `${address.origin}${address.pathname}` : resolve(location);
}

/** @throws DocentError `link_refused`, `invalid_archive` */
async function fileValidator(file: string, maxBytes: number): Promise<Validator> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new DocentError(
      'link_refused',
      `The file ${file} cannot be read (${cause.code}); name the archive that docent export wrote.`,
      { cause },
    );
  });
  if (!found.isFile()) throw new DocentError('link_refused', `${file} is not a file; name the archive that docent export wrote.`);
  if (found.size > maxBytes)
    throw new DocentError('invalid_archive', `${file} is larger than ${maxBytes} bytes, the limit of DOCENT_BUNDLE_MAX_BYTES.`);
  return { etag: `"${found.size}-${found.mtimeMs}-${found.ino}"` };
}

/** The hash that names an archive, and the one that is signed. */
async function hashFile(file: string): Promise<{ sha256: string; digest: Buffer }> {
  const hash = createHash('sha256');
  const signed = createSignatureHash();
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    signed.update(chunk);
  }
  return { sha256: hash.digest('hex'), digest: signed.digest() };
}
