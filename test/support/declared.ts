import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import * as z from 'zod';

interface DeclaredResponse {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: object }>;
}

interface OpenApi {
  paths: Record<string, Record<string, { responses?: Record<string, DeclaredResponse> }>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, object>;
    responses: Record<string, DeclaredResponse>;
  };
}

/** By the routes that it describes. */
const descriptions = new Map<string, OpenApi>();
const descriptionOfApp = new WeakMap<FastifyInstance, OpenApi>();

/**
 * Returns what an application declares. That takes 0.3 s of CPU, so applications with the same
 * routes share it.
 */
async function descriptionOf(app: FastifyInstance): Promise<OpenApi> {
  let description = descriptionOfApp.get(app);
  if (description) return description;
  const routes = app.printRoutes();
  description = descriptions.get(routes) ?? ((await app.describeRoutes()) as OpenApi);
  descriptions.set(routes, description);
  descriptionOfApp.set(app, description);
  return description;
}

const types = new WeakMap<object, z.ZodType>();

/** Matches `/v1/keys/abc` to `/v1/keys/{keyId}`; literal parts take precedence over parameters. */
function findPath(api: OpenApi, path: string): string | undefined {
  const matching = Object.keys(api.paths).filter((pattern) =>
    new RegExp(`^${pattern.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  return matching.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/**
 * Returns what the API's own description declares for a response; fails if the status is not
 * declared.
 */
function declaredResponse(
  api: OpenApi,
  method: string,
  path: string,
  response: LightMyRequestResponse,
): DeclaredResponse {
  // The discovery operations are described once, with their prefix.
  const pattern = findPath(api, path) ?? findPath(api, `/discovery${path}`);
  const declared =
    pattern === undefined
      ? undefined
      : api.paths[pattern]?.[method.toLowerCase()]?.responses?.[response.statusCode];
  expect(
    declared,
    `${method} ${path} does not declare ${response.statusCode}: ${response.body}`,
  ).toBeDefined();
  const name = declared?.$ref?.split('/').at(-1);
  return (name === undefined ? declared : api.components.responses[name]) as DeclaredResponse;
}

function declaredSchema(
  api: OpenApi,
  declared: DeclaredResponse,
  response: LightMyRequestResponse,
): z.ZodType {
  const mediaType = String(response.headers['content-type']).split(';')[0] as string;
  const schema = declared.content?.[mediaType]?.schema;
  expect(schema, `no ${mediaType} is declared for ${response.statusCode}`).toBeDefined();
  let type = types.get(schema as object);
  if (type) return type;
  const text = JSON.stringify({ ...schema, $defs: api.components.schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  type = z.fromJSONSchema(JSON.parse(text));
  types.set(schema as object, type);
  return type;
}

/**
 * Returns the described headers of a response; those of a new conversation and of a limit may be
 * absent.
 */
function sentHeaders(
  { components }: OpenApi,
  { headers }: LightMyRequestResponse,
  declared: DeclaredResponse,
): string[] {
  const mayBeAbsent = ['x-thread-key', 'RateLimit'].filter((name) => declared.headers?.[name]);
  const sent = Object.keys(components.headers).filter(
    (name) => headers[name.toLowerCase()] !== undefined,
  );
  return [...new Set([...sent, ...mayBeAbsent])].sort();
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  payload?: string | object | Buffer;
  remoteAddress?: string;
}

/**
 * Calls the application and checks the headers and a JSON body of its response against what the API
 * declares for it.
 */
export async function callDeclared(
  app: FastifyInstance,
  call: Call,
): Promise<LightMyRequestResponse> {
  const response = await app.inject(call);
  expect(response.headers['x-request-id']).toMatch(/^[\w.:-]{1,64}$/);
  const isJson = String(response.headers['content-type']).includes('json');
  if (!isJson && response.statusCode >= 400) return response;
  const api = await descriptionOf(app);
  const declared = declaredResponse(api, call.method, call.url.split('?')[0] as string, response);
  if (response.statusCode < 400)
    expect(Object.keys(declared.headers ?? {}).sort()).toEqual(
      sentHeaders(api, response, declared),
    );
  if (isJson) declaredSchema(api, declared, response).parse(response.json());
  return response;
}
