/**
 * The media type of a call that the playground sends to the site's server: a line of JSON
 * (`ApiCall`), then the body.
 */
export const CALL_TYPE = 'application/vnd.docent.api-call';
/** The media type of the answer: a line of JSON (`ApiCallAnswer`), then the body. */
export const ANSWER_TYPE = 'application/vnd.docent.api-answer';
/** Path of the call endpoint, from the site's root. */
export const CALL_PATH = '_docent/playground';

/** A request to an API that the site's server makes for the page. */
export interface ApiCall {
  /** Site path of the page that describes the operation. */
  page: string;
  method: string;
  url: string;
  headers: [string, string][];
  /** The chosen server of the page; absent for token endpoints. */
  server?: ChosenServer;
}

/** A server of the page by its index, with the values of its variables. */
export interface ChosenServer {
  index: number;
  variables: Record<string, string>;
}

/** The API's response, without its body. */
export interface ApiCallAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
}

/**
 * Headers that belong to one connection (RFC 9110, section 7.6.1), or that identify the original
 * client.
 */
const OF_THE_CONNECTION = new Set(
  (
    'connection content-length expect forwarded host http2-settings keep-alive proxy-authenticate proxy-authorization ' +
    'proxy-connection te trailer transfer-encoding upgrade via x-real-ip accept-encoding'
  ).split(' '),
);
/** Only for a browser that talks to the API itself. */
const FOR_BROWSERS = new Set(
  'alt-svc clear-site-data content-encoding set-cookie set-cookie2 strict-transport-security'.split(
    ' ',
  ),
);

/** Returns whether the site's server forwards a request header to the API. */
export function isForwardedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    !OF_THE_CONNECTION.has(lower) && !lower.startsWith('x-forwarded-') && !lower.startsWith('sec-')
  );
}

/** Returns whether the site's server forwards a response header to the page. */
export function isReturnedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !OF_THE_CONNECTION.has(lower) && !FOR_BROWSERS.has(lower);
}

const NEWLINE = 10;

/**
 * Returns the first line of a message, and where its body begins; undefined if no line ends within
 * `maxBytes`.
 */
export function splitMessage(
  bytes: Uint8Array,
  maxBytes: number,
): { head: Uint8Array; bodyAt: number } | undefined {
  const end = bytes.subarray(0, maxBytes + 1).indexOf(NEWLINE);
  return end < 0 ? undefined : { head: bytes.subarray(0, end), bodyAt: end + 1 };
}
