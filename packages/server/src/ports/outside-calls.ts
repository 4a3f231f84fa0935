/** A request to an API, on behalf of a reader. */
export interface OutsideCall {
  url: string;
  method: string;
  headers: readonly (readonly [string, string])[];
  body?: Uint8Array | undefined;
  /** Timeout of the whole exchange. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface OutsideCallAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Decoded. To stop reading ends the exchange. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Calls APIs at addresses from the descriptions of sites. The same guard as for `OutsideFiles`
 * checks every connection. Redirects are not followed: their target gets neither credentials nor
 * body.
 */
export interface OutsideCalls {
  /** @throws OutsideFault `refused`, `unreachable`; the signal's reason if it was aborted */
  call(call: OutsideCall): Promise<OutsideCallAnswer>;
}
