import { base64OfText } from '../../bytes.ts';
import { isFormType, isJsonType } from '../media-examples.ts';
import type {
  BodyInput,
  CredentialInput,
  ParameterInput,
  PartEncoding,
  RequestInputs,
} from '../request-inputs.ts';
import {
  deepPairs,
  encode,
  headerText,
  oneLine,
  pathText,
  plainText,
  queryPairs,
} from './serialize-parameter.ts';

/** A file chosen by the reader. Its contents are not read here. */
export interface PickedFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

export interface CredentialValue {
  /** A token, a key, or a password. */
  value: string;
  userName?: string;
}

/** The reader's input. */
export interface RequestValues {
  /** Address of the server, with its variables resolved. */
  server: string;
  /** The credentials of the chosen alternative; empty for a call without. */
  credentials: readonly { credential: CredentialInput; value: CredentialValue }[];
  /** By `parameterKey`; empty values are absent. */
  parameters: ReadonlyMap<string, unknown>;
  /** The chosen content type and the body to send. */
  body?: { input: BodyInput; value: unknown } | { input: BodyInput; text: string };
}

export type RequestBody =
  | { kind: 'text'; text: string }
  | { kind: 'form'; fields: [string, string][] }
  | { kind: 'multipart'; parts: MultipartPart[] }
  | { kind: 'file'; file: PickedFile };

export interface MultipartPart {
  name: string;
  value: string | PickedFile;
  contentType?: string;
}

/** A request, ready to be sent or to be rendered as code. */
export interface BuiltRequest {
  method: string;
  url: string;
  /**
   * Without cookies. A multipart body has no `Content-Type` here: the sender chooses the boundary.
   */
  headers: [string, string][];
  cookies: [string, string][];
  body?: RequestBody;
}

export function parameterKey({ place, name }: Pick<ParameterInput, 'place' | 'name'>): string {
  return `${place} ${name}`;
}

/**
 * Builds the request of an operation from these values (OpenAPI 3.1, "Style Values" and "Encoding
 * Object"). Never throws: missing path parameters stay as `{name}`.
 */
export function buildRequest(inputs: RequestInputs, values: RequestValues): BuiltRequest {
  const headers: [string, string][] = [];
  const cookies: [string, string][] = [];
  const query: string[] = [];
  let path = inputs.route;
  for (const parameter of inputs.parameters) {
    const value = values.parameters.get(parameterKey(parameter));
    if (value === undefined) continue;
    if (parameter.place === 'path')
      path = path.replaceAll(`{${parameter.name}}`, () => pathText(parameter, value));
    else if (parameter.place === 'query') query.push(...queryPairs(parameter, value));
    else if (parameter.place === 'header')
      setHeader(headers, parameter.name, headerText(parameter, value));
    else cookies.push([parameter.name, headerText(parameter, value)]);
  }
  for (const { credential, value } of values.credentials) {
    const text = credentialText(credential, value);
    if (text === undefined) continue;
    if (credential.place === 'query') query.push(`${encode(credential.name)}=${encode(text)}`);
    else if (credential.place === 'header') setHeader(headers, credential.name, oneLine(text));
    else cookies.push([credential.name, oneLine(text)]);
  }
  const body = values.body && buildBody(values.body, headers);
  return {
    method: inputs.method,
    url: joinUrl(values.server, path, query),
    headers,
    cookies,
    body,
  };
}

/** A header of the reader overrides a generated one. */
function setHeader(headers: [string, string][], name: string, value: string): void {
  const existingHeader = headers.find(([other]) => other.toLowerCase() === name.toLowerCase());
  if (existingHeader) existingHeader[1] = value;
  else headers.push([name, value]);
}

