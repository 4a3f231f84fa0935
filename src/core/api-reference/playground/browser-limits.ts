import type { BuiltRequest } from './build-request.ts';

/** Headers that the Fetch standard keeps for the browser ("forbidden request-header"). */
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

/** Parts of a request that no page can send, by what a reader knows them as: `Cookie: session`, `Host`, `GET + body`. */
export function unsendableParts(request: BuiltRequest): string[] {
  const names = request.headers.filter(([name]) => isForbidden(name)).map(([name]) => name);
  names.push(...request.cookies.map(([name]) => `Cookie: ${name}`));
  if (!allowsBody(request.method) && request.body) names.push(`${request.method} + body`);
  return names;
}

/** The request as a browser sends it. */
export function sendableRequest(request: BuiltRequest): BuiltRequest {
  const { body, ...rest } = request;
  const sent: BuiltRequest = { ...rest, headers: request.headers.filter(([name]) => !isForbidden(name)), cookies: [] };
  return body && allowsBody(request.method) ? { ...sent, body } : sent;
}

function allowsBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
