/** A request to an API, on behalf of a reader. */
export interface OutsideCall {
  url: string;
  method: string;
  headers: readonly (readonly [string, string])[];
  body?: Uint8Array | undefined;
  /** Limit of the whole exchange. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface OutsideCallAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Decoded. Whoever stops reading ends the exchange. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Calls APIs at addresses that the descriptions of sites name. The same guard as for `OutsideFiles` stands before every
 * connection. Redirects are not followed: their target gets neither credentials nor body.
 */
export interface OutsideCalls {
  /** @throws OutsideFault `refused`, `unreachable`; the signal's reason where it was aborted */
  call(call: OutsideCall): Promise<OutsideCallAnswer>;
}
