const CAMEL_BOUNDARY = /(?<=\p{Ll}|\d)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const JOINTS = /[-._]+/;
/** Possessives and contractions: the part after the apostrophe is not content. */
const APOSTROPHE_TAIL = /['’]\p{L}*$/u;
const MAX_PARTS = 6;

/**
 * Returns the words inside an identifier: `maxRetries` → max, Retries; `HTTPServer` → HTTP, Server; `rate_limit.max` → rate,
 * limit, max. A run with too many parts for an identifier (a URL, a hash) stays whole.
 */
export function splitIdentifier(word: string): string[] {
  const plain = word.replace(APOSTROPHE_TAIL, '').replaceAll(/['’]/g, '');
  const pieces = plain.split(JOINTS).filter((piece) => piece !== '');
  const parts = pieces.flatMap((piece) => (/\p{Lu}/u.test(piece.slice(1)) ? piece.split(CAMEL_BOUNDARY) : [piece]));
  if (parts.length === 0) return [plain];
  return parts.length > MAX_PARTS ? pieces : parts;
}
