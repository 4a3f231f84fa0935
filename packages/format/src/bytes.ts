/** Returns all bytes of the chunks as one array. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

interface Globals {
  TextEncoder: new () => { encode(text: string): Uint8Array };
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
  btoa(binary: string): string;
}

// All supported runtimes have them, but the language's own type library does not declare them.
const { TextEncoder, TextDecoder, btoa } = globalThis as unknown as Globals;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Shorter parts of a text are copies anyhow. */
const MIN_SHARED_LENGTH = 13;

/** Returns a text of its own: engines keep the whole text of which another is a part. */
export function detached(text: string): string {
  if (text.length < MIN_SHARED_LENGTH) return text;
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Base64 (RFC 4648) of the text's UTF-8 bytes, as the Basic scheme (RFC 7617) requires. */
export function base64OfText(text: string): string {
  return btoa(Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join(''));
}
