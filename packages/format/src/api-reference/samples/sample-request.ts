import { isObject, type JsonObject, showValue, textAt, valueAt } from '../../json-value.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { readAuthorizations } from '../authorizations.ts';
import { exampleValue } from '../example-value.ts';
import { isFormType, isJsonType, mediaExamples, preferredMedia } from '../media-examples.ts';
import { parameterExample, parameterSchema, requestParameters } from '../parameters.ts';
import { follow } from '../schemas/references.ts';
import { schemaLayers } from '../schemas/schema-layers.ts';
import { baseOf, operationServers, wholeAddress, withoutSlash } from '../servers.ts';

/** A request as shown by the examples of every language. */
export interface SampleRequest {
  method: string;
  /** Including its query. */
  url: string;
  headers: [string, string][];
  body?: SampleBody;
}

export type SampleBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: [string, string][] }
  | { kind: 'multipart'; parts: { name: string; value: string | NamedFile }[] }
  | { kind: 'text'; text: string }
  | { kind: 'file'; file: NamedFile };

interface NamedFile {
  readonly name: string;
}

const EXAMPLE_FILE: NamedFile = { name: 'example-file' };

/** A language of request examples. */
export interface SampleLanguage {
  /** Language of the code block. */
  language: string;
  /** Title of the tab. */
  label: string;
  /** Undefined if the language has no concise way to send such a request. */
  write(request: SampleRequest): string | undefined;
}

const UNKNOWN_SERVER = 'https://api.example.com';

/**
 * Returns the request of an operation's examples: required parameters, the first way to
 * authenticate, an example body.
 * @param requiredOnly omits optional parts from a generated body
 */
export function sampleRequest(
  document: ApiDocument,
  operation: ApiOperation,
  baseUrls: readonly string[] = [],
  requiredOnly = false,
): SampleRequest {
  const { root } = document;
  const headers: [string, string][] = [];
  const query: [string, string][] = [];
  const cookies: string[] = [];
  const { alternatives } = readAuthorizations(root, operation.raw, operation.webhook);
  const add = (place: string | undefined, name: string, value: string) => {
    if (place === 'header') headers.push([name, value]);
    else if (place === 'query') query.push([name, value]);
    else if (place === 'cookie') cookies.push(`${name}=${value}`);
  };
  for (const { place, name, sample } of alternatives[0] ?? []) add(place, name, sample);
  let path = operation.route;
  for (const parameter of requestParameters(root, operation)) {
    const name = textAt(parameter, 'name') as string;
    const place = textAt(parameter, 'in');
    const value = parameterValue(root, parameter);
    if (place === 'path') path = fillPath(path, name, value);
    else if (valueAt(parameter, 'required') === true) add(place, name, value ?? `<${name}>`);
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  const url = baseUrl(document, operation, baseUrls) + path + queryText(query);
  return {
    method: operation.method,
    url,
    headers,
    body: sampleBody(root, operation, headers, requiredOnly),
  };
}

function baseUrl(
  document: ApiDocument,
  operation: ApiOperation,
  baseUrls: readonly string[],
): string {
  const url =
    operationServers(document, operation)[0]?.url ?? withoutSlash(baseUrls[0] ?? UNKNOWN_SERVER);
  return wholeAddress(url, baseOf(document, baseUrls) ?? UNKNOWN_SERVER);
}

function parameterValue(root: JsonObject, parameter: JsonObject): string | undefined {
  const example = parameterExample(root, parameter);
  if (example !== undefined && example !== null) return parameterText(example);
  const schema = parameterSchema(parameter);
  const { keywords } = schemaLayers(root, schema);
  const isNamed = ['example', 'examples', 'default', 'const', 'enum'].some((keyword) =>
    keywords.has(keyword),
  );
  const generatedExample =
    isNamed || keywords.get('type') !== 'string'
      ? exampleValue(root, schema, 'request')
      : undefined;
  return generatedExample === undefined || generatedExample === null || isObject(generatedExample)
    ? undefined
    : parameterText(generatedExample);
}

function parameterText(value: unknown): string | undefined {
  const text = Array.isArray(value)
    ? value.map((item) => showValue(item, 80)).join(',')
    : showValue(value, 200);
  return text.includes('<string>') || text === '' ? undefined : text;
}

/** Without an example the placeholder stays: `{id}` says what belongs there. */
function fillPath(path: string, name: string, value: string | undefined): string {
  return value === undefined ? path : path.replaceAll(`{${name}}`, encodePart(value));
}

function queryText(query: readonly [string, string][]): string {
  return query
    .map(
      ([name, value], index) =>
        `${index === 0 ? '?' : '&'}${encodePart(name)}=${encodePart(value)}`,
    )
    .join('');
}

/**
 * Percent-encodes everything but placeholders. Lone surrogates cannot be encoded and are dropped.
 */
function encodePart(text: string): string {
  return /^<[\w-]+>$/.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed().replaceAll('\ufffd', ''));
}

function sampleBody(
  root: JsonObject,
  operation: ApiOperation,
  headers: [string, string][],
  requiredOnly: boolean,
): SampleBody | undefined {
  const holder = follow(root, valueAt(operation.raw, 'requestBody'))?.value;
  const preferred = preferredMedia(root, holder);
  if (!preferred) return undefined;
  const [mediaType, media] = preferred;
  const example = mediaExamples(root, mediaType, media, 'request', requiredOnly)[0]?.value;
  if (/multipart/i.test(mediaType)) return multipartBody(root, media, example);
  headers.push(['Content-Type', mediaType === '*/*' ? 'application/json' : mediaType]);
  if (isFormType(mediaType)) {
    const fields = Object.entries(isObject(example) ? example : {});
    return { kind: 'form', fields: fields.map(([name, value]) => [name, showValue(value, 400)]) };
  }
  if (isJsonType(mediaType)) return { kind: 'json', value: parsedExample(example) ?? {} };
  return typeof example === 'string' && example !== '<string>'
    ? { kind: 'text', text: example }
    : { kind: 'file', file: EXAMPLE_FILE };
}

/** Some authors write a JSON example as text. */
function parsedExample(example: unknown): unknown {
  if (typeof example !== 'string' || !/^\s*[[{]/.test(example)) return example;
  try {
    return JSON.parse(example);
  } catch {
    return example;
  }
}

function multipartBody(root: JsonObject, media: unknown, example: unknown): SampleBody {
  const properties = schemaLayers(root, valueAt(media, 'schema')).keywords.get('properties');
  const parts = Object.entries(isObject(example) ? example : {}).map(([name, value]) => {
    const { keywords } = schemaLayers(root, valueAt(properties, name));
    const isFile = keywords.get('format') === 'binary' || keywords.has('contentMediaType');
    return { name, value: isFile ? EXAMPLE_FILE : showValue(value, 400) };
  });
  return { kind: 'multipart', parts };
}
