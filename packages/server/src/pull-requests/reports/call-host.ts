const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;

/** A request to the API of a server of repositories. */
export interface HostRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  body?: object;
}

/** The server does not do what it was asked to. */
export class HostFault extends Error {
  /**
   * `busy`: the same request may succeed later. `missing`: what it names is gone. `refused`: a person must change something.
   */
  readonly kind: 'busy' | 'missing' | 'refused';

  readonly status: number | undefined;

  constructor(kind: HostFault['kind'], message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
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
  authorization: string,
  { method, url, body }: HostRequest,
): Promise<unknown> {
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ['authorization', authorization],
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
  const isLimited = header('retry-after') !== undefined || header('x-ratelimit-remaining') === '0';
  if (status === 429 || status >= 500 || status === 408 || (status === 403 && isLimited))
    return new HostFault('busy', `${host} returned status ${status}.`);
  if (status === 404 || status === 410)
    return new HostFault(
      'missing',
      `${host} returned status ${status}; the token may not see the repository, or the comment is gone.`,
    );
  const remedy =
    status === 401 || status === 403 ? '; let the token write comments and commit statuses.' : '.';
  return new HostFault('refused', `${host} returned status ${status}${remedy}`, status);
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
