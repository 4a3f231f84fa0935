/** A file at a URL outside of a site's own source. */
export interface OutsideFile {
  /** The final URL, after redirects. */
  url: string;
  /**
   * The media type that the server declares, in lower case and without parameters; empty if it
   * declares none.
   */
  type: string;
  bytes: Uint8Array;
  /**
   * How long the server allows the file to be reused without revalidation (RFC 9111); absent or 0:
   * not at all.
   */
  freshSeconds?: number;
}

export interface OutsideFileOptions {
  /** The `Accept` header. */
  accept?: string;
  /** The `User-Agent` header, if the product's name would get another response than browsers do. */
  userAgent?: string | undefined;
  /** Maximum size of the decoded body. */
  maxBytes: number;
  /** Timeout of the whole exchange, redirects and body included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches files from URLs that authors write, so every URL is hostile. An adapter connects to
 * public addresses only (and to ranges that the operator allows), checks the address that it
 * actually connects to, also on every redirect, and sends neither cookies nor credentials.
 */
export interface OutsideFiles {
  /** @throws OutsideFault; the signal's reason if it was aborted */
  fetch(url: string, options: OutsideFileOptions): Promise<OutsideFile>;
}

/**
 * Why a file could not be fetched. The message names the address and is safe to show to the site's
 * author.
 */
export class OutsideFault extends Error {
  /**
   * `refused`: the URL must not be fetched. `unreachable`: no response, or not in time. `status`: the server responded with an
   * error. `too-large`: the body exceeds the limit.
   */
  readonly kind: 'refused' | 'unreachable' | 'status' | 'too-large';

  constructor(kind: OutsideFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutsideFault';
    this.kind = kind;
  }
}
