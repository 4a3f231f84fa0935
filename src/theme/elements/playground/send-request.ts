import type { BuiltRequest } from '../../../core/api-reference/playground/build-request.ts';
import { concatenate } from '../../../core/bytes.ts';
import { type ApiAnswer, bodyOf, SendFailure } from './answer/api-answer.ts';
import { callThroughProxy, type ProxyRoute } from './proxy.ts';

export interface SendOptions {
  withCookies: boolean;
  signal: AbortSignal;
  /** Set if the site's server makes the call. */
  proxy?: ProxyRoute | undefined;
  /** Called with the data so far, for responses that never end. */
  onProgress(answer: ApiAnswer): void;
}

const MAX_BYTES = 32_000_000;
const PROBE_MS = 5_000;
const PROGRESS_MS = 150;

/**
 * Calls an API from the reader's browser, or through the site's server.
 * @throws SendFailure if there is no response
 */
export async function sendRequest(request: BuiltRequest, options: SendOptions): Promise<ApiAnswer> {
  const start = performance.now();
  if (options.proxy) return callByProxy(request, options.proxy, start, options);
  let response: Response;
  try {
    response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body && bodyOf(request.body),
      credentials: options.withCookies ? 'include' : 'omit',
      // The target of a redirect would receive headers and body, and could be any server.
      redirect: request.headers.length === 0 && !request.body && !options.withCookies ? 'follow' : 'manual',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: options.signal,
    });
  } catch (error) {
    throw await failureOf(error, request.url, options.signal);
  }
  if (response.type === 'opaqueredirect') throw new SendFailure('redirect');
  return readAnswer(response, response.url, response.body?.getReader(), [], start, options);
}

async function callByProxy(request: BuiltRequest, route: ProxyRoute, start: number, options: SendOptions): Promise<ApiAnswer> {
  try {
    const { head, reader, first } = await callThroughProxy(request, route, options.signal);
    const answered = { ...head, headers: new Headers(head.headers) };
    return await readAnswer(answered, request.url, reader, first.length > 0 ? [first] : [], start, options);
  } catch (error) {
    if (error instanceof SendFailure) throw error;
    throw options.signal.aborted ? new SendFailure('stopped') : new SendFailure('proxy', String(error));
  }
}

async function failureOf(error: unknown, url: string, signal: AbortSignal): Promise<SendFailure> {
  if (signal.aborted) return new SendFailure('stopped');
  const target = new URL(url);
  const isLocal = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(target.hostname);
  if (location.protocol === 'https:' && target.protocol === 'http:' && !isLocal) return new SendFailure('mixed');
  // `fetch` gives no details; a header or a method that it refuses to send has its own message.
  const message = error instanceof Error ? error.message : '';
  if (/invalid|not a valid|unsupported|ISO-8859-1|forbidden|credentials/i.test(message))
    return new SendFailure('refused', message);
  if (await isThere(target.origin)) return new SendFailure('cors');
  return new SendFailure(navigator.onLine || isLocal ? 'unreachable' : 'offline');
}

/**
 * Returns whether a server responds at that origin. The request is empty, and its response unreadable: it distinguishes a server
 * that does not allow this page from an unreachable one.
 */
async function isThere(origin: string): Promise<boolean> {
  try {
    await fetch(`${origin}/`, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return true;
  } catch {
    return false;
  }
}

async function readAnswer(
  response: Pick<Response, 'status' | 'statusText' | 'headers'>,
  url: string,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  first: readonly Uint8Array[],
  start: number,
  options: SendOptions,
): Promise<ApiAnswer> {
  const chunks = [...first];
  const answer: ApiAnswer = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    mediaType: (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    url,
    bytes: new Uint8Array(),
    isCut: false,
    elapsedMs: performance.now() - start,
  };
  const isStream = /event-stream|ndjson|jsonl|json-seq/.test(answer.mediaType);
  const soFar = (): ApiAnswer => ({ ...answer, bytes: concatenate(chunks), elapsedMs: performance.now() - start });
  let size = first.reduce((sum, chunk) => sum + chunk.length, 0);
  let shown = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || !value) break;
      chunks.push(value);
      size += value.length;
      if (size > MAX_BYTES) {
        answer.isCut = true;
        void reader?.cancel();
        break;
      }
      if (isStream && performance.now() - shown > PROGRESS_MS) {
        shown = performance.now();
        options.onProgress(soFar());
      }
    }
  } catch {
    // Keeps the data so far: a stream that the reader stops is a response too.
    answer.isCut = true;
  }
  return soFar();
}
