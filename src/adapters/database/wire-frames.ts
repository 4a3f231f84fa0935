/** Message types of the PostgreSQL wire protocol that the bridge handles itself. */
export const terminateType = 0x58;

/** Ends an extended query, even after an error, so that the server accepts messages again. */
export const syncFrame: Uint8Array = Uint8Array.of(0x53, 0, 0, 0, 4);

/**
 * Splits the bytes that a client of the PostgreSQL wire protocol (version 3) sends into messages, because the embedded engine
 * accepts one message at a time. The first message of a connection, the startup packet, has no type byte.
 */
export class WireFrames {
  #rest: Uint8Array = new Uint8Array(0);
  #started = false;

  /** Takes the next bytes and returns the messages that are now complete. */
  push(bytes: Uint8Array): Uint8Array[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Uint8Array[] = [];
    for (;;) {
      const length = this.#nextLength(rest);
      if (length === undefined || rest.length < length) break;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#started = true;
    }
    this.#rest = rest;
    return frames;
  }

  #nextLength(bytes: Uint8Array): number | undefined {
    const typeBytes = this.#started ? 1 : 0;
    if (bytes.length < typeBytes + 4) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getUint32(typeBytes) + typeBytes;
    // A length below its own four bytes would never advance.
    if (length < typeBytes + 4) throw new RangeError('A message of the database protocol has an impossible length.');
    return length;
  }
}
