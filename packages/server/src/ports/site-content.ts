import type { IncomingHttpHeaders } from 'node:http';
import type { Reader } from '@docent/format/access/may-read.ts';

/** Content encoding of a body (RFC 9110 §8.4). */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A range of a body; both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface SiteRedirect {
  kind: 'redirect';
  status: 307 | 308;
  location: string;
  /** Names of the request headers that decided it. */
  vary?: readonly string[];
}

/** The content of an address. */
export interface SiteBody {
  kind: 'body';
  status: 200 | 404;
  /** Media type. */
  type: string;
  /**
   * Identifies the bytes among all that were ever served, so that they can be cached; absent if
   * they are generated for this request only.
   */
  version?: string;
  /** The content of this address never changes. */
  immutable: boolean;
  /** Names of the request headers that selected this body. */
  vary?: readonly string[];
  /** It is for this reader only, so no cache keeps it. */
  isPersonal?: true;
  /** Site path of the shown page, as HTML or as Markdown. */
  page?: string;
  /** It is the same for every site, so pages of every origin may read it. */
  isShared?: boolean;
  /** Set if it is known before the body is generated; ranges can be requested then. */
  sizeBytes?: number;
  read(): Promise<string | Uint8Array>;
  /** Returns a precompressed form; undefined if there is none. */
  readEncoded?(encoding: Encoding): Promise<Buffer | undefined>;
  /** Streams the stored bytes, for large files and ranges. */
  open?(range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
}

export type SiteAnswer = SiteRedirect | SiteBody;

export interface SiteRequest {
  /** Decoded, inside the site, with a leading slash. */
  path: string;
  /** Unparsed, with `?`, or empty. */
  query: string;
  /** Whether the client requests Markdown rather than HTML. */
  wantsMarkdown: boolean;
  /** The client, if the answer may depend on it: readers start in their language. */
  reader?: { headers: IncomingHttpHeaders; host: string };
  /** Who signed in. */
  user?: Pick<Reader, 'content' | 'groups' | 'apiPlaygroundInputs'> | undefined;
}

/**
 * The content of a site by address, wherever it is stored: a hosted site and its build, or an
 * unpacked bundle.
 */
export interface SiteContent {
  /** @returns undefined if there is nothing, not even an error page */
  find(request: SiteRequest): SiteAnswer | undefined;
  /**
   * Returns the headers that the response needs besides those of HTTP: what a browser may do with
   * it, and links for programs.
   */
  headersOf(answer: SiteAnswer): Record<string, string>;
}
