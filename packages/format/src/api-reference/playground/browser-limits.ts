import { isForwardedHeader } from './api-call.ts';
import type { BuiltRequest } from './build-request.ts';

/** Headers that the Fetch standard reserves for the browser ("forbidden request-header"). */
const FORBIDDEN = new Set(
  (
    'accept-charset accept-encoding access-control-request-headers access-control-request-method connection content-length cookie ' +
    'cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade via'
  ).split(' '),
);

function isForbidden(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-');
}

/**
 * Returns the parts of a request that a page cannot send, as readers know them: `Cookie: session`,
 * `Host`, `GET + body`.
 * @param isProxied whether the site's server sends the request, which has fewer restrictions
 */
export function unsendableParts(request: BuiltRequest, isProxied = false): string[] {
  const names = request.headers
    .filter(([name]) => !isSendable(name, isProxied))
    .map(([name]) => name);
  if (!isProxied) names.push(...request.cookies.map(([name]) => `Cookie: ${name}`));
  if (!allowsBody(request.method) && request.body) names.push(`${request.method} + body`);
  return names;
}

function isSendable(name: string, isProxied: boolean): boolean {
  return isProxied ? isForwardedHeader(name) : !isForbidden(name);
}

/** Returns the request as a browser, or the site's server, sends it. */
export function sendableRequest(request: BuiltRequest, isProxied = false): BuiltRequest {
  const { body, cookies, ...rest } = request;
  const headers = request.headers.filter(([name]) => isSendable(name, isProxied));
  if (isProxied && cookies.length > 0)
    headers.push(['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]);
  return { ...rest, headers, cookies: [], body: allowsBody(request.method) ? body : undefined };
}

function allowsBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
