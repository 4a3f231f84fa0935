import { isJsonType } from '../media-examples.ts';
import type { SampleBody, SampleRequest } from '../samples/sample-request.ts';
import type { BuiltRequest } from './build-request.ts';

/** A request filled in by a reader, for the generators of code examples. */
export function sampleOfRequest(request: BuiltRequest): SampleRequest {
  const { method, url, cookies, body } = request;
  const headers = [...request.headers];
  if (cookies.length > 0)
    headers.push(['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]);
  const mediaType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const json = body?.kind === 'text' && isJsonType(mediaType) ? jsonBody(body.text) : undefined;
  return { method, url, headers, body: json ?? body };
}

/** Parses JSON that survives a round trip; numbers too long for that stay text. */
function jsonBody(text: string): SampleBody | undefined {
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
