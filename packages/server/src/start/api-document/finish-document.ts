import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { DocentError, type ErrorCode, errorCatalog } from '@docent/format/errors.ts';
import { PROBLEM_TYPE, problemOf, statusOf } from '../../kernel/http/problem.ts';
import {
  headerComponents,
  headerReferences,
  type ResponseHeader,
} from '../../kernel/http/response-headers.ts';

/** The generator's placeholder for a response without a description. */
const UNSAID = 'Default Response';
const PARAMETERS = '#/components/parameters/';
const SCHEMAS = '#/components/schemas/';
/** The generator creates two components of each named schema: for requests and for responses. */
const SENT = 'Input';

/**
 * Turns the generator's output into the published document: errors, headers, parameters and schemas
 * are shared under
 * `components`, and every body has an example.
 */
export function finishDocument(generated: object): ApiDocument {
  // Copies by serializing: the generator uses one object in several places.
  const document = JSON.parse(JSON.stringify(generated)) as ApiDocument;
  eachObject(document, dropBoundsOfNumbers);
  document.components.headers = headerComponents();
  for (const operation of operationsOf(document)) {
    acceptSessions(operation);
    finishBody(operation, document);
    finishResponses(operation, document);
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (!name.endsWith(SENT)) allowMore(schema);
  orderByTag(document);
  nameSchemasOnce(document);
  shareParameters(document);
  dropUnused(document);
  return document;
}

/**
 * Operations that accept an admin key also accept a member's session, which may name an
 * organization that is not theirs.
 */
function acceptSessions(operation: Operation): void {
  const ways = operation.security as Record<string, unknown>[] | undefined;
  if (!ways?.some((way) => 'adminKey' in way)) return;
  operation.security = [...ways, { session: [] }];
  operation.responses['404'] ??= {};
}

/** Integers are as exact as JavaScript's; repeating that for each is no help. */
function dropBoundsOfNumbers(schema: Record<string, unknown>): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Sorts paths by the order of the document's tags, which is the order of its reference pages. */
function orderByTag(document: ApiDocument): void {
  const tags = document.tags.map(({ name }) => name);
  const placeOf = (item: Record<string, Operation>) =>
    tags.indexOf(Object.values(item)[0]?.tags[0] ?? '');
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort(([, a], [, b]) => placeOf(a) - placeOf(b)),
  );
}

function finishBody({ requestBody }: Operation, { components }: ApiDocument): void {
  if (!requestBody) return;
  for (const media of Object.values(requestBody.content)) {
    // A body that may be null is optional.
    const form = withoutNull(media.schema);
    if (form !== media.schema) requestBody.required = false;
    if (form) media.schema = form;
    addExample(media, components.schemas);
  }
}

function withoutNull(schema: Schema | undefined): Schema | undefined {
  if (!Array.isArray(schema?.anyOf)) return schema;
  const forms = schema.anyOf.filter((form: Schema) => form.type !== 'null');
  return forms.length === 1 && forms.length < schema.anyOf.length ? forms[0] : schema;
}

function finishResponses(operation: Operation, { components }: ApiDocument): void {
  const named = (operation['x-response-headers'] ?? []) as ResponseHeader[];
  delete operation['x-response-headers'];
  components.responses ??= {};
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) >= 400) {
      const name = errorResponseName(Number(status));
      components.responses[name] ??= errorResponse(Number(status));
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
      continue;
    }
    if (response.description === UNSAID) response.description = STATUS_CODES[status] ?? 'Success';
    response.headers = headerReferences(['X-Request-Id', ...named]);
    for (const media of Object.values(response.content ?? {})) {
      if (media.schema) allowMore(media.schema);
      addExample(media, components.schemas);
    }
  }
}

/**
 * Responses may get more properties in a later version, so the description does not rule out
 * others.
 */
function allowMore(schema: Schema): void {
  eachObject(schema, (object) => {
    if (object.additionalProperties === false) delete object.additionalProperties;
  });
}

function addExample(media: Media, schemas: Record<string, Schema>): void {
  if (!media.schema || 'example' in media || 'examples' in media) return;
  const example = composeExample(media.schema, schemas);
  if (example !== undefined) media.example = example;
  delete media.schema.examples;
}

/**
 * A schema with one form for requests and responses, or only used in requests, is one component
 * with its plain name.
 */
function nameSchemasOnce(document: ApiDocument): void {
  const { schemas } = document.components;
  const used = usedSchemas(document);
  for (const name of Object.keys(schemas)) {
    const plain = name.slice(0, -SENT.length);
    const answered = schemas[plain];
    if (!name.endsWith(SENT) || !answered || !used.has(name)) continue;
    if (used.has(plain) && !isDeepStrictEqual(schemas[name], answered)) continue;
    schemas[plain] = schemas[name] as Schema;
    delete schemas[name];
    eachObject(document, (object) => {
      if (object.$ref === SCHEMAS + name) object.$ref = SCHEMAS + plain;
    });
  }
}

