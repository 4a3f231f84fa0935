import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { components } from '../../dist/openapi.d.ts';
import { DocentError, type ErrorCode, errorCatalogue, type FieldError } from '../core/errors.ts';

/** A resource of the API, by its name in the API description. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/**
 * Where to reach the platform's API: an address with an admin key, or the socket of the data folder, whose owner is the operator.
 */
export type ApiTarget = { kind: 'address'; url: string; key: string } | { kind: 'socket'; socketPath: string };

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a leading slash, for example `/v1/keys`. */
  path: string;
  /** Sent as JSON. */
  body?: object;
  /** The operator's organization; defaults to the server's first one. */
  organisation?: string | undefined;
  /** Sent unchanged, instead of `body`. */
  upload?: { stream: AsyncIterable<Uint8Array>; contentType: string };
}

/** A small client of our own API for the commands. Throws answers other than 2xx as `DocentError`. */
export interface ApiClient {
  request<Answer>(request: ApiRequest): Promise<Answer>;
}

export function createApiClient(target: ApiTarget): ApiClient {
  return {
    request<Answer>(request: ApiRequest): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const call = send(target, request, (response) => {
        readJson(response).then((body) => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(body as Answer);
          else reject(errorFrom(status, body));
        }, reject);
      });
      call.on('error', (cause) => reject(unreachable(target, cause)));
      if (request.upload) {
        // The server may refuse before the upload ends; report its answer, not the broken pipe.
        Readable.from(request.upload.stream)
          .on('error', (error) => call.destroy(error))
          .pipe(call);
      } else {
        call.end(request.body && JSON.stringify(request.body));
      }
      return promise;
    },
  };
}

function send(target: ApiTarget, request: ApiRequest, onResponse: (response: http.IncomingMessage) => void): http.ClientRequest {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (request.body) headers['content-type'] = 'application/json';
  if (request.organisation !== undefined) headers['docent-organisation'] = request.organisation;
  if (request.upload) headers['content-type'] = request.upload.contentType;
  if (target.kind === 'socket') {
    return http.request(
      { socketPath: target.socketPath, path: request.path, method: request.method, headers: { ...headers, host: 'localhost' } },
      onResponse,
    );
  }
  const url = new URL(request.path, target.url);
  const options = { method: request.method, headers: { ...headers, authorization: `Bearer ${target.key}` } };
  return (url.protocol === 'https:' ? https : http).request(url, options, onResponse);
}

async function readJson(response: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 300) };
  }
}

interface Problem {
  code?: string;
  detail?: string;
  errors?: FieldError[];
}

function errorFrom(status: number, body: unknown): DocentError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Problem;
  const code =
    problem.code !== undefined && Object.hasOwn(errorCatalogue, problem.code) ? (problem.code as ErrorCode) : 'internal_error';
  return new DocentError(code, problem.detail ?? `The server returned ${status}.`, { errors: problem.errors });
}

function unreachable(target: ApiTarget, cause: Error): DocentError {
  const where = target.kind === 'socket' ? `the platform of this data folder (${target.socketPath})` : target.url;
  return new DocentError('dependency_unavailable', `Could not reach ${where}: ${cause.message}.`, { cause });
}
