/** What came of asking for a file at an address outside of the source. */
export type OutsideResult =
  | {
      bytes: Uint8Array;
      /** The media type that the server declared, in lower case and without parameters; empty where it declared none. */
      type: string;
      /** Why the address could not be read now. The bytes are then what an earlier build read there. */
      kept?: string;
    }
  /** Why there is nothing: a sentence for the author. */
  | { fault: string };

export interface OutsideRequest {
  accept?: string;
  /** For servers that give browsers another answer than programs. */
  userAgent?: string;
  maxBytes: number;
  /** Whether what an earlier build read will do for as long as the server allows: right for pictures, wrong for what is being written. */
  mayReuse?: boolean;
}

/**
 * Reads files that a site's author names by their address. A build is given one where it may use the network; it is safe to
 * ask for many at once, and for the same address again.
 * @returns never rejects for what an address answers
 */
export type FetchOutside = (url: string, request: OutsideRequest) => Promise<OutsideResult>;

/** Whether a name in a source is an address that can be fetched. */
export function isOutside(name: string): boolean {
  return /^https?:\/\//i.test(name);
}
