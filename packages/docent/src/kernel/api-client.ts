import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  DocentError,
  type ErrorCode,
  errorCatalog,
  type FieldError,
} from '@docent/format/errors.ts';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import type { components } from '../../../../dist/openapi.d.ts';

/** A resource of the API, by its name in the API description. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/**
 * Where to reach the platform's API: an address with an admin key, or the socket of the data
 * folder, whose owner is the operator.
 */
type ApiTarget = ({ url: string; key: string } | { socketPath: string }) & {
  /** The operator's organization; defaults to the server's first one. */
  organization?: string | undefined;
};

interface RequestOptions {
  /** Another organization than that of the client. */
  organization?: string;
  /** An archive, sent instead of a body. */
  upload?: AsyncIterable<Uint8Array>;
  /** How long the answer may take; for an upload, how long nothing may be sent or received. */
  timeoutSeconds?: number;
}

/** Longer than any answer takes, and than proxies in front of a server wait. */
const TIMEOUT_SECONDS = 120;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Send = <Answer>(path: string, body?: object, options?: RequestOptions) => Promise<Answer>;

/** A small client of our own API for the commands. */
export interface ApiClient {
  /**
   * @param path with a leading slash, for example `/v1/keys`
   * @param body sent as JSON, which leaves out what is undefined
   * @throws DocentError for answers other than 2xx; `dependency_unavailable` if none comes in time
   */
  request<Answer>(
    method: Method,
    path: string,
    body?: object,
    options?: RequestOptions,
  ): Promise<Answer>;
  /** `request` by one method. */
  get: Send;
  post: Send;
  patch: Send;
  delete: Send;
}

/** Returns the client that sends its requests so. */
export function clientOf(request: ApiClient['request']): ApiClient {
  const by =
    (method: Method): Send =>
    (...call) =>
      request(method, ...call);
  return { request, get: by('GET'), post: by('POST'), patch: by('PATCH'), delete: by('DELETE') };
}

/**
 * Runs `use` with a client of the platform: the one at `--url`; else the one running on the data
 * folder; else one opened on the data folder for this command only.
 * @throws DocentError if none can be reached or opened
 */
export async function withApi<Result>(
  env: NodeJS.ProcessEnv,
  { url, key, organization }: { url?: string; key?: string; organization?: string },
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  if (url !== undefined) {
    if (!key)
      throw new DocentError(
        'invalid_setting',
        '--url needs an admin key: add --key or set DOCENT_API_KEY.',
      );
    return use(createApiClient({ url, key, organization }));
  }
  const config = loadConfig(env);
  const { findOperatorSocket, openPlatform } = await import('@docent/server/start/compose.ts');
  const running = await findOperatorSocket(config);
  if (running) return use(createApiClient({ socketPath: running, organization }));
  const platform = await openPlatform({ ...config, logLevel: 'warn' });
  try {
    await platform.startWorkers();
    return await use(createApiClient({ socketPath: platform.operatorSocketPath, organization }));
  } finally {
    await platform.close();
  }
}

export function createApiClient(target: ApiTarget): ApiClient {
  return clientOf(
    <Answer>(
      method: string,
      path: string,
      body?: object,
      {
        organization = target.organization,
        upload,
        timeoutSeconds = TIMEOUT_SECONDS,
      }: RequestOptions = {},
    ) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const headers: Record<string, string> = {
        accept: 'application/json',
        'user-agent': 'docent-cli',
      };
      if (organization !== undefined) headers['docent-organization'] = organization;
      if (upload) headers['content-type'] = 'application/gzip';
      else if (body) headers['content-type'] = 'application/json';
      const timeoutMs = timeoutSeconds * 1000;
      // A request without a timeout has that of Node.js's agent: five seconds of silence.
      const limit: Pick<Sent, 'timeout' | 'signal'> = {
        timeout: timeoutMs,
        ...(!upload && { signal: AbortSignal.timeout(timeoutMs) }),
      };
      const call = send(target, { method, path, headers, ...limit }, (response) => {
        readJson(response).then((answer) => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(answer as Answer);
          else reject(errorFrom(response, answer));
        }, fail);
      });
      const fail = (cause: Error) => {
        const isLate = limit.signal?.aborted || cause.name === 'TimeoutError';
        reject(isLate ? tooLate(target, timeoutSeconds, cause) : unreachable(target, cause));
      };
      call.on('error', fail);
      call.on('timeout', () =>
        call.destroy(new DOMException('Nothing was sent or received.', 'TimeoutError')),
      );
      if (upload) {
        // The server may refuse before the upload ends; report its answer, not the broken pipe.
        Readable.from(upload)
          .on('error', (error) => call.destroy(error))
          .pipe(call);
      } else {
        call.end(body && JSON.stringify(body));
      }
      return promise;
    },
  );
}

interface Sent extends Pick<http.RequestOptions, 'method' | 'timeout' | 'signal'> {
  path: string;
  headers: Record<string, string>;
}

function send(
  target: ApiTarget,
  { path, headers, ...options }: Sent,
  onResponse: (response: http.IncomingMessage) => void,
): http.ClientRequest {
  if ('socketPath' in target)
    return http.request(
      { ...options, ...target, path, headers: { ...headers, host: 'localhost' } },
      onResponse,
    );
  const url = new URL(path, target.url);
  const withKey = { ...options, headers: { ...headers, authorization: `Bearer ${target.key}` } };
  return (url.protocol === 'https:' ? https : http).request(url, withKey, onResponse);
}

async function readJson(response: http.IncomingMessage): Promise<unknown> {
  const body = await text(response);
  try {
    return body === '' ? undefined : JSON.parse(body);
  } catch {
    return { detail: body.slice(0, 300) };
  }
}

interface Problem {
  code?: string;
  detail?: string;
  errors?: FieldError[];
}

/** Proxies answer with these while the server behind them is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

function errorFrom(
  { statusCode: status = 0, headers }: http.IncomingMessage,
  body: unknown,
): DocentError {
  const { code, detail, errors } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Problem;
  const other = AWAY.has(status) ? 'dependency_unavailable' : 'internal_error';
  const errorCode =
    code !== undefined && Object.hasOwn(errorCatalog, code) ? (code as ErrorCode) : other;
  const retryAfter = /^\d{1,6}$/.exec(headers['retry-after'] ?? '');
  return new DocentError(errorCode, detail ?? `The server returned ${status}.`, {
    errors,
    ...(retryAfter && { retryAfterSeconds: Number(retryAfter[0]) }),
  });
}

const nameOf = (target: ApiTarget) =>
  'url' in target ? target.url : `the platform of this data folder (${target.socketPath})`;

function unreachable(target: ApiTarget, cause: Error): DocentError {
  return new DocentError(
    'dependency_unavailable',
    `Could not reach ${nameOf(target)}: ${cause.message}.`,
    { cause },
  );
}

function tooLate(target: ApiTarget, seconds: number, cause: Error): DocentError {
  const advice = 'Check the address and the log of the server, then try again.';
  const fault = `There was no answer from ${nameOf(target)} for ${seconds} seconds. ${advice}`;
  return new DocentError('dependency_unavailable', fault, { cause });
}
