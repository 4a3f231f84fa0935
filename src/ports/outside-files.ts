/** A file that lies at an address outside of a site's own source. */
export interface OutsideFile {
  /** The address that answered, after redirects. */
  url: string;
  /** The media type that the server declares, in lower case and without parameters; empty where it declares none. */
  type: string;
  bytes: Uint8Array;
  /** How long the server lets the file be used again without a question (RFC 9111); absent or 0: not at all. */
  freshSeconds?: number;
}

export interface OutsideFileOptions {
  /** The `Accept` header. */
  accept?: string;
  /** The `User-Agent` header, where the product's name would get another answer than browsers do. */
  userAgent?: string | undefined;
  /** Limit of the decoded body. */
  maxBytes: number;
  /** Limit of the whole exchange, redirects and body included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches files from addresses that authors write, which makes every address hostile: an adapter connects to public
 * addresses only (and to ranges that the operator allows), checks this for the address that it really connects to and for
 * every redirect, and sends neither cookies nor credentials.
 */
export interface OutsideFiles {
  /** @throws OutsideFault; the signal's reason where it was aborted */
  fetch(url: string, options: OutsideFileOptions): Promise<OutsideFile>;
}

/** Why a file could not be fetched. The message names the address and is safe to show to the site's author. */
export class OutsideFault extends Error {
  /**
   * `refused`: the address is not one that may be fetched. `unreachable`: no answer, or not in time. `status`: the server
   * answered with an error. `too-large`: the body passes the limit.
   */
  readonly kind: 'refused' | 'unreachable' | 'status' | 'too-large';

  constructor(kind: OutsideFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutsideFault';
    this.kind = kind;
  }
}
