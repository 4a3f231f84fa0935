/** The parts of a JSON Schema that this folder uses. */
export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media & { examples?: Record<string, { summary: string; value: unknown }> }>;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  [keyword: string]: unknown;
}

export interface Operation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  [keyword: string]: unknown;
}

/** The parts of an OpenAPI 3.1 document that this folder uses. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, object>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: object;
  };
  [keyword: string]: unknown;
}

/** Returns every operation of the document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const SCHEMAS = '#/components/schemas/';

/** Calls `visit` for a value and every object in it, parents before children. */
export function eachObject(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) eachObject(one, visit);
  } else if (isObject(value)) {
    visit(value);
    for (const one of Object.values(value)) eachObject(one, visit);
  }
}
