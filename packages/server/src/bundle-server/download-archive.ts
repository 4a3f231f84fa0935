import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '@docent/format/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { requestArchive, shownAddress, unreachable } from './request-archive.ts';

export interface DownloadOptions {
  /** Folder of unfinished downloads. */
  folder: string;
  /** Content that need not be fetched again. */
  known: Validator[];
  maxBytes: number;
  logger: Logger;
  signal: AbortSignal;
  /** Maximum attempts on temporary errors; 6 by default. */
  tries?: number;
}

export type Download =
  | { kind: 'unchanged' }
  | {
      kind: 'archive';
      file: string;
      validator: Validator;
      /** Parts of it were fetched at different times. */
      isJoined: boolean;
    };

const TRIES = 6;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** If a server sends nothing for this long, the rest is requested again. */
const SILENCE_MS = 30_000;

/**
 * Downloads an archive into a file. Resumes an interrupted download if the server supports it, even
 * that of a killed process, and with a new link to the same file.
 * @throws DocentError `link_refused` if the link does not work (any more), `dependency_unavailable`
 *   if the server cannot be reached or keeps failing, `invalid_archive` if the archive is too large
 */
export async function downloadArchive(address: URL, options: DownloadOptions): Promise<Download> {
  const file = await unfinishedFile(address, options.folder);
  for (let tries = 1; ; tries++) {
    try {
      return await fetchOnce(address, file, options);
    } catch (error) {
      const mayPass = error instanceof DocentError && error.code === 'dependency_unavailable';
      if (!mayPass || tries === (options.tries ?? TRIES) || options.signal.aborted) throw error;
      const waitMs =
        Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.75 + Math.random() / 2);
      options.logger.warn(
        { reason: error.message, tries, waitMs: Math.round(waitMs) },
        'retrying the download',
      );
      await wait(waitMs, undefined, { signal: options.signal });
    }
  }
}

/** Identifies a link's file: presigned links differ each time, but refer to the same file. */
function keyOf({ origin, pathname }: URL): string {
  return createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 16);
}

/** Returns this process's file for that URL; takes over what an ended process had downloaded. */
async function unfinishedFile(address: URL, folder: string): Promise<string> {
  const file = join(folder, `${owner}.${keyOf(address)}.part`);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === file || path === `${file}.json` || !(await isLeftBehind(path, name))) continue;
    if (name.endsWith(`.${keyOf(address)}.part`) && !(await stat(file).catch(() => undefined))) {
      await rename(`${path}.json`, `${file}.json`).catch(() => {});
      await rename(path, file).catch(() => {});
    } else if (!name.endsWith('.part.json'))
      await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
  }
  return file;
}

const LEFT_BEHIND_MS = 120_000;

async function isLeftBehind(path: string, name: string): Promise<boolean> {
  if (isAbandoned(name)) return true;
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > LEFT_BEHIND_MS;
}

async function fetchOnce(address: URL, file: string, options: DownloadOptions): Promise<Download> {
  const { signal, known } = options;
  const begun = await begunDownload(file);
  const isSame = (validator: Validator) =>
    known.some((knownValidator) => sameContent(knownValidator, validator));
  const { response, status, headers } = await requestArchive(
    address,
    requestHeaders(begun, known),
    signal,
  );
  try {
    const validator = validatorOf(headers);
    if (status === 304) return { kind: 'unchanged' };
    if (status === 416 && begun && headers['content-range'] === `bytes */${begun.sizeBytes}`) {
      // The download was complete when the process ended.
      return { kind: 'archive', file, validator: begun.validator, isJoined: true };
    }
    if (status === 416) {
      await rm(file, { force: true });
      throw unreachable(address, new Error('it is shorter than the part fetched so far'));
    }
    if (status !== 200 && status !== 206) throw refusal(address, status);
    const start = status === 206 ? rangeStart(headers['content-range']) : 0;
    if (status === 206 && (!begun || start !== begun.sizeBytes)) {
      await rm(file, { force: true });
      throw unreachable(address, new Error('it sends a different part than requested'));
    }
    if (status === 200 && isSame(validator)) return { kind: 'unchanged' };
    await store(
      response,
      { address, file, start, validator: status === 206 && begun ? begun.validator : validator },
      options,
    );
    return { kind: 'archive', file, validator, isJoined: start > 0 };
  } finally {
    response.destroy();
  }
}

