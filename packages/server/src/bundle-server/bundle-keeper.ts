import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkSignature, createSignatureHash } from '@docent/compiler/bundle/bundle-signature.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BundleConfig, BundleSource } from '../kernel/config/bundle-config.ts';
import type { Logger } from '../ports/logger.ts';
import { type RequiredKey, readSignature, unsigned } from './archive-signature.ts';
import {
  type Bundle,
  type BundleStore,
  hasVersion,
  type Pointer,
  requireVersion,
} from './bundle-store.ts';
import { downloadArchive, type Validator } from './download-archive.ts';
import { addressOf, shownAddress, siblingSha256 } from './request-archive.ts';
import { unpackBundle } from './unpack-bundle.ts';

interface KeeperOptions {
  config: Pick<BundleConfig, 'source' | 'maxBytes'>;
  store: BundleStore;
  logger: Logger;
  signal: AbortSignal;
  /** Archives without a signature by this key are refused. */
  requiredKey?: RequiredKey | undefined;
  /** Called when another bundle is served from now on. */
  onSwap: (bundle: Bundle) => void;
}

/** An archive that was refused; it is not fetched again until it changes. */
interface Refused {
  wanted: string;
  validator: Validator;
  signature: string | undefined;
  error: unknown;
}

/**
 * Keeps the served bundle, and replaces it when a new one is available: a new bundle is completely
 * fetched, checked and unpacked before it replaces the old one, which is served until then.
 */
export class BundleKeeper {
  current: Bundle | undefined;
  /** The previous bundle; pages of it are still open. */
  previous: Bundle | undefined;
  /** Why the wanted bundle is not served. */
  fault: string | undefined;
  /** Whether a local copy of another bundle is served while the wanted one is not available yet. */
  isAwaiting = false;
  /** Number of checks for a bundle by result. */
  readonly checks = { good: 0, failed: 0 };
  /** When the last check found the wanted bundle. */
  goodAt: Date | undefined;
  readonly #options: KeeperOptions;
  #pointer: Pointer | undefined;
  #refused: Refused | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Serves what the folder contains from an earlier run, if anything. */
  async openLocal(): Promise<void> {
    const { store, logger } = this.#options;
    const pointer = await store.pointer();
    if (
      pointer &&
      this.#options.requiredKey &&
      pointer.signedBy !== this.#options.requiredKey.fingerprint
    ) {
      logger.warn(
        { sha256: pointer.sha256 },
        'the signature of the local copy was never verified; fetching it again',
      );
      return;
    }
    const bundle = pointer && (await store.read(pointer.sha256).catch(() => undefined));
    if (!pointer || !bundle) {
      if (pointer)
        logger.warn(
          { sha256: pointer.sha256 },
          'the local copy is damaged or from another version of Docent; fetching it again',
        );
      return;
    }
    this.#pointer = pointer;
    this.previous =
      pointer.previous === undefined
        ? undefined
        : await store.read(pointer.previous).catch(() => undefined);
    this.isAwaiting = !isRequested(bundle, pointer, this.#options.config.source());
    this.#serve(bundle);
    logger.info(
      describe(bundle),
      this.isAwaiting
        ? 'the local copy is not the configured bundle; serving it until that one is fetched'
        : 'serving the local copy until the link is read',
    );
  }

  /**
   * Checks whether another bundle is configured, and uses it. One check at a time.
   * @throws DocentError if the wanted bundle cannot be used; the current one is served on
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
      this.checks.good++;
      this.goodAt = new Date();
    } catch (error) {
      // A stopping server no longer needs it.
      if (this.#options.signal.aborted) throw error;
      this.fault =
        error instanceof DocentError
          ? error.message
          : 'The bundle could not be loaded; see the log for the reason.';
      const reason = errorMessage(error);
      this.checks.failed++;
      // An invalid bundle blocks a rollout; an unavailable one must not keep the site down.
      if (!isRefusal(error)) this.isAwaiting = false;
      const serving = this.current ? describe(this.current) : { serving: 'nothing' };
      logger.error(
        { reason, ...serving },
        this.current
          ? 'the bundle could not be loaded; still serving the local copy'
          : 'the bundle could not be loaded',
      );
      throw error;
    }
  }

  async #take(source: BundleSource): Promise<void> {
    const name = sourceName(source.location);
    const sourceKey = JSON.stringify([name, source.version, source.sha256, source.signature]);
    if (this.current && source.sha256 === this.current.sha256)
      return requireVersion(this.current.manifest, source.version);
    const archive = await this.#fetch(source, name, sourceKey);
    if (archive === 'unchanged') {
      const refused = this.#refused?.wanted === sourceKey ? this.#refused : undefined;
      if (refused && !(await this.#hasNewSignature(source, refused))) throw refused.error;
      if (refused) {
        this.#refused = undefined;
        return this.#take(source);
      }
      if (this.current) requireVersion(this.current.manifest, source.version);
      return;
    }
    const { requiredKey, signal } = this.#options;
    // If that fails, or there is none yet, the download stays, so that the next check need not
    // fetch it again.
    const signature = requiredKey && (await readSignature(source, signal));
    if (requiredKey && signature === undefined) {
      const error = unsigned(source);
      this.#refused = { wanted: sourceKey, validator: archive.validator, signature, error };
      throw error;
    }
    try {
      await this.#adopt(archive, { source, name, signature });
      this.#refused = undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Parts that do not belong together are not the archive's fault.
      if (archive.isJoined) {
        await deleteFetched(archive);
        return this.#take(source);
      }
      this.#refused = { wanted: sourceKey, validator: archive.validator, signature, error };
      throw error;
    } finally {
      await deleteFetched(archive);
    }
  }

  /** A signature may arrive after its archive, or be corrected. */
  async #hasNewSignature(source: BundleSource, { signature }: Refused): Promise<boolean> {
    const { requiredKey, signal } = this.#options;
    return requiredKey !== undefined && (await readSignature(source, signal)) !== signature;
  }

