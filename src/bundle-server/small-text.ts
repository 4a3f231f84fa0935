import { readFile } from 'node:fs/promises';
import { DocentError } from '../core/errors.ts';
import { requestArchive, shownAddress, unreachable } from './request-archive.ts';

const MAX_TEXT_LENGTH = 16 * 1024;
const ANSWER_MS = 10_000;

/**
 * Reads a small text file beside an archive.
 * @returns undefined if there is none, or it is too large
 * @throws DocentError `dependency_unavailable` if this is unknown now
 */
export async function readSmallText(location: URL | string, signal: AbortSignal): Promise<string | undefined> {
  if (typeof location === 'string') {
    return readFile(location, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
      throw new DocentError('dependency_unavailable', `The file ${location} cannot be read (${cause.code}).`, { cause });
    });
  }
  const { response, status } = await requestArchive(location, {}, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  try {
    if (status >= 500 || status === 429) throw unreachable(location, new Error(`it answers ${status}`));
    if (status !== 200) return undefined;
    let text = '';
    for await (const chunk of response as AsyncIterable<Buffer>) {
      text += chunk.toString('utf8');
      if (text.length > MAX_TEXT_LENGTH) return undefined;
    }
    return text;
  } catch (cause) {
    throw cause instanceof DocentError
      ? cause
      : new DocentError('dependency_unavailable', `${shownAddress(location)} was cut off.`, { cause });
  } finally {
    response.destroy();
  }
}

/** Returns the URL of a file beside another; undefined for a link with a query, which is signed for one file only. */
export function besideOf(location: string, ending: string): URL | string | undefined {
  const address = URL.parse(location);
  if (address === null || !/^https?:$/.test(address.protocol)) return location + ending;
  return address.search === '' ? new URL(`${address.href}${ending}`) : undefined;
}

/**
 * Reads the SHA-256 of an archive from the file beside it: `bundle.tar.gz.sha256`, in `sha256sum` format.
 * @returns undefined if there is no such file, or its URL is unknown
 */
export async function siblingSha256(location: string, signal: AbortSignal): Promise<string | undefined> {
  const beside = besideOf(location, '.sha256');
  const text = beside === undefined ? undefined : await readSmallText(beside, signal).catch(() => undefined);
  return /^([0-9a-f]{64})(?:\s|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
}
