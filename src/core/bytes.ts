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

interface Utf8Globals {
  TextEncoder: new () => { encode(text: string): Uint8Array };
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
}

// All supported runtimes have both, but the language's own type library does not declare them.
const { TextEncoder, TextDecoder } = globalThis as unknown as Utf8Globals;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