function joinUrl(server: string, path: string, query: readonly string[]): string {
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
  const start = isWhole
    ? path
    : `${server.trim().replace(/(?<!\/)\/+$/, '')}${path.startsWith('/') || path === '' ? '' : '/'}${path}`;
  if (query.length === 0) return start;
  return `${start}${start.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Returns what is sent for a credential; undefined if it is not filled in. */
export function credentialText(
  credential: CredentialInput,
  { value, userName = '' }: CredentialValue,
): string | undefined {
  if (credential.kind === 'basic') {
    return value === '' && userName === ''
      ? undefined
      : `Basic ${base64OfText(`${userName}:${value}`)}`;
  }
  const token = value.trim();
  if (token === '') return undefined;
  const prefix = credential.prefix ?? (credential.kind === 'bearer' ? 'Bearer ' : '');
  // Tokens are often copied together with their scheme.
  return token.toLowerCase().startsWith(prefix.toLowerCase()) ? token : prefix + token;
}

function buildBody(
  body: NonNullable<RequestValues['body']>,
  headers: [string, string][],
): RequestBody | undefined {
  const { input } = body;
  const mediaType = input.mediaType.includes('*') ? 'application/json' : input.mediaType;
  const requestBody = 'text' in body ? textBody(body.text) : valueBody(input, body.value);
  if (requestBody === undefined) return undefined;
  if (requestBody.kind === 'file') {
    const contentType = input.mediaType.includes('*')
      ? requestBody.file.type || 'application/octet-stream'
      : mediaType;
    if (!hasHeader(headers, 'content-type')) headers.push(['Content-Type', contentType]);
  } else if (requestBody.kind !== 'multipart' && !hasHeader(headers, 'content-type'))
    headers.push(['Content-Type', mediaType]);
  return requestBody;
}

function hasHeader(headers: readonly [string, string][], name: string): boolean {
  return headers.some(([other]) => other.toLowerCase() === name);
}

function textBody(text: string): RequestBody | undefined {
  return text.trim() === '' ? undefined : { kind: 'text', text };
}

function valueBody(input: BodyInput, value: unknown): RequestBody | undefined {
  if (value === undefined) return undefined;
  if (isPickedFile(value)) return { kind: 'file', file: value };
  if (isFormType(input.mediaType)) {
    const parts = Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
      ([name, item]) => formParts(name, item, encodingOf(input, name)),
    );
    if (/multipart/i.test(input.mediaType)) return { kind: 'multipart', parts };
    return { kind: 'form', fields: parts.map((part) => [part.name, fieldText(part.value)]) };
  }
  if (isJsonType(input.mediaType) || typeof value !== 'string')
    return { kind: 'text', text: JSON.stringify(value, null, 2) };
  return { kind: 'text', text: value };
}

function encodingOf(input: BodyInput, name: string): PartEncoding {
  return input.encodings?.find((encoding) => encoding.name === name) ?? { name };
}

/**
 * The parts of a property: one for each item of a list; an object is JSON unless its encoding says
 * otherwise.
 */
function formParts(name: string, value: unknown, encoding: PartEncoding): MultipartPart[] {
  const { contentType } = encoding;
  const asJson = contentType !== undefined && isJsonType(contentType);
  const part = (item: unknown, type?: string): MultipartPart => {
    const declared =
      type ?? (contentType?.includes(',') || contentType?.includes('*') ? undefined : contentType);
    const text = isPickedFile(item) ? item : asJson ? JSON.stringify(item) : plainText(item);
    return { name, value: text, contentType: declared };
  };
  if (isPickedFile(value) || typeof value !== 'object' || value === null) return [part(value)];
  if (encoding.style === 'deepObject')
    return deepPairs(name, value).map(([key, text]) => ({ name: key, value: text }));
  if (Array.isArray(value) && !asJson) {
    if (encoding.explode === false) return [part(value.map(plainText).join(','))];
    return value.flatMap((item) => formParts(name, item, encoding));
  }
  return [part(value, contentType ?? 'application/json')];
}

function fieldText(value: string | PickedFile): string {
  return typeof value === 'string' ? value : value.name;
}

/**
 * JSON objects have `Object`'s prototype or none, so a file is recognized by where its members come
 * from.
 */
export function isPickedFile(value: unknown): value is PickedFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype && 'name' in value && 'size' in value;
}
