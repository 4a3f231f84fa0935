import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { DocentError } from '@docent/format/errors.ts';

const MAX_REDIRECTS = 5;
/** Timeout until the server starts to answer. */
const ANSWER_MS = 30_000;

/**
 * Requests an archive exactly as it is stored: nothing is decoded. Follows redirects.
 * @throws DocentError `dependency_unavailable` if there is no response
 */
export async function requestArchive(
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  redirects = 0,
): Promise<{ response: IncomingMessage; status: number; headers: IncomingMessage['headers'] }> {
  const response = await answerOf(address, headers, signal);
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status < 300 || status > 399 || status === 304 || location === undefined)
    return { response, status, headers: response.headers };
  response.destroy();
  const next = URL.parse(location, address.href);
  if (!next || !/^https?:$/.test(next.protocol) || redirects === MAX_REDIRECTS) {
    throw new DocentError(
      'dependency_unavailable',
      `${shownAddress(address)} redirects to an invalid address.`,
    );
  }
  return requestArchive(next, headers, signal, redirects + 1);
}

async function answerOf(
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = {
    headers: { 'accept-encoding': 'identity', 'user-agent': 'docent', ...headers },
    signal,
  };
  const request = (address.protocol === 'https:' ? https : http).get(address, options);
  // After the response has begun, it reports errors itself.
  request.on('error', () => {});
  const late = setTimeout(
    () => request.destroy(new Error(`no response within ${ANSWER_MS / 1000} s`)),
    ANSWER_MS,
  );
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  } catch (cause) {
    throw unreachable(address, cause);
  } finally {
    clearTimeout(late);
  }
}

/** Creates the error of a link that cannot be read now. */
export function unreachable(address: URL, cause: unknown): DocentError {
  const reason =
    cause instanceof Error
      ? ((cause as NodeJS.ErrnoException).code ?? cause.message)
      : String(cause);
  return new DocentError(
    'dependency_unavailable',
    `${shownAddress(address)} cannot be read: ${reason}.`,
    { cause },
  );
}

/** Removes the secrets of a URL: a link's signature, a password. */
export function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

const MAX_TEXT_LENGTH = 16 * 1024;
const SMALL_TEXT_MS = 10_000;

/**
 * Reads a small text file beside an archive.
 * @returns undefined if there is none, or it is too large
 * @throws DocentError `dependency_unavailable` if this is unknown now
 */
export async function readSmallText(
  location: URL | string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (typeof location === 'string') {
    return readFile(location, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
      throw new DocentError(
        'dependency_unavailable',
        `The file ${location} cannot be read (${cause.code}).`,
        { cause },
      );
    });
  }
  const { response, status } = await requestArchive(
    location,
    {},
    AbortSignal.any([signal, AbortSignal.timeout(SMALL_TEXT_MS)]),
  );
  try {
    if (status >= 500 || status === 429)
      throw unreachable(location, new Error(`it answers ${status}`));
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
      : new DocentError('dependency_unavailable', `${shownAddress(location)} was cut off.`, {
          cause,
        });
  } finally {
    response.destroy();
  }
}

/** Returns the URL, if the location is not a file. */
export function addressOf(location: string): URL | undefined {
  return /^https?:\/\//i.test(location) ? (URL.parse(location) ?? undefined) : undefined;
}

/**
 * Returns the URL of a file beside another; undefined for a link with a query, which is signed for
 * one file only.
 */
export function besideOf(location: string, ending: string): URL | string | undefined {
  const address = addressOf(location);
  if (!address) return location + ending;
  return address.search === '' ? new URL(`${address.href}${ending}`) : undefined;
}

/**
 * Reads the SHA-256 of an archive from the file beside it: `bundle.tar.gz.sha256`, in `sha256sum`
 * format.
 * @returns undefined if there is no such file, or its URL is unknown
 */
export async function siblingSha256(
  location: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const beside = besideOf(location, '.sha256');
  const text =
    beside === undefined ? undefined : await readSmallText(beside, signal).catch(() => undefined);
  return /^([0-9a-f]{64})(?:\s|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
}