/** Identical parameters of several operations are shared. */
function shareParameters(document: ApiDocument): void {
  const uses = new Map<string, number>();
  const all = operationsOf(document).flatMap(({ parameters }) => parameters ?? []);
  for (const parameter of all)
    uses.set(JSON.stringify(parameter), (uses.get(JSON.stringify(parameter)) ?? 0) + 1);
  const shared: Record<string, Parameter> = {};
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      if ((uses.get(JSON.stringify(parameter)) ?? 0) < 2) return parameter;
      const name = parameterName(parameter, shared);
      shared[name] = parameter;
      return { $ref: PARAMETERS + name };
    });
    if (!operation.parameters) delete operation.parameters;
  }
  document.components.parameters = shared;
}

/** Returns `limit` for the first parameter of that name, `limit2` for the next that differs. */
function parameterName(parameter: Parameter, shared: Record<string, Parameter>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${parameter.name}` : `${parameter.name}${number}`;
    if (!shared[name] || isDeepStrictEqual(shared[name], parameter)) return name;
  }
}

/**
 * Drops schemas without a use, and sorts the others, so that their order does not depend on that of
 * the imports.
 */
function dropUnused(document: ApiDocument): void {
  const { components } = document;
  const used = [...usedSchemas(document)].sort();
  components.schemas = Object.fromEntries(
    used.map((name) => [name, components.schemas[name] as Schema]),
  );
}

/** Returns the components that operations use, directly or indirectly. */
function usedSchemas({ paths, components }: ApiDocument): Set<string> {
  const used = new Set<string>();
  const follow = (value: unknown): void =>
    eachObject(value, ({ $ref }) => {
      if (typeof $ref !== 'string' || !$ref.startsWith(SCHEMAS)) return;
      const name = $ref.slice(SCHEMAS.length);
      if (used.has(name)) return;
      used.add(name);
      follow(components.schemas[name]);
    });
  follow([paths, components.responses]);
  return used;
}

/** Errors of the CLI and of startup, which no operation returns. */
const notOverHttp: ReadonlySet<string> = new Set([
  'invalid_setting',
  'data_folder_in_use',
  'port_in_use',
  'build_failed',
]);

const headersByStatus: Record<number, ResponseHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** Returns the name of the shared response of a status, `NotFound` for 404. */
function errorResponseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^a-z]/gi, '');
}

/**
 * Returns the shared response for an error status, with an example for each code. The text that
 * clients get who accept nothing else is left out: generated clients would have to expect a string
 * in place of every problem.
 */
function errorResponse(status: number): Response {
  const errors = (Object.keys(errorCatalog) as ErrorCode[])
    .filter((code) => !notOverHttp.has(code))
    .map((code) => new DocentError(code, `${errorCatalog[code].title}.`))
    .filter((error) => statusOf(error) === status);
  const examples = errors.map((error) => {
    const value = problemOf(error, {
      requestId: '6a1c9a52-6a53-4a0b-9d0c-2f6a3f6f0f0e',
      isDiscovery: false,
    });
    return [error.code, { summary: error.title, value }] as const;
  });
  return {
    description: `${errors.map(({ title, code }) => `${title} (\`${code}\`)`).join('; ')}.`,
    headers: headerReferences(['X-Request-Id', ...(headersByStatus[status] ?? [])]),
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: `${SCHEMAS}Problem` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/**
 * Composes an example of a schema from the examples, constants and defaults that it and its parts
 * declare. Omits optional parts that declare none.
 * @returns undefined if a required part declares nothing to build an example from
 */
export function composeExample(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.$ref !== undefined)
    return composeExample(schemas[schema.$ref.slice(SCHEMAS.length)] ?? {}, schemas);
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (choices)
    return firstDefined((choices as Schema[]).map((choice) => composeExample(choice, schemas)));
  if (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null')))
    return null;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') {
    const item = isObject(schema.items) ? composeExample(schema.items, schemas) : undefined;
    return item === undefined ? [] : [item];
  }
  if (schema.type === 'object' && isObject(schema.properties))
    return composeObject(schema, schema.properties, schemas);
  return undefined;
}

function composeObject(
  schema: Schema,
  properties: Record<string, unknown>,
  schemas: Record<string, Schema>,
): unknown {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = composeExample(property as Schema, schemas);
    if (value !== undefined) example[name] = value;
    else if (required.has(name)) return undefined;
  }
  return example;
}

/** Of several alternatives, the first that is not `null` is the most useful. */
function firstDefined(examples: unknown[]): unknown {
  return (
    examples.find((example) => example !== undefined && example !== null) ??
    examples.find((example) => example === null)
  );
}

/** The parts of a JSON Schema that are used here. */
interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<
    string,
    Media & { examples?: Record<string, { summary: string; value: unknown }> }
  >;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  [keyword: string]: unknown;
}

export interface Operation {
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  [keyword: string]: unknown;
}

/** The parts of an OpenAPI 3.1 document that are used here. */
export interface ApiDocument {
  tags: { name: string }[];
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls `visit` for a value and every object in it, parents before children. */
export function eachObject(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) eachObject(item, visit);
  } else if (isObject(value)) {
    visit(value);
    for (const child of Object.values(value)) eachObject(child, visit);
  }
}
