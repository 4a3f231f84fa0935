import type { HostRequest } from '../ports/git/host-calls.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MIN_WAIT_MS = 1000;
/** Limits of rates are those of an hour. */
const MAX_WAIT_MS = 3600 * 1000;

/** The server does not do what it was asked to. */
export class HostFault extends Error {
  /**
   * `busy`: the same request may succeed later. `missing`: what it names is gone. `refused`: a person must change something.
   */
  readonly kind: 'busy' | 'missing' | 'refused';

  readonly status: number | undefined;

  /** How long the server asks to be left alone, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(kind: HostFault['kind'], message: string, status?: number, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** Sends a request and returns the response, without following redirects. */
export type SendRequest = (request: {
  method: HostRequest['method'];
  url: string;
  headers: [string, string][];
  body?: Uint8Array<ArrayBuffer> | undefined;
  timeoutMs: number;
}) => Promise<{
  status: number;
  headers: readonly [string, string][];
  body: AsyncIterable<Uint8Array>;
}>;

/**
 * Sends a request to the API of a server of repositories.
 * @returns the parsed response; undefined if it is no JSON
 * @throws HostFault, or what `send` throws
 */
export async function callHost(
  send: SendRequest,
  authorization: string | undefined,
  { method, url, body }: HostRequest,
): Promise<unknown> {
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ...(authorization === undefined ? [] : [['authorization', authorization] as [string, string]]),
    ['user-agent', 'Docent'],
    ...(body ? [['content-type', 'application/json'] as [string, string]] : []),
  ];
  const bytes = body && new TextEncoder().encode(JSON.stringify(body));
  const answer = await send({ method, url, headers, body: bytes, timeoutMs: TIMEOUT_MS });
  const text = await readText(answer.body);
  if (answer.status < 200 || answer.status >= 300)
    throw faultOf(answer.status, answer.headers, new URL(url).host);
  return parse(text);
}

function faultOf(status: number, headers: readonly [string, string][], host: string): HostFault {
  const header = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const waitMs = waitOf(header);
  if (status === 429 || status >= 500 || status === 408 || (status === 403 && waitMs !== undefined))
    return new HostFault('busy', `${host} returned status ${status}.`, status, waitMs);
  if (status === 404 || status === 410)
    return new HostFault(
      'missing',
      `${host} returned status ${status}; the token may not see the repository, or the comment is gone.`,
      status,
    );
  const remedy =
    status === 401 || status === 403
      ? '; let the token write pull requests, their comments and commit statuses.'
      : '.';
  return new HostFault('refused', `${host} returned status ${status}${remedy}`, status);
}

/**
 * Returns how long a server asks to be left alone, in milliseconds: `Retry-After` in seconds or as
 * a date, or `X-RateLimit-Reset` once nothing remains; undefined if it does not ask.
 */
function waitOf(header: (name: string) => string | undefined): number | undefined {
  // Clocks differ, so the server's own says how long it is until then.
  const now = Date.parse(header('date') ?? '') || Date.now();
  const retry = header('retry-after');
  const isUsedUp = header('x-ratelimit-remaining') === '0';
  if (retry === undefined && !isUsedUp) return undefined;
  const until =
    retry === undefined ? Number(header('x-ratelimit-reset')) * 1000 : Date.parse(retry);
  const waitMs = /^\d{1,9}$/.test(retry ?? '') ? Number(retry) * 1000 : until - now;
  return Math.min(Math.max(waitMs || MIN_WAIT_MS, MIN_WAIT_MS), MAX_WAIT_MS);
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