  async #fetch(
    source: BundleSource,
    name: string,
    sourceKey: string,
  ): Promise<'unchanged' | Fetched> {
    const { config, store, logger, signal } = this.#options;
    const validators: Validator[] = [];
    if (this.current && this.#pointer?.source === name && this.#pointer.validator)
      validators.push(this.#pointer.validator);
    if (this.#refused?.wanted === sourceKey) validators.push(this.#refused.validator);
    const address = addressOf(source.location);
    if (!address) {
      const validator = await fileValidator(source.location, config.maxBytes);
      if (validators.some(({ etag }) => etag === validator.etag)) return 'unchanged';
      return { file: resolve(source.location), validator, isDownload: false, isJoined: false };
    }
    const download = await downloadArchive(address, {
      folder: `${store.folder}/downloads`,
      known: validators,
      maxBytes: config.maxBytes,
      logger,
      signal,
      // There is a local copy to serve while this waits.
      ...(this.isAwaiting && { tries: 1 }),
    });
    return download.kind === 'unchanged' ? 'unchanged' : { ...download, isDownload: true };
  }

  async #adopt(
    { file, validator }: Fetched,
    {
      source,
      name,
      signature,
    }: { source: BundleSource; name: string; signature: string | undefined },
  ): Promise<void> {
    const { store, config, logger, requiredKey } = this.#options;
    const { sha256, digest } = await hashFile(file);
    const wantedHash =
      source.sha256 ?? (await siblingSha256(source.location, this.#options.signal));
    if (wantedHash !== undefined && wantedHash !== sha256) {
      const message = `The archive has the SHA-256 ${sha256}, and ${wantedHash} is expected; fetch it again.`;
      throw new DocentError('invalid_archive', message);
    }
    if (requiredKey) checkSignature(digest, signature ?? '', requiredKey.key);
    let bundle = await store.read(sha256).catch(() => undefined);
    if (!bundle) {
      const check = (manifest: Bundle['manifest']) => requireVersion(manifest, source.version);
      await unpackBundle(file, sha256, {
        store,
        maxBytes: config.maxBytes,
        check,
        signal: this.#options.signal,
      });
      bundle = await store.read(sha256);
      if (!bundle) throw new Error('The unpacked bundle is incomplete.');
    }
    requireVersion(bundle.manifest, source.version);
    const before = this.current;
    const isOther = before !== undefined && before.sha256 !== sha256;
    const previous = isOther ? before.sha256 : this.#pointer?.previous;
    const pointer: Pointer = {
      sha256,
      previous,
      source: name,
      validator,
      signedBy: requiredKey?.fingerprint,
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

interface Fetched {
  file: string;
  validator: Validator;
  isDownload: boolean;
  isJoined: boolean;
}

function describe({ manifest, sha256, files }: Bundle): object {
  return {
    exportVersion: manifest.exportVersion,
    version: manifest.options.version,
    files: files.size,
    sha256,
  };
}

/** Deletes the download once it is unpacked or useless. */
async function deleteFetched({ file, isDownload }: Fetched): Promise<void> {
  if (isDownload)
    await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
}

/** Returns whether a bundle is the wanted one, according to its link and its manifest. */
function isRequested(bundle: Bundle, pointer: Pointer, source: BundleSource): boolean {
  const isThat =
    source.sha256 === undefined
      ? pointer.source === sourceName(source.location)
      : source.sha256 === bundle.sha256;
  return isThat && hasVersion(bundle.manifest, source.version);
}

function isRefusal(error: unknown): boolean {
  return error instanceof DocentError && error.code === 'invalid_archive';
}

function sourceName(location: string): string {
  const address = addressOf(location);
  return address ? shownAddress(address) : resolve(location);
}

/** @throws DocentError `link_refused`, `invalid_archive` */
async function fileValidator(file: string, maxBytes: number): Promise<Validator> {
  const stats = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new DocentError(
      'link_refused',
      `The file ${file} cannot be read (${cause.code}); specify the archive that docent export wrote.`,
      { cause },
    );
  });
  if (!stats.isFile())
    throw new DocentError(
      'link_refused',
      `${file} is not a file; specify the archive that docent export wrote.`,
    );
  if (stats.size > maxBytes)
    throw new DocentError(
      'invalid_archive',
      `${file} is larger than ${maxBytes} bytes, the limit of DOCENT_BUNDLE_MAX_BYTES.`,
    );
  return { etag: `"${stats.size}-${stats.mtimeMs}-${stats.ino}"` };
}

/** The hash that identifies an archive, and the one that is signed. */
async function hashFile(file: string): Promise<{ sha256: string; digest: Buffer }> {
  const hash = createHash('sha256');
  const signed = createSignatureHash();
  for await (const _ of hashed(
    createReadStream(file, { highWaterMark: 1024 * 1024 }),
    hash,
    signed,
  ));
  return { sha256: hash.digest('hex'), digest: signed.digest() };
}
