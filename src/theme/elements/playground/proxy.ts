import {
  ANSWER_TYPE,
  type ApiCall,
  type ApiCallAnswer,
  CALL_PATH,
  CALL_TYPE,
  type ChosenServer,
  splitMessage,
} from '../../../core/api-reference/playground/api-call.ts';
import type { BuiltRequest } from '../../../core/api-reference/playground/build-request.ts';
import { mayFetch, pageData, siteRoot } from '../page-data.ts';
import { bodyOf, SendFailure } from './answer/api-answer.ts';

/** How to ask the site's server to make a call. */
export interface ProxyRoute {
  server?: ChosenServer;
}

/** An API response: its head and the rest. */
export interface ProxiedAnswer {
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
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), QUESTION_MS);
  try {
    const response = await fetch(siteRoot() + CALL_PATH, { cache: 'no-store', signal: late.signal });
    return response.ok && ((await response.json()) as { callsApis?: unknown }).callsApis === true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes a call through the site's server.
 * @throws SendFailure `proxy` with the server's message if it rejects the call
 */
export async function callThroughProxy(request: BuiltRequest, route: ProxyRoute, signal: AbortSignal): Promise<ProxiedAnswer> {
  const body = new Response(request.body && bodyOf(request.body));
  const type = body.headers.get('content-type');
  const headers = [...request.headers];
  if (request.body?.kind === 'multipart' && type) headers.push(['Content-Type', type]);
  const call: ApiCall = { page: pageData().href, method: request.method, url: request.url, headers, ...route };
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
    const joined = new Uint8Array(bytes.length + value.length);
    joined.set(bytes);
    joined.set(value, bytes.length);
    bytes = joined;
    const parts = splitMessage(bytes, MAX_HEAD_BYTES);
    if (!parts) continue;
    const head = JSON.parse(new TextDecoder().decode(parts.head)) as ApiCallAnswer;
    return { head, reader, first: bytes.subarray(parts.bodyAt) };
  }
  throw new SendFailure('proxy', 'The response cannot be read.');
}
