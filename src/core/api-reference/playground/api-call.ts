/** The media type of a call that the playground hands to the site's server: a line of JSON (`ApiCall`), then the body. */
export const CALL_TYPE = 'application/vnd.docent.api-call';
/** The media type of what comes back: a line of JSON (`ApiCallAnswer`), then the body. */
export const ANSWER_TYPE = 'application/vnd.docent.api-answer';
/** Where a site takes calls, from its root. */
export const CALL_PATH = '_docent/playground';

/** A request to an API that the site's server is asked to make. */
export interface ApiCall {
  /** Site path of the page that describes the operation. */
  page: string;
  method: string;
  url: string;
  headers: [string, string][];
  /** The chosen server of the page; absent for the addresses that issue tokens. */
  server?: ChosenServer;
}

/** A server of the page by its place in the list, with the values of its variables. */
export interface ChosenServer {
  index: number;
  variables: Record<string, string>;
}

/** What the API answered, without its body. */
export interface ApiCallAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
}

/** Headers that belong to one connection (RFC 9110, section 7.6.1), or that say who asked on whose behalf. */
const OF_THE_CONNECTION = new Set(
  (
    'connection content-length expect forwarded host http2-settings keep-alive proxy-authenticate proxy-authorization ' +
    'proxy-connection te trailer transfer-encoding upgrade via x-real-ip accept-encoding'
  ).split(' '),
);
/** Meant for a browser that talks to the API itself. */
const FOR_BROWSERS = new Set(
  'alt-svc clear-site-data content-encoding set-cookie set-cookie2 strict-transport-security'.split(' '),
);

/** Whether the site's server passes a request header on to the API. */
export function isForwardedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !OF_THE_CONNECTION.has(lower) && !lower.startsWith('x-forwarded-') && !lower.startsWith('sec-');
}

/** Whether the site's server passes a response header on to the page. */
export function isReturnedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !OF_THE_CONNECTION.has(lower) && !FOR_BROWSERS.has(lower);
}

const NEWLINE = 10;

/** The first line of a message, and where its body begins; undefined where there is no line of at most `maxBytes`. */
export function splitMessage(bytes: Uint8Array, maxBytes: number): { head: Uint8Array; bodyAt: number } | undefined {
  const end = bytes.subarray(0, maxBytes + 1).indexOf(NEWLINE);
  return end < 0 ? undefined : { head: bytes.subarray(0, end), bodyAt: end + 1 };
}
