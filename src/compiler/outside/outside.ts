/** Result of a request for a file outside of the source. */
export type OutsideResult =
  | {
      bytes: Uint8Array;
      /** The media type that the server declared, in lower case and without parameters; empty if it declared none. */
      type: string;
      /** Why the URL could not be read now. The bytes are then those that an earlier build read. */
      kept?: string;
    }
  /** Why there is nothing: a sentence for the author. */
  | { fault: string };

export interface OutsideRequest {
  accept?: string;
  /** For servers that respond differently to browsers and programs. */
  userAgent?: string;
  maxBytes: number;
  /**
   * Whether the response of an earlier build may be reused as long as the server allows: right for images, wrong for text being
   * edited.
   */
  mayReuse?: boolean;
}

/**
 * Fetches files that a site's author refers to by URL. A build gets one if it may use the network. It is safe to request many at
 * once, and to request the same URL again.
 * @returns never rejects because of a URL's response
 */
export type FetchOutside = (url: string, request: OutsideRequest) => Promise<OutsideResult>;

/** Returns whether a name in a source is a URL that can be fetched. */
export function isOutside(name: string): boolean {
  return /^https?:\/\//i.test(name);
}
