import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { z } from 'zod';

interface OpenApi {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: Record<string, { schema?: object }> }> }>>;
  components?: { schemas?: Record<string, object> };
}

/** `/v1/keys/abc` against `/v1/keys/{keyId}`; literal parts win over parameters. */
function findPath(api: OpenApi, path: string): string | undefined {
  const matching = Object.keys(api.paths).filter((pattern) =>
    new RegExp(`^${pattern.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  return matching.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** The schema that the API's own description declares for an answer; fails where the status is not declared. */
function declaredSchema(api: OpenApi, method: string, path: string, response: LightMyRequestResponse): z.ZodType {
  // The discovery operations are described once, with their prefix.
  const pattern = findPath(api, path) ?? findPath(api, `/discovery${path}`);
  const declared =
    pattern === undefined ? undefined : api.paths[pattern]?.[method.toLowerCase()]?.responses?.[response.statusCode];
  expect(declared, `${method} ${path} does not declare ${response.statusCode}: ${response.body}`).toBeDefined();
  const mediaType = String(response.headers['content-type']).split(';')[0] as string;
  const schema = declared?.content?.[mediaType]?.schema;
  expect(schema, `${method} ${path} declares no ${mediaType} for ${response.statusCode}`).toBeDefined();
  const text = JSON.stringify({ ...schema, $defs: api.components?.schemas }).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text));
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  payload?: string | object | Buffer;
  remoteAddress?: string;
}

/** Calls the application and checks a JSON answer against what the API declares for it. */
export async function callDeclared(app: FastifyInstance, call: Call): Promise<LightMyRequestResponse> {
  const response = await app.inject(call);
  expect(response.headers['x-request-id']).toMatch(/^[\w.:-]{1,64}$/);
  if (!String(response.headers['content-type']).includes('json')) return response;
  const schema = declaredSchema(app.swagger() as unknown as OpenApi, call.method, call.url.split('?')[0] as string, response);
  schema.parse(response.json());
  return response;
}
