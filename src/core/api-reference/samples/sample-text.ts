import type { SampleBody, SampleRequest } from './sample-request.ts';

/** The request of an example as plain parts, for languages whose body is text. */
export interface PlainRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** JSON over several lines; a form as sent over the wire. */
  body?: string;
}

/** Returns the request with its body as text; undefined if the body contains a file. */
export function plainRequest(request: SampleRequest): PlainRequest | undefined {
  const { method, url, headers } = request;
  const plain = { method: word(method), url, headers };
  if (request.body === undefined) return plain;
  const body = bodyText(request.body);
  return body === undefined ? undefined : { ...plain, body };
}

/** Some languages write methods without quotes. */
function word(method: string): string {
  return method.replace(/[^A-Za-z]/g, '') || 'GET';
}

function bodyText(body: SampleBody): string | undefined {
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.value, null, 2) ?? 'null';
    case 'form':
      return body.fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    case 'text':
      return body.text;
    default:
      return undefined;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Escapes text for double quotes in every C-like language: after control characters are removed, JSON escapes only quotes,
 * backslashes and line ends.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g, ''));
}

/** The same for languages in which `$` starts a variable in double quotes. */
export function quotedWithDollar(text: string): string {
  return quoted(text).replaceAll('$', '\\$');
}

/** Returns the body on one line if it is JSON. */
export function oneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

/** Indents every line. */
export function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}

/** Returns the name of the method capitalized: `Post`. */
export function capitalized(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1).toLowerCase();
}