function requestHeaders(begun: Begun | undefined, validators: Validator[]): Record<string, string> {
  const condition = begun?.validator.etag ?? begun?.validator.lastModified;
  if (begun && condition) return { range: `bytes=${begun.sizeBytes}-`, 'if-range': condition };
  const etags = validators.map(({ etag }) => etag).filter((etag) => etag !== undefined);
  if (etags.length > 0) return { 'if-none-match': etags.join(', ') };
  const [since] = validators
    .map(({ lastModified }) => lastModified)
    .filter((date) => date !== undefined);
  return since === undefined ? {} : { 'if-modified-since': since };
}

interface Begun {
  sizeBytes: number;
  validator: Validator;
}

/** Returns the earlier download, if it is known which content it is. */
async function begunDownload(file: string): Promise<Begun | undefined> {
  try {
    const [{ size }, text] = await Promise.all([stat(file), readFile(`${file}.json`, 'utf8')]);
    const validator = JSON.parse(text) as Validator;
    // A weak ETag does not guarantee identical bytes.
    const isStrong =
      validator.etag === undefined
        ? validator.lastModified !== undefined
        : !validator.etag.startsWith('W/');
    return size > 0 && isStrong ? { sizeBytes: size, validator } : undefined;
  } catch {
    return undefined;
  }
}

function rangeStart(contentRange: string | undefined): number {
  return Number(/^bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? Number.NaN);
}

function refusal(address: URL, status: number): DocentError {
  const where = shownAddress(address);
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return unreachable(address, new Error(`it answers ${status}`));
  const detail = [401, 403, 410].includes(status)
    ? `${where} answers ${status}: the link has expired or is invalid; request a new one.`
    : `${where} answers ${status}: there is no bundle at this link.`;
  return new DocentError('link_refused', detail);
}

interface Target {
  address: URL;
  file: string;
  start: number;
  validator: Validator;
}

async function store(
  response: IncomingMessage,
  { address, file, start, validator }: Target,
  options: DownloadOptions,
): Promise<void> {
  const declared = response.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  requireSize(start + (length ?? 0), options.maxBytes);
  if (start === 0) await rm(file, { force: true });
  await writeFile(`${file}.json`, JSON.stringify(validator));
  let storedBytes = start;
  async function* limited() {
    for await (const chunk of received(response, address)) {
      storedBytes += chunk.byteLength;
      requireSize(storedBytes, options.maxBytes);
      yield chunk;
    }
  }
  await writeFile(file, limited(), { flag: 'a', flush: true });
  if (length !== undefined && storedBytes !== start + length)
    throw unreachable(
      address,
      new Error(`it ended after ${storedBytes} of ${start + length} bytes`),
    );
}

/** The chunks of a response; all of its errors are `unreachable`. */
async function* received(response: IncomingMessage, address: URL): AsyncGenerator<Buffer> {
  const watch = setTimeout(
    () => response.destroy(new Error(`nothing was received for ${SILENCE_MS / 1000} s`)),
    SILENCE_MS,
  );
  try {
    for await (const chunk of response) {
      watch.refresh();
      yield chunk;
    }
  } catch (cause) {
    throw unreachable(address, cause);
  } finally {
    clearTimeout(watch);
  }
}

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) {
    throw new DocentError(
      'invalid_archive',
      `The archive is larger than ${maxBytes} bytes, the limit of DOCENT_BUNDLE_MAX_BYTES.`,
    );
  }
}

/** What distinguishes the contents of a URL, according to the server (RFC 9110 §8.8). */
export interface Validator {
  etag?: string;
  lastModified?: string;
}

function validatorOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): Validator {
  return { etag, lastModified };
}

/** Returns whether two responses had the same content; unknown counts as no. */
function sameContent(validator: Validator, other: Validator): boolean {
  if (validator.etag !== undefined || other.etag !== undefined)
    return validator.etag === other.etag;
  return validator.lastModified !== undefined && validator.lastModified === other.lastModified;
}

/**
 * Identifies the files that this process writes, so that leftovers of a killed process can be
 * recognized. In a container every process has the id 1, and the host is the pod.
 */
export const owner = `${hostname().replace(/[^\w-]/g, '_')}.${process.pid}`;

/**
 * Returns whether a file of that name was written by a process of this host that has ended, or had
 * the id of this one.
 */
export function isAbandoned(name: string): boolean {
  const [host, pid] = name.split('.');
  if (host !== owner.split('.')[0]) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
