import {
  ANSWER_TYPE,
  type ApiCall,
  type ApiCallAnswer,
  CALL_PATH,
  CALL_TYPE,
  type ChosenServer,
  splitMessage,
} from '@docent/format/api-reference/playground/api-call.ts';
import type {
  BuiltRequest,
  RequestBody,
} from '@docent/format/api-reference/playground/build-request.ts';
import { concatenate } from '@docent/format/bytes.ts';
import { mayFetch, pageData, siteRoot } from '../page-data.ts';

interface SendOptions {
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
      redirect:
        request.headers.length === 0 && !request.body && !options.withCookies ? 'follow' : 'manual',
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

async function callByProxy(
  request: BuiltRequest,
  route: ProxyRoute,
  start: number,
  options: SendOptions,
): Promise<ApiAnswer> {
  try {
    const { head, reader, first } = await callThroughProxy(request, route, options.signal);
    const answered = { ...head, headers: new Headers(head.headers) };
    return await readAnswer(
      answered,
      request.url,
      reader,
      first.length > 0 ? [first] : [],
      start,
      options,
    );
  } catch (error) {
    if (error instanceof SendFailure) throw error;
    throw options.signal.aborted
      ? new SendFailure('stopped')
      : new SendFailure('proxy', String(error));
  }
}

async function failureOf(error: unknown, url: string, signal: AbortSignal): Promise<SendFailure> {
  if (signal.aborted) return new SendFailure('stopped');
  const target = new URL(url);
  const isLocal = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(target.hostname);
  if (location.protocol === 'https:' && target.protocol === 'http:' && !isLocal)
    return new SendFailure('mixed');
  // `fetch` gives no details; a header or a method that it refuses to send has its own message.
  const message = error instanceof Error ? error.message : '';
  if (/invalid|not a valid|unsupported|ISO-8859-1|forbidden|credentials/i.test(message))
    return new SendFailure('refused', message);
  if (await isThere(target.origin)) return new SendFailure('cors');
  return new SendFailure(navigator.onLine || isLocal ? 'unreachable' : 'offline');
}

/**
 * Returns whether a server responds at that origin. The request is empty, and its response
 * unreadable: it distinguishes a server that does not allow this page from an unreachable one.
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
    mediaType:
      (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    url,
    bytes: new Uint8Array(),
    isCut: false,
    elapsedMs: performance.now() - start,
  };
  const isStream = /event-stream|ndjson|jsonl|json-seq/.test(answer.mediaType);
  const soFar = (): ApiAnswer => ({
    ...answer,
    bytes: concatenate(chunks),
    elapsedMs: performance.now() - start,
  });
  let size = first.reduce((sum, chunk) => sum + chunk.length, 0);
  let lastProgressMs = 0;
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
      if (isStream && performance.now() - lastProgressMs > PROGRESS_MS) {
        lastProgressMs = performance.now();
        options.onProgress(soFar());
      }
    }
  } catch {
    // Keeps the data so far: a stream that the reader stops is a response too.
    answer.isCut = true;
  }
  return soFar();
}

export interface ApiAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Of the content type, in lower case, without parameters. */
  mediaType: string;
  /** Final URL, after redirects. */
  url: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The body was truncated. */
  isCut: boolean;
  elapsedMs: number;
}

export type FailureReason =
  | 'cors'
  | 'unreachable'
  | 'mixed'
  | 'offline'
  | 'redirect'
  | 'stopped'
  | 'refused'
  | 'proxy';

/** Why there is no readable response. */
export class SendFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message = '') {
    super(message);
    this.reason = reason;
  }
}

/** Returns the body in a form that `fetch` accepts. */
function bodyOf(body: RequestBody): BodyInit {
  switch (body.kind) {
    case 'text':
      return body.text;
    case 'form':
      return new URLSearchParams(body.fields).toString();
    case 'file':
      return body.file as File;
    case 'multipart': {
      const form = new FormData();
      for (const { name, value, contentType } of body.parts) {
        if (value instanceof File)
          form.append(
            name,
            contentType ? new File([value], value.name, { type: contentType }) : value,
          );
        else if (typeof value === 'string' && contentType)
          form.append(name, new Blob([value], { type: contentType }));
        else form.append(name, String(value));
      }
      return form;
    }
  }
}

/** How to ask the site's server to make a call. */
export interface ProxyRoute {
  server?: ChosenServer;
}

/** An API response: its head and the rest. */
interface ProxiedAnswer {
  head: ApiCallAnswer;
  reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The part of the body that arrived together with the head. */
  first: Uint8Array;
}

const MAX_HEAD_BYTES = 256 * 1024;
const QUESTION_MS = 10_000;

/** Returns whether the page's server proxies calls: a plain file server and the disk do not. */
export async function hasProxy(): Promise<boolean> {
  if (!mayFetch()) return false;
  try {
    const response = await fetch(siteRoot() + CALL_PATH, {
      cache: 'no-store',
      signal: AbortSignal.timeout(QUESTION_MS),
    });
    return response.ok && ((await response.json()) as { callsApis?: unknown }).callsApis === true;
  } catch {
    return false;
  }
}

/**
 * Makes a call through the site's server.
 * @throws SendFailure `proxy` with the server's message if it rejects the call
 */
async function callThroughProxy(
  request: BuiltRequest,
  route: ProxyRoute,
  signal: AbortSignal,
): Promise<ProxiedAnswer> {
  const body = new Response(request.body && bodyOf(request.body));
  const type = body.headers.get('content-type');
  const headers = [...request.headers];
  if (request.body?.kind === 'multipart' && type) headers.push(['Content-Type', type]);
  const call: ApiCall = {
    page: pageData().href,
    method: request.method,
    url: request.url,
    headers,
    ...route,
  };
  const response = await fetch(siteRoot() + CALL_PATH, {
    method: 'POST',
    headers: { 'content-type': CALL_TYPE },
    body: new Blob([`${JSON.stringify(call)}\n`, await body.arrayBuffer()]),
    credentials: 'omit',
    cache: 'no-store',
    signal,
  });
  if (!response.headers.get('content-type')?.startsWith(ANSWER_TYPE) || !response.body) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new SendFailure('proxy', problem.detail ?? `${response.status} ${response.statusText}`);
  }
  return readHead(response.body.getReader());
}

async function readHead(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ProxiedAnswer> {
  let bytes = new Uint8Array();
  while (bytes.length <= MAX_HEAD_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes = concatenate([bytes, value]);
    const parts = splitMessage(bytes, MAX_HEAD_BYTES);
    if (!parts) continue;
    const head = JSON.parse(new TextDecoder().decode(parts.head)) as ApiCallAnswer;
    return { head, reader, first: bytes.subarray(parts.bodyAt) };
  }
  throw new SendFailure('proxy', 'The response cannot be read.');
}
