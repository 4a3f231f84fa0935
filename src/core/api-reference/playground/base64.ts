const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 (RFC 4648) of the text's UTF-8 bytes, as the Basic scheme (RFC 7617) requires. */
export function base64OfText(text: string): string {
  const bytes = utf8Bytes(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3);
    const joined = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    out += letter(joined >> 18) + letter(joined >> 12);
    out += second === undefined ? '=' : letter(joined >> 6);
    out += third === undefined ? '=' : letter(joined);
  }
  return out;
}

function letter(bits: number): string {
  return ALPHABET[bits & 63] as string;
}

function utf8Bytes(text: string): number[] {
  const escaped = encodeURIComponent(text.toWellFormed());
  return [...escaped.matchAll(/%([0-9A-F]{2})|[^%]/g)].map(([one, hex]) =>
    hex === undefined ? (one.codePointAt(0) as number) : Number.parseInt(hex, 16),
  );
}
