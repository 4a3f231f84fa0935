import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { DocentError } from '../core/errors.ts';

const MAX_REDIRECTS = 5;
/** Timeout until the server starts to answer. */
const ANSWER_MS = 30_000;

export interface ArchiveResponse {
  response: IncomingMessage;
  status: number;
  headers: IncomingMessage['headers'];
}

/**
 * Requests an archive exactly as it is stored: nothing is decoded. Follows redirects.
 * @throws DocentError `dependency_unavailable` if there is no response
 */
export async function requestArchive(
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  redirects = 0,
): Promise<ArchiveResponse> {
  const response = await answerOf(address, headers, signal);
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status < 300 || status > 399 || status === 304 || location === undefined)
    return { response, status, headers: response.headers };
  response.destroy();
  const next = URL.parse(location, address.href);
  if (!next || !/^https?:$/.test(next.protocol) || redirects === MAX_REDIRECTS) {
    throw new DocentError('dependency_unavailable', `${shownAddress(address)} redirects to an invalid address.`);
  }
  return requestArchive(next, headers, signal, redirects + 1);
}

function answerOf(address: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { 'accept-encoding': 'identity', 'user-agent': 'docent', ...headers }, signal };
    const request = address.protocol === 'https:' ? https.get(address, options) : http.get(address, options);
    const late = setTimeout(() => request.destroy(new Error(`no response within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
    request.once('response', (response) => {
      clearTimeout(late);
      resolve(response);
    });
    request.once('error', (cause) => {
      clearTimeout(late);
      reject(unreachable(address, cause));
    });
  });
}

/** Creates the error of a link that cannot be read now. */
export function unreachable(address: URL, cause: unknown): DocentError {
  const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
  return new DocentError('dependency_unavailable', `${shownAddress(address)} cannot be read: ${reason}.`, { cause });
}

/** Removes the secrets of a URL: a link's signature, a password. */
export function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
